"""Hostile words in the pages of an instructor: nbgrader's own formgrader and feedback, and the
course's pages, in chromium.

`python -m pytest tests/browser/test_formgrader.py --each` shows every payload alone; without it
five students share them. With `--mathjax DIR`, an unpacked MathJax 2.7, formulas are set as in an
instructor's browser, which loads it from elsewhere.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.lab import Lab
from tests.grading.own_sheet import NUMBER, RIGHT, hand_in, own_course
from tests.hostile.markup import PAYLOADS

STUDENTS = 5
MATHJAX = "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.7/"
LATEST = f"""(() => {{
  const script = document.createElement('script');
  script.src = '{MATHJAX}MathJax.js?config=TeX-AMS_CHTML-full,Safe';
  document.head.append(script);
}})()"""
# A click on everything that can be clicked; a script that a link names runs, and a page
# that it names is not opened.
CLICK = """() => {
  const targets = document.querySelectorAll('#notebook-container a, #notebook-container button, main a, main summary, table a');
  let count = 0;
  for (const target of targets) {
    const address = (target.getAttribute('href') || target.getAttribute('xlink:href') || '').trim();
    if (/^(\\/|#|http|feedback)/.test(address)) continue;
    target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, view: window }));
    target.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    count += 1;
  }
  return count;
}"""
# Words on a page of nbgrader's outside the elements that MathJax, which those pages load
# from elsewhere, leaves alone.
LOOSE = """() => {
  const walker = document.createTreeWalker(document.querySelector('#notebook-container') || document.head, NodeFilter.SHOW_TEXT);
  const loose = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.data;
    if (/[$\\\\]/.test(text) && /canary/.test(text) && !walker.currentNode.parentElement.closest('pre, code, textarea, script'))
      loose.push(text);
  }
  return loose;
}"""


class Watch:
    """What a page did that only a script of a student can have done. asked:
    addresses outside this machine.
    """

    def __init__(self, page: Page, mathjax: str | None = None) -> None:
        self.page, self.runs, self.asked, self.mathjax = page, [], [], mathjax
        page.context.expose_function("canary", lambda number: self.runs.append(number))
        page.on("dialog", lambda dialog: (self.runs.append(dialog.message), dialog.dismiss()))
        page.context.route("**/*", self._decide)

    def _decide(self, route) -> None:
        if route.request.url.startswith(("http://127.0.0.1:", "file://", "data:")):
            route.continue_()
        elif self.mathjax and route.request.url.startswith(MATHJAX):
            name = route.request.url.removeprefix(MATHJAX).partition("?")[0]
            route.fulfill(body=LATEST) if name == "latest.js" else route.fulfill(
                path=Path(self.mathjax, name)
            )
        else:
            self.asked.append(route.request.url)
            route.abort()

    def visit(self, address: str) -> None:
        """Open a page, and click on everything in it."""
        self.page.goto(address, wait_until="load")
        if self.mathjax and self.page.query_selector("#notebook-container"):
            self.page.wait_for_function("() => window.MathJax && MathJax.Hub && MathJax.Hub.Queue")
            self.page.evaluate("() => new Promise((done) => MathJax.Hub.Queue(done))")
        self.page.evaluate(CLICK)
        self.page.wait_for_function(
            "() => new Promise((done) => setTimeout(() => done(true), 100))"
        )
        if (
            "MathJax" in self.page.content()
        ):  # a formula is set, and can be misused, only where it is loaded
            assert self.page.evaluate(LOOSE) == []

    def trouble(self) -> list:
        """Scripts that ran, and addresses that were asked for, beside
        those of nbgrader's own pages.
        """
        own = ("https://cdnjs.cloudflare.com/", "https://cdn.jsdelivr.net/", "https://unpkg.com/")
        return [*self.runs, *(address for address in self.asked if not address.startswith(own))]


def the_class(each: bool) -> dict[str, list[str]]:
    """student -> payloads."""
    words = list(PAYLOADS.values())
    count = len(words) if each else STUDENTS
    return {f"s{k:02}": words[k::count] for k in range(count)}


def write_class(course, folder: Path, students: dict[str, list[str]]) -> list:
    """Hand-ins with these words everywhere, a roster with names of this kind; the
    arguments of `rlcourse grade`.
    """
    import nbformat

    for student, payloads in students.items():
        both = "\n\n".join(payloads)
        outputs = [
            nbformat.v4.new_output("stream", name="stdout", text=both),
            nbformat.v4.new_output(
                "display_data", {"text/html": both, "image/svg+xml": both, "text/markdown": both}
            ),
            nbformat.v4.new_output(
                "execute_result",
                {"text/plain": both, "text/latex": both, "application/javascript": "canary(1)"},
            ),
        ]
        content = hand_in(
            course,
            f"{RIGHT}\nwords = {both!r}\nraise ValueError({both!r})",
            both,
            outputs,
            hand_in={"name": both[:99], "time": "x"},
        )
        (folder / "in" / student).mkdir(parents=True)
        (
            folder
            / "in"
            / student
            / f"{payloads[0].replace('/', '-')[:80]}.ipynb".replace("\n", "")
        ).write_bytes(content)
    lines = [
        f'{student},"{payloads[0].replace(chr(34), chr(34) * 2)}",x@example.org'
        for student, payloads in students.items()
    ]
    (folder / "roster.csv").write_text(
        "id,name,email\n" + "\n".join(line.replace("\n", " ") for line in lines) + "\n"
    )
    return [
        "--submissions",
        folder / "in",
        "--roster",
        folder / "roster.csv",
        "--course",
        course.folder,
    ]


def test_no_words_of_a_student_run_in_an_instructors_page(page: Page, lab: Lab, request, tmp_path):
    """The pages of formgrader, its feedback, the course's report and feedback; a click on
    each link; nothing is loaded.
    """
    from nbgrader.api import Gradebook

    from rlcourse.grading.sources import nbgrader_api
    from tests.grading.test_whole_class import TRUSTED, run

    students, out = the_class(request.config.getoption("--each", False)), lab.root / "formgrader"
    with own_course(tmp_path / "own") as course:
        result = run(*write_class(course, tmp_path, students), "--out", out, *TRUSTED)
        assert result.exit_code == 0, result.output
        api, watch = (
            nbgrader_api(course, out),
            Watch(page, request.config.getoption("--mathjax", None)),
        )
        with Gradebook(api.coursedir.db_url) as book:
            ids = [
                book.find_submission_notebook(f"{NUMBER}_sheet", NUMBER, student).id
                for student in students
            ]
        assert all(api.generate_feedback(NUMBER, student)["success"] for student in students)
    start = f"http://127.0.0.1:{lab.port}/formgrader"
    watch.visit(f"{start}?path={out}&token={lab.token}")
    sheet = f"{NUMBER}/{NUMBER}_sheet"
    pages = [
        "manage_students",
        "manage_students/s00",
        f"manage_students/s00/{NUMBER}",
        f"manage_submissions/{NUMBER}",
    ]
    pages += [
        "gradebook",
        f"gradebook/{NUMBER}",
        f"gradebook/{sheet}",
        *(f"submissions/{one}" for one in ids),
    ]
    for name in pages:
        watch.visit(f"{start}/{name}")
        assert "Sorry" not in page.title() and "404" not in page.title(), name
    shown = [*(out / "feedback").rglob("*.html"), *(out / "class").rglob("*.html")]
    assert len(shown) == 2 * len(students) + 1
    for path in shown:
        watch.visit(path.as_uri())
    assert watch.trouble() == []


def test_the_canary_sings(page: Page, tmp_path):
    """Of what is put into a page as it is, the watch notices what runs at once, what a
    click runs, and what is loaded.
    """
    watch, bad = Watch(page), tmp_path / "bad.html"
    for words, expected in (
        ("<img src=x onerror=canary(7)>", [7]),
        ("<a href='java&#9;script:canary(8)'>x</a>", [8]),
        ("<svg><a xlink:href='javascript:canary(9)'><text y=20>x</text></a></svg>", [9]),
        ("<img src='https://tracker.example/x.png'>", ["https://tracker.example/x.png"]),
    ):
        watch.runs.clear(), watch.asked.clear()
        bad.write_text(f"<div id=notebook-container>{words}</div>")
        watch.visit(bad.as_uri())
        assert set(watch.trouble()) == set(expected), json.dumps(words)
    bad.write_text(
        r"<script>var MathJax = {}</script><p id=notebook-container>$\href{javascript:canary(1)}{x}$</p>"
    )
    with pytest.raises(AssertionError):
        watch.visit(bad.as_uri())
