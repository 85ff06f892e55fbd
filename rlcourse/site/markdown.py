"""The course's Markdown as HTML: formulas become MathML without a script, links lead to pages."""

import base64
import mimetypes
import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from html import escape, unescape
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_by_name

from rlcourse.errors import BadValue

IMG = re.compile(r'(<img\b[^>]*?\bsrc=")([^"]+)')


def slug(heading: str) -> str:
    """The anchor of a heading as on code hosts: lower case, hyphens for blanks, no other marks."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def mathml(formula: str, *, block: bool) -> str:
    """A LaTeX formula as MathML. Raises ValueError for one that cannot be read, or has a command
    without a meaning there."""
    try:
        drawn = convert(
            re.sub(r"\\arg\b", r"\\operatorname{arg}", formula.strip()),
            display="block" if block else "inline",
        )
    except Exception as error:  # noqa: BLE001 - its errors have no common base
        raise BadValue(
            f"the formula {formula.strip()!r} cannot be drawn: {type(error).__name__}"
        ) from None
    if unknown := re.findall(r"\\[A-Za-z]+", drawn):
        raise BadValue(
            f"the formula {formula.strip()!r} cannot be drawn: {unknown[0]} is not known"
        )
    # In a formula "*" is the operator at the height of a minus, not the raised mark of plain text.
    return drawn.replace("&#x0002A;", "&#x02217;")


class Markdown(IPythonRenderer):
    """The Markdown of one page.

    source: its file's path from the course's folder, such as "notebooks/00_play_first.ipynb". root:
    that folder. pages: source -> path of its page. assets: collects the files that are linked but
    are no pages; they are to be copied. headings: (level, anchor, HTML) of those rendered so far.
    """

    def __init__(self, source: str, pages: Mapping[str, str], assets: set[str], root: Path) -> None:
        super().__init__(escape=False)
        self.source, self.pages, self.assets = source, pages, assets
        self.folder = (root / source).parent if source else root
        self.headings: list[tuple[int, str, str]] = []
        self._used: Counter[str] = Counter()

    def html(self, text: str, attachments: Mapping[str, Any] | None = None) -> str:
        """A piece of Markdown as HTML. attachments: a notebook cell's pictures, name -> MIME type
        -> base64."""
        self.attachments = dict(attachments or {})
        return MarkdownWithMath(renderer=self).render(text)

    def address(self, url: str) -> str:
        """Where a link of the source leads on the site."""
        path, sharp, anchor = url.partition("#")
        if re.match(r"[a-z]+:", url) or not path:
            return url
        target = self._target(path)
        inside = [page for page in self.pages if page.startswith(f"{target}/")]
        target = inside[0] if len(inside) == 1 else target
        if target not in self.pages:
            self.assets.add(target)
        place = posixpath.relpath(
            self.pages.get(target, target), posixpath.dirname(self.pages[self.source])
        )
        return place + sharp + anchor

    def _target(self, path: str) -> str:
        """A path in a link as one from the course's folder."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path))

    # What the base class calls, by the name of the Markdown element.

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """A heading with the anchor that code hosts give it; the second of one name gets -1."""
        name = slug(unescape(re.sub(r"<[^>]*>", "", text)))
        anchor = f"{name}-{self._used[name]}" if self._used[name] else name
        self._used[name] += 1
        self.headings.append((level, anchor, text))
        return f'<h{level} id="{anchor}">{text}</h{level}>\n'

    def block_code(self, code: str, info: str | None = None) -> str:
        """Code that is quoted in the text, in the colours of its language where it names one."""
        lexer = get_lexer_by_name(info.split()[0]) if info else TextLexer()
        shown = highlight(code, lexer, HtmlFormatter(nowrap=True))
        return f'<pre class="code" tabindex="0" aria-label="code">{shown}</pre>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link, to a page of the site where the source links to that page's source.

        What lies in `solutions/` stays with the instructors, so there the words stand alone.
        """
        if self._target(url).startswith("solutions/"):
            return text
        return f'<a href="{escape(self.address(url))}">{text}</a>'

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """A picture as a part of the page; what is no file stays an address and stops the build."""
        return super().image(text, self._embedded(url), title)

    def block_html(self, html: str) -> str:
        """HTML that stands in the text as it is, but for its pictures, which are embedded too."""
        return IMG.sub(lambda tag: tag[1] + self._embedded(tag[2]), super().block_html(html))

    def _embedded(self, url: str) -> str:
        if not (self.folder / url).is_file():
            return url
        kind, _ = mimetypes.guess_type(url)
        content = base64.b64encode((self.folder / url).read_bytes()).decode("ascii")
        return f"data:{kind};base64,{content}"

    def table(self, text: str) -> str:
        """A table that scrolls on its own if the page is narrow."""
        box = '<div class="scroll" tabindex="0" role="group" aria-label="table">'
        return f"{box}<table>\n{text}</table></div>\n"

    def inline_math(self, body: str) -> str:
        """A formula within a line."""
        return mathml(body, block=False)

    def block_math(self, body: str) -> str:
        """A displayed formula."""
        box = '<span class="formula" tabindex="0" role="group" aria-label="formula">'
        return f"{box}{mathml(body, block=True)}</span>"

    def latex_environment(self, name: str, body: str) -> str:
        """A formula in an environment of its own, such as align."""
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")
