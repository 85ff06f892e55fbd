"""Sliders without a browser: values, redrawing, errors, and the still picture."""

import base64
import re

import ipywidgets as widgets
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlcourse.boards.sliders import sliders
from rlcourse.drawing.svg import Drawing
from rlcourse.plots import Picture


def drawing(**values):
    words = ", ".join(f"{name} {value}" for name, value in values.items())
    return Drawing(f"<svg>{values}</svg>", f"Figure: {words}")


def test_controls_by_the_values_that_are_given():
    live = sliders(
        drawing,
        temperature=(0.05, 1.0, 20.0),
        games=(20, 100, 2000),
        win_rate=(0.5, 0.55, 0.8),
        plies=(1, 3, 9),
        mask=True,
    )
    kinds = [
        widgets.FloatLogSlider,
        widgets.FloatLogSlider,
        widgets.FloatSlider,
        widgets.IntSlider,
        widgets.Checkbox,
    ]
    assert [type(child) for child in live.children[:-1]] == kinds
    assert [child.description for child in live.children[:-1]] == [
        "temperature",
        "games",
        "win rate",
        "plies",
        "mask",
    ]
    assert live.values == {
        "temperature": 1.0,
        "games": 100,
        "win_rate": 0.55,
        "plies": 3,
        "mask": True,
    }
    live.children[1].value = 123.4
    assert live.values["games"] == 123 and type(live.values["games"]) is int


def snapped(slider: widgets.FloatLogSlider) -> float:
    """What the page makes of a start: the nearest step from the low end, as its
    slider (noUiSlider) counts them.
    """
    steps = round((np.log10(slider.value) - slider.min) / slider.step)
    return 10 ** min(slider.min + steps * slider.step, slider.max)


@given(low=st.integers(1, 50), factor=st.integers(50, 10_000), part=st.floats(0, 1))
def test_a_logarithmic_slider_starts_exactly_at_any_whole_start(low, factor, part):
    high = low * factor
    start = round(low * factor**part)
    live = sliders(drawing, games=(low, start, high))
    live.children[0].value = snapped(live.children[0])
    assert live.values["games"] == start
    assert 0 < live.children[0].step <= np.log10(factor) / 50


@given(low=st.floats(1e-4, 10), factor=st.floats(50, 1e4), part=st.floats(0, 1))
def test_a_logarithmic_slider_starts_exactly_at_any_start(low, factor, part):
    high = low * factor
    start = min(max(low * factor**part, low), high)
    live = sliders(drawing, rate=(low, start, high))
    live.children[0].value = snapped(live.children[0])
    assert live.values["rate"] == pytest.approx(start, rel=1e-8)


def test_a_change_draws_anew_and_the_still_picture_follows():
    live = sliders(drawing, temperature=(0.1, 1.0, 2.0), mask=False)
    for values, (temperature, mask) in (("start", (1.0, False)), ("moved", (2.0, True))):
        live.children[0].value, live.children[1].value = temperature, mask
        alt = f"temperature {temperature}, mask {mask}"
        assert f'alt="{alt}"' in live.children[-1].value, values
        data, _ = live._repr_mimebundle_()
        svg = f"<svg>{{'temperature': {temperature}, 'mask': {mask}}}</svg>"
        assert data["image/svg+xml"] == svg and data["text/plain"] == f"Figure: {alt}"
        shown = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', live.children[-1].value)
        assert base64.b64decode(shown[1]).decode() == svg
        assert "application/vnd.jupyter.widget-view+json" in data
        assert live.get_state("still")["still"]["data"]["text/plain"] == f"Figure: {alt}", (
            "the page has it to save"
        )


def test_a_figure_of_matplotlib_can_be_moved_as_well():
    """The PNG's bytes, its words and its size on the page reach the output and the page."""
    live = sliders(lambda n: Picture(b"png", f"{n} games", 30, 20), n=(1, 2, 4))
    data, metadata = live._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]) == b"png"
    assert metadata["image/png"] == {"alt": "2 games", "width": 30, "height": 20}
    assert '<img src="data:image/png;base64,cG5n" alt="2 games"' in live.children[-1].value


def test_an_error_is_shown_in_the_pictures_place_and_goes_again():
    def touchy(n):
        if n == 3:
            raise ValueError("<script>three</script>")
        return drawing(n=n)

    live = sliders(touchy, n=(1, 2, 4))
    live.children[0].value = 3
    assert (
        live.children[-1].value
        == "<p role='alert'>ValueError: &lt;script&gt;three&lt;/script&gt;</p>"
    )
    live.children[0].value = 4
    assert 'alt="n 4"' in live.children[-1].value


@pytest.mark.parametrize("wrong", [(2, 1, 3), (1, 4, 3), (1, 1, 1)])
def test_a_slider_is_low_start_high(wrong):
    with pytest.raises(ValueError, match=r"\(low, start, high\).*'games'"):
        sliders(drawing, games=wrong)
