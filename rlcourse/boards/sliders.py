"""A picture with sliders: `sliders(draw, temperature=(0.1, 1.0, 10.0), mask=False)`. The still picture at the start values
stands behind it, so that a page without a kernel shows one, too.
"""

import base64
from collections.abc import Callable
from html import escape
from math import floor, isclose, log10
from typing import Any

import ipywidgets as widgets
import traitlets

from rlcourse.boards.widget import with_still

STEPS = 100  # of a logarithmic slider


class SliderPicture(widgets.VBox):
    """The controls, and below them the picture that `draw(**values)` gives, drawn anew at every change.

    draw returns a picture with `png` (bytes) and `alt` (text), such as `rlcourse.plots.picture(fig, alt)`. An error that it
    raises is shown in the picture's place; the controls stay usable.
    """

    still = traitlets.Dict().tag(sync=True)  # the picture last drawn: `data` and `metadata` by type

    def __init__(
        self,
        draw: Callable[..., Any],
        controls: dict[str, widgets.Widget],
        whole: frozenset[str] = frozenset(),
    ) -> None:
        self._draw, self._controls, self._whole = draw, controls, whole
        picture = draw(**self.values)
        self._place = widgets.HTML(_tag(picture))
        super().__init__([*controls.values(), self._place])
        self.still = _still(picture)
        self.add_class("rl-sliders")
        for control in controls.values():
            control.observe(self._redraw, names="value")

    @property
    def values(self) -> dict[str, Any]:
        """The controls' values by name."""
        values = {name: control.value for name, control in self._controls.items()}
        rounded = {
            name: float(f"{value:.10g}")
            for name, value in values.items()
            if isinstance(value, float)
        }
        return {**values, **rounded, **{name: round(values[name]) for name in self._whole}}

    def _redraw(self, _: Any) -> None:
        try:
            picture = self._draw(**self.values)
            self._place.value, self.still = _tag(picture), _still(picture)
        except Exception as error:  # noqa: BLE001 - the page must say it, wherever it comes from
            self._place.value = f"<p role='alert'>{escape(f'{type(error).__name__}: {error}')}</p>"

    def _repr_mimebundle_(self, **more: Any) -> Any:
        return with_still(super()._repr_mimebundle_(**more), self.still)


def sliders(
    draw: Callable[..., Any], **controls: tuple[float, float, float] | bool
) -> SliderPicture:
    """A picture with one control for each argument of `draw`; see SliderPicture.

    (low, start, high) is a slider: of whole numbers when all three are, logarithmic when high is 50 times low or more.
    True or False is a box to tick. A name such as win_rate is shown as "win rate".
    """
    whole = frozenset(
        name for name, value in controls.items() if not isinstance(value, bool) and _is_whole(value)
    )
    made = {
        name: _control(name.replace("_", " "), value, name in whole)
        for name, value in controls.items()
    }
    return SliderPicture(draw, made, whole)


def _is_whole(value: tuple[float, float, float]) -> bool:
    return all(isinstance(number, int) for number in value)


def _control(name: str, value: tuple[float, float, float] | bool, whole: bool) -> widgets.Widget:
    style, wide = {"description_width": "9em"}, widgets.Layout(width="32em")
    if isinstance(value, bool):
        return widgets.Checkbox(value, description=name, indent=True, style=style)
    low, start, high = value
    if not low <= start <= high or low == high:
        raise ValueError(f"a slider is (low, start, high) in this order; got {value} for {name!r}")
    if low > 0 and high >= 50 * low:
        slider = widgets.FloatLogSlider(
            start,
            min=log10(low),
            max=log10(high),
            step=_log_step(low, start, high),
            readout_format=",.0f" if whole else ".2f",
        )
    elif whole:
        slider = widgets.IntSlider(start, min=low, max=high)
    else:
        step = 10.0 ** floor(
            log10((high - low) / 20)
        )  # the page moves a start that lies between two steps
        if not isclose((start - low) / step, round((start - low) / step), abs_tol=1e-6):
            raise ValueError(
                f"the start of {name!r} is to lie a whole number of steps of {step:g} above {low}; got {start}"
            )
        slider = widgets.FloatSlider(start, min=low, max=high, step=step, readout_format=".2f")
    slider.description, slider.style, slider.layout = name, style, wide
    return slider


def _log_step(low: float, start: float, high: float) -> float:
    """About a hundredth of the way, in powers of ten, such that the start lies on a step: the page moves it to one."""
    if start == low:
        return log10(high / low) / STEPS
    return log10(start / low) / max(1, round(STEPS * log10(start / low) / log10(high / low)))


def _still(picture: Any) -> dict[str, Any]:
    data = {
        "image/png": base64.b64encode(picture.png).decode("ascii"),
        "text/plain": f"Figure: {picture.alt}",
    }
    return {"data": data, "metadata": {"image/png": {"alt": picture.alt}}}


def _tag(picture: Any) -> str:
    data = base64.b64encode(picture.png).decode("ascii")
    return f'<img src="data:image/png;base64,{data}" alt="{escape(picture.alt)}" style="max-width: 100%">'
