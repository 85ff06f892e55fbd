"""The loop at the head of a lesson, in JupyterLab and in Notebook 7: seen on the first screen, closed, and then still."""

import shutil

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.lab import PROJECT, Lab, Notebook

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
    assert still.bounding_box()["y"] < SCREEN["height"] - 60, "seen on the first screen"
    page.locator("summary", has=still).click(position={"x": 5, "y": 8})
    loop.wait_for(state="hidden")
    assert still.is_visible() and still.bounding_box()["width"] > 100
    screenshot(page, f"opening-{number}-closed")
    book.close()
