"""A figure of the course in JupyterLab: its words, its size, and how it looks in the dark theme."""

import io
from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image
from playwright.sync_api import Locator

from tests.browser.lab import Notebook

Open = Callable[[Sequence[str]], Notebook]
FIGURE = """from rlcourse import plots

with plots.figure(6, 2) as (fig, axes):
    axes.axhspan(0, 1, color=plots.BLUE)
    axes.axhspan(1, 2, color=plots.VERMILLION)
    plots.show(fig, alt="Two stripes.")"""


def pixels(figure: Locator) -> np.ndarray:
    """[H, W, 3] in [0, 255]: what is seen of the figure."""
    return np.asarray(Image.open(io.BytesIO(figure.screenshot())).convert("RGB")).astype(int)


def test_a_figure_has_words_and_is_dark_in_the_dark_theme(
    notebook: Open, screenshot: Callable[[object, str], None]
) -> None:
    book = notebook([FIGURE])
    figure = book.page.locator("img[alt='Two stripes.']")
    figure.wait_for()
    size = figure.evaluate("(image) => [image.naturalWidth / image.width, image.width]")
    assert size == [2, 660], "two pixels of the file for one of the page, 110 an inch"
    shown = {}
    for theme in ("Light", "Dark"):
        book.theme(f"JupyterLab {theme}")
        shown[theme] = pixels(figure)
        screenshot(book.page, f"figure-{theme.lower()}")
    corner = {theme: image[2, 2] for theme, image in shown.items()}
    assert corner["Light"].min() > 250 and corner["Dark"].max() < 40
    height, width, _ = shown["Dark"].shape
    upper, lower = (shown["Dark"][int(height * y), width // 2] for y in (0.25, 0.6))
    assert upper.argmax() == 0 and lower.argmax() == 2, "vermillion stays red, blue stays blue"


def test_a_drawn_position_has_its_words(notebook: Open) -> None:
    """JupyterLab shows an SVG as an image, of which a screen reader has only what stands in `alt`."""
    book = notebook(["from rlcourse.games import get_game\nget_game('tic-tac-toe').new_game()"])
    image = book.page.locator(".jp-RenderedSVG img")
    image.wait_for()
    book.page.wait_for_function("() => document.querySelector('.jp-RenderedSVG img').alt")
    row = "empty, empty, empty."
    assert image.get_attribute("alt") == (
        f"Tic-tac-toe: X to move. Row 3: {row} Row 2: {row} Row 1: {row}"
    )
    assert "rl-figure" not in (image.get_attribute("class") or ""), "a board keeps its colours"
