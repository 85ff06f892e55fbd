"""Sliders without a browser: values, redrawing, errors, and the still picture."""

import base64
from types import SimpleNamespace

import ipywidgets as widgets
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlcourse.boards.sliders import sliders


def drawing(**values):
    return SimpleNamespace(
        png=repr(values).encode(),
        alt=", ".join(f"{name} {value}" for name, value in values.items()),
    )


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
        data, metadata = live._repr_mimebundle_()
        assert (
            base64.b64decode(data["image/png"])
            == f"{{'temperature': {temperature}, 'mask': {mask}}}".encode()
        )
        assert metadata["image/png"] == {"alt": alt} and data["text/plain"] == f"Figure: {alt}"
        assert "application/vnd.jupyter.widget-view+json" in data
        assert live.get_state("still")["still"]["data"]["text/plain"] == f"Figure: {alt}", (
            "the page has it to save"
        )


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
