"""The site: formulas without a script, links that lead somewhere, a folder that is not the site's own stays as it is."""

import base64
import json
import re
from pathlib import Path

import nbformat
import pytest

from rlcourse.site import ROOT, build_site
from rlcourse.site.links import complaints
from rlcourse.site.markdown import Markdown, mathml, slug
from rlcourse.site.page import picture
from rlcourse.site.search import Section, search_page, sections

PAGES = {
    "": "index.html",
    "README.md": "README.html",
    "notebooks/00_a.ipynb": "notebooks/00_a.html",
    "exercises/01/01_b.ipynb": "exercises/01/01_b.html",
    "exercises/GLOSSARY.md": "exercises/GLOSSARY.html",
}
PIXEL = base64.b64encode(b"no picture, but nobody looks").decode()


def words(source: str = "notebooks/00_a.ipynb") -> Markdown:
    return Markdown(source, PAGES, set(), ROOT)


@pytest.mark.parametrize(
    ("source", "url", "address"),
    [
        ("notebooks/00_a.ipynb", "../exercises/GLOSSARY.md#ply", "../exercises/GLOSSARY.html#ply"),
        ("notebooks/00_a.ipynb", "../exercises/01/", "../exercises/01/01_b.html"),
        ("notebooks/00_a.ipynb", "#here", "#here"),
        ("exercises/01/01_b.ipynb", "../../notebooks/00_a.ipynb", "../../notebooks/00_a.html"),
        ("README.md", "notebooks/00_a.ipynb", "notebooks/00_a.html"),
        ("README.md", "https://doi.org/10.1007/BF00992697", "https://doi.org/10.1007/BF00992697"),
        ("notebooks/00_a.ipynb", "../LICENSE", "../LICENSE"),
    ],
)
def test_a_link_leads_to_the_page_of_what_the_source_links_to(source, url, address):
    assert f'href="{address}"' in words(source).html(f"[x]({url})")


def test_what_is_linked_but_no_page_is_kept_for_copying():
    page = words("README.md")
    page.html("[terms](LICENSE) and [a lesson](notebooks/00_a.ipynb)")
    assert page.assets == {"LICENSE"}


def test_what_lies_with_the_solutions_is_named_and_neither_linked_nor_copied():
    page = words("exercises/01/01_b.ipynb")
    shown = page.html("the [instructor's guide](../../solutions/README.md#a-term)")
    assert "href" not in shown and "instructor's guide" in shown
    assert not page.assets


def test_headings_get_the_anchors_of_code_hosts():
    page = words()
    shown = page.html("## What's `V(s)`? No. 2\n\n## Again\n\n## Again")
    assert [anchor for _, anchor, _ in page.headings] == ["whats-vs-no-2", "again", "again-1"]
    assert 'id="whats-vs-no-2"' in shown and slug("Bellman equation") == "bellman-equation"


def test_formulas_are_mathml():
    shown = words().html("so $p_1 < 1$ and\n\n$$\\frac{a}{2} = \\arg\\max_a q$$\n\nend")
    assert (
        shown.count("<math") == 2
        and "<mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac>" in shown
    )
    assert "$" not in shown and "arg" in shown and "\\" not in shown


@pytest.mark.parametrize("formula", [r"\nosuchthing", r"x + \genfrac{a}{b}"])
def test_a_formula_that_cannot_be_drawn_is_named(formula):
    with pytest.raises(ValueError, match="cannot be drawn"):
        mathml(formula, block=False)


def test_a_figure_without_words_is_refused():
    bare = nbformat.v4.new_output("display_data", {"image/png": PIXEL})
    with pytest.raises(ValueError, match="alternative text"):
        picture(bare)
    bare.metadata = nbformat.from_dict({"image/png": {"alt": 'Two "curves" <meet>'}})
    assert 'alt="Two &quot;curves&quot; &lt;meet&gt;"' in picture(bare)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ('<a href="gone.html">x</a>', "links to gone.html, which is not there"),
        ('<a href="b.html#gone">x</a>', "links to b.html#gone, which has no such place"),
        ('<a href="#gone">x</a>', "links to #gone, which has no such place"),
        ('<a href="../outside.html">x</a>', "which is not there"),
        ('<i id="x"></i><b id="x"></b>', "2 places called x"),
        ('<img src="figure.png">', "fetches figure.png"),
        ('<script src="https://example.org/m.js"></script>', "fetches https://example.org/m.js"),
        (
            '<link rel="stylesheet" href="https://example.org/a.css">',
            "fetches https://example.org/a.css",
        ),
        ("<style>@font-face { src: url(font.woff) }</style>", "fetches font.woff"),
        ("<style>@import 'more.css';</style>", "fetches more.css"),
    ],
)
def test_trouble_with_links_is_told(tmp_path, body, complaint):
    (tmp_path / "outside.html").write_text("x", encoding="utf-8")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "b.html").write_text('<p id="there">b</p>', encoding="utf-8")
    (folder / "a.html").write_text(body, encoding="utf-8")
    [told] = complaints(folder)
    assert told.startswith("a.html ") and complaint in told


def test_sound_links_are_not_complained_about(tmp_path):
    (tmp_path / "b.html").write_text(
        '<p id="there">b</p><a href="https://example.org/x">web</a>', encoding="utf-8"
    )
    text = '<a href="b.html#there">x</a><img src="data:image/png;base64,AA"><a href="b.html">y</a><i fill="url(#g)"></i>'
    (tmp_path / "a.html").write_text(text, encoding="utf-8")
    assert complaints(tmp_path) == []


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course of one lesson, one sheet, and the words around them."""
    root = tmp_path / "course"
    figure = nbformat.v4.new_output(
        "display_data", {"image/png": PIXEL}, metadata={"image/png": {"alt": "A curve."}}
    )
    printed = nbformat.v4.new_output("stream", name="stdout", text="all 40 of 40 <runs>\n")
    board = nbformat.v4.new_output(
        "execute_result",
        {"image/svg+xml": '<svg role="img" aria-label="Go 5 x 5: black to play"></svg>'},
        execution_count=1,
    )
    lesson = [
        nbformat.v4.new_markdown_cell(
            "# 01 · A lesson\n\n![A loop.](figures/loop.svg)\n\n"
            '<img align="right" src="figures/loop.svg" alt="A map.">\n\n'
            "01 A lesson (you are here)\n\n"
            "**It is so.** See [ply](../exercises/GLOSSARY.md#ply)."
        ),
        nbformat.v4.new_markdown_cell(
            "| | |\n|---|---|\n| **Time** | 55 minutes to read, a second to run |\n"
            "| **You need** | [plies](../exercises/GLOSSARY.md#ply) |"
        ),
        nbformat.v4.new_code_cell("play('go')", outputs=[board]),
        nbformat.v4.new_code_cell("play('go')", outputs=[board]),
        nbformat.v4.new_code_cell("show()", outputs=[figure], metadata={"tags": ["signature"]}),
        nbformat.v4.new_code_cell("assert runs == 40", outputs=[printed]),
    ]
    _write(root / "notebooks" / "01_lesson.ipynb", lesson)
    _write(
        root / "exercises" / "01" / "01_sheet.ipynb",
        [nbformat.v4.new_markdown_cell("# Sheet 01 · A sheet")],
    )
    (root / "notebooks" / "figures").mkdir()
    (root / "notebooks" / "figures" / "loop.svg").write_text("<svg>round</svg>", encoding="utf-8")
    readme = "# Course\n\nOpening.\n\n![Map of the course.](notebooks/figures/loop.svg)"
    (root / "README.md").write_text(readme, encoding="utf-8")
    (root / "exercises" / "README.md").write_text("# Guide", encoding="utf-8")
    (root / "exercises" / "GLOSSARY.md").write_text("# Words\n\n### ply", encoding="utf-8")
    (root / "notebooks" / "NOTATION.md").write_text("# Notation\n\n$s'$", encoding="utf-8")
    return root


def _write(path: Path, cells: list) -> None:
    path.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)


def test_a_page_is_searched_section_by_section_without_its_code():
    body = (
        '<p>before</p><h1 id="a">Alpha</h1><details class=contents>Beta</details><p>One &lt;b&gt;'
        '</p><h2 id="b">Beta <code>x</code></h2><pre>code</pre>two<svg><text>drawn</text></svg>'
    )
    page = ("p.html", "Page")
    assert list(sections(*page, body)) == [
        Section(page, "a", "Alpha", "One <b>"),
        Section(page, "b", "Beta x", "two"),
    ]


def test_the_index_of_the_search_says_where_each_word_stands():
    page = ("p.html", "Page")
    texts = ["the cat </script>", "the dog", "the cat", "the end", "the end", "the bird of prey"]
    found = [Section(page, f"s{k}", "the", text) for k, text in enumerate(texts)]
    index = re.search(r'json">(.*?)</script>', search_page(found), re.DOTALL)[1]
    known = json.loads(index)
    assert known["pages"] == [["p.html", "Page"]]
    assert known["sections"][5] == [0, "s5", "the", "the bird of prey"]
    assert set(known["common"]) == {"the", "cat", "end"}  # of six sections two are a third
    assert known["words"] == "bird 5 dog 1 of 5 prey 5 script 0"


@pytest.mark.slow
def test_a_small_course_becomes_a_site(course, tmp_path):
    out = tmp_path / "site"
    assert build_site(out, course) == (16, 1)
    lesson = (out / "notebooks" / "01_lesson.html").read_text(encoding="utf-8")
    assert 'href="../exercises/GLOSSARY.html#ply"' in lesson and "&lt;runs&gt;" in lesson
    assert lesson.count('<svg role="img"') == lesson.count("stands still here") == 2
    assert lesson.count('<iframe src="../go.html"') == 1  # the first board of the lesson
    assert 'href="../exercises/01/01_sheet.html">Sheet 01<' in lesson
    assert '<a href="01_lesson.html" aria-current="page">01 · A lesson</a>' in lesson
    assert "you are here" not in lesson
    sheet = (out / "exercises" / "01" / "01_sheet.html").read_text(encoding="utf-8")
    assert 'href="../../notebooks/01_lesson.html">Lesson 01<' in sheet
    index = (out / "index.html").read_text(encoding="utf-8")
    assert '<h3><a href="notebooks/01_lesson.html">01 · A lesson</a></h3><p>It is so.</p>' in index
    assert "<dd><p>55 minutes</p>" in index and "<dd><p>plies</p>" in index
    shown = (out / "figures.html").read_text(encoding="utf-8")
    assert 'alt="A curve."' in shown and "all 40 of 40 &lt;runs&gt;" in shown
    loop = base64.b64encode(b"<svg>round</svg>").decode()
    for page, alt in ((lesson, "A loop."), (index, "A loop."), (index, "Map of the course.")):
        assert f'<img src="data:image/svg+xml;base64,{loop}" alt="{alt}"' in page
    assert f'<img align="right" src="data:image/svg+xml;base64,{loop}" alt="A map."' in lesson
    for played in ("tic-tac-toe.html", "connect-four.html"):
        assert f'href="{played}"' in index and (out / played).stat().st_size > 500_000
    assert 'href="go.html"' in index
    assert "Go 5 x 5 against the bots" in (out / "go.html").read_text(encoding="utf-8")
    build_site(out, course)  # an older site is replaced
    assert not list(tmp_path.glob(".site*"))


def test_a_broken_link_stops_the_build_and_changes_nothing(course, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "rlcourse.site.write_page",
        lambda game, agent, path, title: path.write_text("x", encoding="utf-8"),
    )
    build_site(tmp_path / "site", course)
    before = (tmp_path / "site" / "README.html").read_bytes()
    text = (
        "# Course\n\n[gone](notebooks/09_gone.ipynb) [away](exercises/GLOSSARY.md#away)"
        " ![gone](gone.svg)"
    )
    (course / "README.md").write_text(text, encoding="utf-8")
    with pytest.raises(
        ValueError,
        match=r"(?s)fetches gone.svg.*09_gone.ipynb, which is not there.*GLOSSARY.html#away, which has no",
    ):
        build_site(tmp_path / "site", course)
    assert (tmp_path / "site" / "README.html").read_bytes() == before and not list(
        tmp_path.glob(".site*")
    )


def test_a_folder_that_is_no_site_is_left_alone(course, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("my own page", encoding="utf-8")
    with pytest.raises(ValueError, match="holds something else"):
        build_site(tmp_path / "mine", course)
    with pytest.raises(ValueError, match="has no notebooks"):
        build_site(tmp_path / "site", tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["index.html"]
