"""The loop at the head of a lesson, in JupyterLab and in Notebook 7: seen on the first
screen, closed, and then still.
"""

import base64
import shutil

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.lab import PROJECT, Lab, Notebook
from tests.conftest import Launch

SCREEN = {"width": 1280, "height": 720}
DRAWN = "(image) => image.complete && image.naturalWidth > 0"


def picture(page: Page, name: str) -> Locator:
    return page.locator(f'img[src*="figures/{name}.svg"]')


@pytest.mark.parametrize(("where", "number"), [("lab/tree", "00"), ("notebooks", "04")])
def test_a_closed_loop_leaves_its_still(
    lab: Lab, page: Page, screenshot, where: str, number: str
) -> None:
    shutil.copytree(PROJECT / "notebooks" / "figures", lab.root / "figures", dirs_exist_ok=True)
    [path] = (PROJECT / "notebooks").glob(f"{number}_*.ipynb")
    page.set_viewport_size(SCREEN)
    book = Notebook(lab, page, lab.bring(path), where)
    loop = picture(page, f"opening-{number}")
    still = picture(page, f"opening-{number}-still")
    for image in (loop, still):
        image.wait_for()
        page.wait_for_function(DRAWN, arg=image.element_handle())
    screenshot(page, f"opening-{number}")
    for image in (loop, still):
        assert image.bounding_box()["y"] < SCREEN["height"] - 60, "seen on the first screen"
    page.locator("summary", has=still).click(position={"x": 5, "y": 8})
    loop.wait_for(state="hidden")
    assert still.is_visible() and still.bounding_box()["width"] > 100
    screenshot(page, f"opening-{number}-closed")
    book.close()


def drawn(browser: Browser, name: str) -> bytes:
    """A drawing as a page shows it in its first moment, 520 px wide."""
    page = browser.new_page()
    content = (PROJECT / "notebooks" / "figures" / f"{name}.svg").read_bytes()
    address = f"data:image/svg+xml;base64,{base64.b64encode(content).decode('ascii')}"
    page.set_content(f'<img width="520" height="212" src="{address}">')
    image = page.locator("img")
    page.wait_for_function(DRAWN, arg=image.element_handle())
    picture = image.screenshot()
    page.close()
    return picture


def test_who_asks_for_less_motion_sees_the_last_picture(browser: Browser, launch: Launch) -> None:
    """By the browser's own setting, since what Playwright emulates does not reach pictures."""
    calm = launch("--force-prefers-reduced-motion")
    assert drawn(calm, "opening-00") == drawn(calm, "opening-00-still")
    calm.close()
    assert drawn(browser, "opening-00") != drawn(browser, "opening-00-still")
