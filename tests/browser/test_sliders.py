"""The sliders of notebooks 01 and 01b in JupyterLab, in a real browser: by keyboard and by mouse,
and what the kernel makes of it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import nbformat
import numpy as np
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Locator, Page

from tests.browser.lab import PROJECT, Notebook

Open = Callable[[Sequence[str]], Notebook]
LESSONS = [
    PROJECT / "notebooks" / name
    for name in ("01_sampling_and_clipping.ipynb", "01b_how_sure_are_we.ipynb")
]
CELLS = {c.id: c for lesson in LESSONS for c in nbformat.read(lesson, as_version=4).cells}
FIRST = (
    "import numpy as np\nfrom rlcourse import plots\nfrom rlcourse.boards.sliders import sliders"
)


def cell(name: str, *, into: str = "") -> str:
    """The source of a lesson's cell; `into` gives its last expression a name and still shows it."""
    source = CELLS[name].source
    head, _, last = source.rpartition("\n")
    return f"{head}\n{into} = {last}\n{into}" if into else source


def picture(page: Page) -> Locator:
    return page.locator(".rl-sliders img")


def wait_for(page: Page, condition: str) -> str:
    """Wait until the picture's text fulfils a JavaScript condition on `alt`; returns the text."""
    page.wait_for_function(
        "() => { const alt = document.querySelector('.rl-sliders img')?.alt ?? ''; "
        f"return {condition}; }}"
    )
    return picture(page).get_attribute("alt") or ""


def shares(text: str) -> np.ndarray:
    return np.array(
        [float(part) for part in text.split("probabilities ")[1].rstrip("%").split("%, ")]
    )


def test_temperature_and_mask_reshape_the_distribution(
    notebook: Open, screenshot: Callable[[object, str], None]
) -> None:
    blank = [cell(name) for name in ("softmax", "check-softmax", "scores")]
    checks = "from rlcourse.lessons import lesson01"
    book = notebook([FIRST, checks, *blank, cell("sliders-temperature", into="live")])
    page = book.page
    at_one = shares(wait_for(page, "alt.includes('46.3%')"))
    handle = page.locator(".rl-sliders .noUi-handle")
    assert "temperature" in page.locator(".rl-sliders").inner_text()

    handle.focus()
    page.keyboard.press("End")
    hot = shares(wait_for(page, "!alt.includes('46.3%')"))
    assert book.ask("print(live.values['temperature'])") == "20.0"
    page.keyboard.press("Home")
    cold = shares(wait_for(page, "alt.includes('100.0%')"))
    assert np.ptp(hot) < np.ptp(at_one) < np.ptp(cold), "hot is flat, cold is sharp"
    assert hot.sum() == pytest.approx(100, abs=0.3)

    page.locator(".rl-sliders label", has_text="forbid a").click()
    masked = shares(wait_for(page, "alt.includes('probabilities 0.0%')"))
    assert masked[0] == 0 and masked.sum() == pytest.approx(100, abs=0.3)
    assert (
        book.ask("print(live.values)")
        == "{'temperature': 0.05, 'forbid_a': True, 'forbid_e': False}"
    )
    screenshot(page.locator(".rl-sliders"), "sliders-temperature")


def test_more_games_convince_more_often(
    notebook: Open, screenshot: Callable[[object, str], None]
) -> None:
    book = notebook([FIRST, cell("fewest"), cell("power"), cell("sliders-games", into="live")])
    page = book.page
    wait_for(page, "alt.startsWith('With 100 games')")
    page.locator(".rl-sliders .noUi-handle").first.focus()
    page.keyboard.press("End")
    text = wait_for(page, "alt.startsWith('With 2000 games')")
    assert "true rate of 55%, 99% of matches convince" in text
    assert (
        book.ask("print(type(live.values['games']).__name__, live.values['games'])") == "int 2000"
    )
    screenshot(page.locator(".rl-sliders"), "sliders-games")


def test_a_logarithmic_slider_starts_where_it_was_told_to(notebook: Open) -> None:
    draw = "def draw(**values):\n    with plots.figure(3, 1) as (fig, axis):\n        return plots.picture(fig, str(values))"
    starts = "simulations=(1, 60, 400), games=(20, 137, 2000), rate=(0.05, 1.7, 20.0)"
    book = notebook([FIRST, draw, f"live = sliders(draw, {starts})\nlive"])
    book.page.locator(".rl-sliders .noUi-handle").nth(2).wait_for()
    book.page.evaluate(
        "() => new Promise(requestAnimationFrame)"
    )  # a slider that moves its start does so when it is drawn
    assert book.ask("print(live.values)") == "{'simulations': 60, 'games': 137, 'rate': 1.7}"
    readouts = book.page.locator(".rl-sliders .widget-readout").all_text_contents()
    assert readouts == ["60", "137", "1.70"]


# Each picture when it can be seen. A readout that changes asks for the picture beside it once more,
# and may be answered after a newer one has taken its place.
COUNT = """() => {
  window.seen = [];
  const place = document.querySelector('.rl-sliders');
  new MutationObserver(async () => {
    const image = place.querySelector('img');
    await image.decode();
    if (image.isConnected && window.seen.at(-1)?.alt !== image.alt) window.seen.push({ alt: image.alt, at: performance.now() });
  }).observe(place, { childList: true, subtree: true });
}"""
# (label, width) of each SVG that has been drawn.
DRAWN = """() => [...document.images].filter((image) => image.src.startsWith('data:image/svg'))
  .map((image) => [atob(image.src.split(',')[1]).match(/aria-label="([^"]*)"/)?.[1], image.naturalWidth])"""
STEPS = 60
# (cell of the sliders, cells that it needs, what says that the slider is at its first value, and
# at its last)
MOVED = [
    (
        "sliders-temperature",
        ["softmax", "check-softmax", "scores"],
        "alt.includes(' 100.0%')",
        # e^(2 / 20) of e^(2 / 20) + e^(1 / 20) + 1 + e^(-1 / 20) + e^(1.5 / 20)
        "alt.includes(' 21.3%')",
    ),
    (
        "sliders-games",
        ["fewest", "power"],
        "alt.startsWith('With 20 games')",
        "alt.startsWith('With 2000 games')",
    ),
]


def opened(name: str, before: Sequence[str]) -> list[str]:
    """The cells of a notebook that shows the lesson's sliders."""
    return [FIRST, "from rlcourse.lessons import lesson01", *map(cell, before), cell(name)]


def move(book: Notebook, start: str, end: str, pause: float = 0) -> list[dict[str, Any]]:
    """Move the first slider from its first value to its last, with a pause [ms] after each step:
    each picture that was drawn, as its text `alt` and the time `at` [ms] of the browser.

    The picture that the lesson begins with lies on this way, so counting begins after it has gone.
    However slow the kernel is, one picture of the way is waited for.
    """
    wait_for(book.page, "alt")
    book.page.locator(".rl-sliders .noUi-handle").first.focus()
    book.page.keyboard.press("Home")
    wait_for(book.page, start)
    book.page.evaluate(COUNT)
    for _ in range(STEPS):
        book.page.keyboard.press("ArrowRight")
        book.page.wait_for_timeout(pause)
    book.page.wait_for_function("() => window.seen.length >= 2")
    book.page.keyboard.press("End")
    wait_for(book.page, end)
    return book.page.evaluate("() => window.seen")


@pytest.mark.parametrize(("name", "before", "start", "end"), MOVED)
def test_the_picture_moves_with_the_slider(
    notebook: Open, name: str, before: list[str], start: str, end: str
) -> None:
    """Some of the pictures on the slider's way are drawn, and none of them twice.

    How many they are a second is a benchmark (tests/benchmarks/sliders.py).
    """
    texts = [picture["alt"] for picture in move(notebook(opened(name, before)), start, end)]
    assert len(set(texts)) == len(texts) >= 3


def test_an_error_is_told_and_the_sliders_stay_usable(notebook: Open) -> None:
    broken = """
from rlcourse.boards.sliders import sliders
def draw(games):
    if games > 15:
        raise ValueError("too many <b>games</b>")
    with plots.figure(3, 1) as (fig, axis):
        return plots.picture(fig, f"{games} games")
sliders(draw, games=(10, 12, 20))"""
    page = notebook([FIRST, broken]).page
    wait_for(page, "alt === '12 games'")
    page.locator(".rl-sliders .noUi-handle").focus()
    page.keyboard.press("End")
    page.get_by_role("alert").filter(has_text="ValueError: too many <b>games</b>").wait_for()
    page.keyboard.press("Home")
    wait_for(page, "alt === '10 games'")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_the_committed_lesson_shows_a_still_picture_for_its_sliders(
    page: Page, tmp_path, lesson
) -> None:
    book = nbformat.read(lesson, as_version=4)
    [one] = [c for c in book.cells if c.cell_type == "code" and "\nsliders(" in c.source]
    (output,) = one.outputs
    assert set(output.data) == {"image/svg+xml", "text/plain"}, "no widget state is committed"
    html, _ = HTMLExporter(template_name="classic").from_notebook_node(book)
    path = tmp_path / "lesson.html"
    path.write_text(html, encoding="utf-8")
    page.route(
        "http*://**", lambda route: route.abort()
    )  # the page is to be read without a network
    page.goto(path.as_uri())
    stills = page.evaluate(DRAWN)
    assert [words for words, width in stills if width > 300 and words in output.data["text/plain"]]
