"""The site in a browser with the network blocked: every page at phone width, formulas,
pictures, boards, the index.
"""

import re
import unicodedata
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser, Page, Request

from rlcourse import site
from rlcourse.site import ROOT, build_site
from tests.browser.lab import open_context

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1100, "height": 1000}
# What sticks out at the right of the page, less what scrolls by itself.
WIDE = """() => [...document.querySelectorAll('body *')].filter((element) => {
  if (element.getBoundingClientRect().right <= innerWidth + 1) return false;
  for (let above = element.parentElement; above; above = above.parentElement)
    if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(above).overflowX)) return false;
  return true;
}).map((element) => `${element.tagName} ${element.textContent.slice(0, 60)}`)"""
SEEN = """() => ({
  undrawn: [...document.images].filter((image) => !image.complete || !image.naturalWidth).length,
  unnamed: document.querySelectorAll('img:not([alt]), img[alt=""]').length,
  formulas: [...document.querySelectorAll('math')].map((math) => math.getBoundingClientRect().height),
  boards: [...document.querySelectorAll('.board > svg')].map((svg) => svg.getBoundingClientRect().width),
  scripts: document.scripts.length,
})"""
# Indices whose middle is not clearly below or above the middle of what they
# belong to, in heights of that.
FLAT = """async () => {
  await document.fonts.ready;
  const middle = (box) => (box.top + box.bottom) / 2;
  return [...document.querySelectorAll('msub, msup, msubsup')].filter((script) => {
    const [base, ...indices] = [...script.children].map((part) => part.getBoundingClientRect());
    const shifts = indices.map((index) => (middle(index) - middle(base)) / base.height);
    const ways = { msub: [1], msup: [-1], msubsup: [1, -1] }[script.tagName];
    return shifts.some((shift, k) => shift * ways[k] < 0.15);
  }).map((script) => script.textContent);
}"""
GROUNDS = """() => [document.body, ...document.querySelectorAll('img, .board > svg')].map(
  (element) => getComputedStyle(element).backgroundColor)"""


PLAYED = {f"{game}.html" for game in site.PLAYED} | {site.LEARNING}
PREDICTION = "blockquote:has(> p > strong:text-is('Predict.'))"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site."""
    out = tmp_path_factory.mktemp("pages") / "site"
    build_site(out)
    return out


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a network, at phone width.

    Fails the test for whatever it asked for beyond its own folder.
    """
    context = open_context(browser, offline=True, viewport=PHONE)
    page, trouble = context.new_page(), []
    page.on(
        "request",
        lambda asked: (
            None if asked.url.startswith(("file:", "data:", "blob:")) else trouble.append(asked.url)
        ),
    )
    page.on(
        "requestfailed", lambda asked: None if is_left(asked) else trouble.append(failed(asked))
    )
    page.on(
        "console",
        lambda said: trouble.append(said.text) if said.type in ("error", "warning") else None,
    )
    yield page
    context.close()
    assert not trouble, trouble


def is_left(asked: Request) -> bool:
    """Whether it is the worker of a page that the reader leaves before the worker has begun."""
    return asked.url.startswith("blob:") and asked.failure == "net::ERR_ABORTED"


def failed(asked: Request) -> str:
    return f"failed: {asked.url}: {asked.failure}"


def test_every_page_can_be_read_on_a_phone_without_a_network(folder: Path, page: Page) -> None:
    pages = sorted(folder.rglob("*.html"))
    names = {path.relative_to(folder).as_posix() for path in pages}
    expected = {
        path.relative_to(ROOT).with_suffix(".html").as_posix()
        for path in ROOT.glob("notebooks/*.ipynb")
    }
    texts = {"README.html", "exercises/GLOSSARY.html", "notebooks/NOTATION.html"}
    assert expected | texts | {"index.html", *PLAYED} <= names
    assert not any(name.startswith("solutions") for name in names)
    formulas = boards = 0
    for path in pages:
        page.goto(path.as_uri())
        assert page.evaluate(WIDE) == [], path.name
        seen = page.evaluate(SEEN)
        assert (seen["undrawn"], seen["unnamed"]) == (0, 0), path.name
        assert all(height > 5 for height in seen["formulas"]) and all(
            60 < width <= 390 for width in seen["boards"]
        ), path.name
        assert page.evaluate(FLAT) == [], path.name
        has_script = "Predict.</strong>" in path.read_text(encoding="utf-8")
        assert seen["scripts"] == has_script or path.name in PLAYED
        if has_script:
            assert page.locator("blockquote:has(input)").count() == page.locator(PREDICTION).count()
        formulas, boards = formulas + len(seen["formulas"]), boards + len(seen["boards"])
    assert formulas > 80 and boards > 30


def test_the_font_of_the_formulas_has_their_characters(folder: Path) -> None:
    """A single letter is drawn in italics; the printed h has a place of its own in Unicode."""
    drawn = TTFont(Path(site.__file__).with_name("math.woff"))
    assert "MATH" in drawn
    letters: set[str] = set()
    for path in folder.rglob("*.html"):
        for tag, text in re.findall(
            r"<(mi|mo|mn)[^>]*>([^<]*)</", path.read_text(encoding="utf-8")
        ):
            shown = unescape(text)
            letters |= {italic(shown)} if tag == "mi" and len(shown) == 1 else set(shown)
    missing = {letter for letter in letters if ord(letter) not in drawn.getBestCmap()}
    assert len(letters) > 60 and not missing, missing


def italic(letter: str) -> str:
    """The letter as mathematics writes it, by its name in Unicode."""
    if letter == "h":
        return "\u210e"
    kind = (
        unicodedata.name(letter).replace("GREEK ", "").replace(" LETTER", "").replace("LATIN ", "")
    )
    try:
        return unicodedata.lookup(f"MATHEMATICAL ITALIC {kind}")
    except KeyError:
        return letter


def test_the_site_is_dark_where_the_system_is_and_figures_keep_their_ground(
    folder: Path, page: Page, screenshot
) -> None:
    page.set_viewport_size(DESK)
    for name in ("index.html", "notebooks/02_q_tables.html", "exercises/GLOSSARY.html"):
        page.emulate_media(color_scheme="light")
        page.goto((folder / name).as_uri())
        assert page.evaluate(GROUNDS)[0] == "rgb(255, 254, 251)"
        page.emulate_media(color_scheme="dark")
        ground, *figures = page.evaluate(GROUNDS)
        assert ground == "rgb(23, 25, 28)" and set(figures) <= {"rgb(255, 255, 255)"}
        screenshot(page, f"site-dark-{Path(name).stem}")


def test_the_index_leads_to_every_figure_and_back(folder: Path, page: Page, screenshot) -> None:
    page.set_viewport_size(DESK)
    page.goto((folder / "index.html").as_uri())
    screenshot(page, "site-index")
    lessons = len(list((folder / "notebooks").glob("[0-9]*.html")))
    figures = page.locator("article figure > a")
    assert page.locator("article").count() == lessons <= figures.count()
    figures.last.click()
    assert "/notebooks/" in page.url and "#cell-" in page.url
    page.wait_for_function(
        "() => document.querySelector(':target img')?.getBoundingClientRect().top < innerHeight"
    )
    page.get_by_role("link", name="All lessons").first.click()
    for game, targets in (("tic-tac-toe", 9), ("Connect Four", 7), ("backgammon", 29)):
        page.locator(".call").get_by_role("link", name=game).click()
        page.locator(".rl-surface svg").wait_for()
        assert page.locator("[data-action]").count() == targets
        page.go_back()
    page.locator(".call").get_by_role("link", name="watch a table learn").click()
    page.locator(".rl-surface svg").wait_for()
    page.get_by_role("button", name="Start").click()
    page.wait_for_function("() => document.body.dataset.games >= 100")


def test_a_prediction_opens_when_it_is_made_and_is_remembered(folder: Path, page: Page) -> None:
    lesson = folder / "notebooks/02_q_tables.html"
    page.goto(lesson.as_uri())
    first, second = page.locator(PREDICTION).nth(0), page.locator(PREDICTION).nth(1)
    answer = first.locator("details > ul")
    first.locator("summary").click()
    assert not answer.is_visible()
    first.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")  # the second answer
    answer.wait_for()
    assert "You said (b), and (b) is right." in first.inner_text()
    assert not second.locator("details > ul").is_visible()

    page.reload()
    first.get_by_role("radio", checked=True).wait_for()
    assert first.get_by_role("radio").nth(1).is_checked()
    assert not answer.is_visible()
    first.locator("summary").click()
    answer.wait_for()
    first.get_by_role("radio").first.check()
    assert "You said (a), but (b) is right." in first.inner_text()
    assert second.get_by_role("radio", checked=True).count() == 0


def test_without_scripts_a_prediction_is_folded_text(folder: Path, browser: Browser) -> None:
    context = open_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "notebooks/02_q_tables.html").as_uri())
    answer = page.locator(PREDICTION).first.locator("details")
    answer.locator("summary").click()
    assert answer.locator("> ul").is_visible()
    context.close()


def test_axe_finds_no_serious_violation(folder: Path, page: Page, screenshot) -> None:
    lesson, sheet = "notebooks/02_q_tables.html", "exercises/08/08_tree_search.html"
    for name in ("index.html", "README.html", "exercises/GLOSSARY.html", lesson, sheet):
        page.goto((folder / name).as_uri())
        screenshot(page, f"site-phone-{Path(name).stem}")
        assert not grave_violations(page), name
    page.emulate_media(color_scheme="dark")  # the sheet has code, tables and formulas
    assert not grave_violations(page, runOnly=["color-contrast"])


def grave_violations(page: Page, **options: object) -> list[tuple[str, list[str]]]:
    """The rules of axe that the page breaks gravely, each with the elements."""
    violations = Axe().run(page, options=options).response["violations"]
    grave = [one for one in violations if one["impact"] in ("serious", "critical")]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in grave]
