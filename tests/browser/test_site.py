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


PLAYED = {one.page for one in site.PLAYED} | {*site.LEARNING.values()}
# Lesson -> what can be clicked on its first board, and who plays there.
FIRST_BOARDS = {
    "00": (9, "Perfect player"),
    "01": (9, "Random player"),
    "02": (9, "Q-table"),
    "02b": (9, "Perfect player"),
    "03": (9, "Deep Q-network"),
    "05": (29, "TD-Gammon"),
    "06a": (27, "Policy gradient (drawn moves)"),
    "06b": (27, "Policy gradient (drawn moves)"),
    "07": (27, "Actor-critic (drawn moves)"),
    "08": (7, "UCT (1,000 simulations)"),
    "08b": (83, "UCT with RAVE (1,000 simulations)"),
    "09a": (7, "AlphaZero (400 simulations)"),
    "09b": (7, "AlphaZero (400 simulations)"),
    "10": (7, "AlphaZero (400 simulations)"),
}
BOARDLESS = {"01b", "04", "10b", "11"}  # their pictures are charts
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
    assert expected | texts | {"index.html", "figures.html", "search.html", *PLAYED} <= names
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
        assert seen["scripts"] == has_script or path.name in {"search.html", *PLAYED}
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
    for name in ("figures.html", "notebooks/02_q_tables.html", "exercises/GLOSSARY.html"):
        page.emulate_media(color_scheme="light")
        page.goto((folder / name).as_uri())
        assert page.evaluate(GROUNDS)[0] == "rgb(255, 254, 251)"
        page.emulate_media(color_scheme="dark")
        ground, *figures = page.evaluate(GROUNDS)
        assert ground == "rgb(23, 25, 28)" and set(figures) <= {"rgb(255, 255, 255)"}
        screenshot(page, f"site-dark-{Path(name).stem}")


def test_the_first_page_has_a_board_to_play_on_and_a_card_for_each_lesson(
    folder: Path, page: Page, screenshot
) -> None:
    page.set_viewport_size(DESK)
    page.goto((folder / "index.html").as_uri())
    board = page.frame_locator("iframe")
    board.locator('[data-action="4"]').click()
    board.get_by_text("2 / 2").wait_for()  # the reader's ply and the bot's
    screenshot(page, "site-index")
    cards = page.locator(".cards article")
    assert cards.count() == len(list((folder / "notebooks").glob("[0-9]*.html")))
    for card in cards.all():
        assert re.search(r"Time\n+\d\d minutes\n+You need", card.inner_text())
        assert card.locator("img").count() == 1 and card.get_by_role("link").count() == 1
    cards.last.get_by_role("link").click()
    page.wait_for_url("**/notebooks/11_*.html")
    for game, targets in (("Tic-tac-toe", 9), ("Connect Four", 7), ("Backgammon", 29)):
        page.get_by_role("link", name="All lessons").click()
        page.locator(".hero").get_by_role("link", name=game).click()
        page.locator(".rl-surface svg").wait_for()
        assert page.locator("[data-action]").count() == targets
        page.go_back()
    page.locator(".hero").get_by_role("link", name="watch a table learn").click()
    page.locator(".rl-surface svg").wait_for()
    page.get_by_role("button", name="Start").click()
    page.wait_for_function("() => document.body.dataset.games >= 100")


def test_every_figure_leads_to_its_cell(folder: Path, page: Page) -> None:
    page.set_viewport_size(DESK)
    page.goto((folder / "figures.html").as_uri())
    shown = page.locator("article figure > a")
    assert page.locator("article").count() <= shown.count()
    shown.last.click()
    assert "/notebooks/" in page.url and "#cell-" in page.url
    page.wait_for_function(
        "() => document.querySelector(':target img')?.getBoundingClientRect().top < innerHeight"
    )


def test_the_first_board_of_each_lesson_plays_against_the_lessons_own_bot(
    folder: Path, page: Page, screenshot
) -> None:
    page.set_viewport_size(DESK)
    lessons = {path.name.partition("_")[0]: path for path in folder.glob("notebooks/[0-9]*.html")}
    assert set(lessons) == {*FIRST_BOARDS, *BOARDLESS}
    for number, path in lessons.items():
        page.goto(path.as_uri())
        folded = page.locator("details.try")
        assert folded.count() == (number in FIRST_BOARDS), number
        if number in BOARDLESS:
            continue
        targets, opponent = FIRST_BOARDS[number]
        folded.locator("summary").click()
        board = page.frame_locator("details.try iframe")
        board.locator(".rl-surface svg").wait_for()
        assert board.locator("[data-action]").count() == targets, number
        assert board.get_by_label("Opponent").input_value() == opponent, number
        if number != "05":  # a turn of backgammon takes several clicks
            board.locator('[data-action="4"]').click()
            board.get_by_text("2 / 2").wait_for()  # the reader's ply and the bot's
    page.goto(lessons["08b"].as_uri())
    page.get_by_text("Play Go 9 x 9 here").click()
    page.frame_locator("details.try iframe").locator(".rl-surface svg").wait_for()
    screenshot(page, "site-board-in-a-lesson")


def test_the_column_shows_where_one_is_and_leads_on(folder: Path, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((folder / "notebooks/02_q_tables.html").as_uri())
    column = page.get_by_role("navigation", name="Course")
    assert column.locator("[aria-current=page]").inner_text() == "02 · Q-tables"
    column.get_by_role("link", name="2 · Q-learning against itself").click()
    assert page.url.endswith("#2--q-learning-against-itself")
    around = page.get_by_role("navigation", name="Before and after")
    assert around.get_by_role("link").all_inner_texts() == [
        "← 01b · How sure are we? (optional)",
        "Sheet 02",
        "02b · Symmetry, exploration, afterstates (optional) →",
    ]
    column.get_by_role("link", name="Sheet 02: Q-tables").click()
    page.wait_for_url("**/exercises/02/02_q_tables.html")
    assert page.locator("[aria-current=page]").inner_text() == "Sheet 02: Q-tables"


def test_the_search_finds_sections_and_works_from_a_folder(
    folder: Path, page: Page, screenshot
) -> None:
    text = (folder / "search.html").read_text(encoding="utf-8")
    index = re.search(r'type="application/json">(.*?)</script>', text, re.DOTALL)[1]
    assert 100_000 < len(index.encode()) <= 200_000
    page.goto((folder / "notebooks/02_q_tables.html").as_uri())
    page.get_by_label("Words to search for").fill("eligibility trace")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=eligibility+trace")
    results = page.locator("#found li")
    results.first.wait_for()
    assert results.first.inner_text().startswith("eligibility trace in Glossary")
    screenshot(page, "site-search")
    field = page.get_by_label("Words of the course")
    field.fill("clip_pro")  # a beginning, of a name in code
    assert any("Sampling" in text for text in results.all_inner_texts())
    field.fill("policy")  # in most sections, so in headings
    assert all("policy" in text.split("\n")[0].lower() for text in results.all_inner_texts())
    assert results.count() > 3
    field.fill("xylophone")
    assert results.count() == 0 and page.locator("#count").inner_text() == "0 sections"
    field.fill("backward view")
    results.get_by_role("link", name="5 · The backward view").click()
    page.wait_for_url("**/notebooks/04_td_lambda.html#5--the-backward-view*")


def test_a_printed_lesson_has_its_text_alone_and_no_figure_is_cut(folder: Path, page: Page) -> None:
    page.goto((folder / "notebooks/08_tree_search.html").as_uri())
    page.emulate_media(media="print")
    for name in ("Pages", "Course", "Before and after"):
        assert not page.get_by_label(name, exact=True).is_visible()
    assert page.get_by_role("heading", level=1).is_visible()
    breaks = """() => [...document.querySelectorAll('img, .board svg, figure')]
      .map((drawn) => getComputedStyle(drawn).breakInside)"""
    assert set(page.evaluate(breaks)) == {"avoid"}
    opening = page.locator("details[open]:has(> summary img)")
    moving, still = opening.locator("> p > img"), opening.locator("> summary img")
    assert still.is_visible() and not moving.is_visible()
    a4 = 794  # CSS pixels across the page
    page.set_viewport_size({"width": a4, "height": 1123})
    assert page.evaluate(WIDE) == []


def test_on_paper_folded_words_are_open_and_folded_code_is_left_out(
    folder: Path, page: Page
) -> None:
    page.goto((folder / "notebooks/02_q_tables.html").as_uri())
    words, code = page.locator("main blockquote details > ul"), page.locator("main .folded-code")
    assert words.count() > 1 and code.count() > 1
    page.emulate_media(media="print")
    shown = (
        "(places) => places.map((place) => place.checkVisibility({ contentVisibilityAuto: true }))"
    )
    assert set(words.evaluate_all(shown)) == {True} and set(code.evaluate_all(shown)) == {False}
    assert not page.get_by_text("The answer opens when you have chosen").first.is_visible()


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
    first = ("index.html", "figures.html", "search.html?q=trace", "README.html")
    for name in (*first, "exercises/GLOSSARY.html", lesson, sheet):
        path, _, query = name.partition("?")
        page.goto(f"{(folder / path).as_uri()}?{query}")
        screenshot(page, f"site-phone-{Path(path).stem}")
        assert not grave_violations(page), name
    page.emulate_media(color_scheme="dark")  # the sheet has code, tables and formulas
    assert not grave_violations(page, runOnly=["color-contrast"])


def grave_violations(page: Page, **options: object) -> list[tuple[str, list[str]]]:
    """The rules of axe that the page breaks gravely, each with the elements."""
    # The board of the first page has a test of its own; in a folder axe cannot ask another file.
    violations = Axe().run(page, options={"iframes": False, **options}).response["violations"]
    grave = [one for one in violations if one["impact"] in ("serious", "critical")]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in grave]
