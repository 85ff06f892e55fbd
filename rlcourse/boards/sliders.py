"""A picture with sliders: `sliders(draw, temperature=(0.1, 1.0, 10.0), mask=False)`.

A page without a kernel shows the still picture at the start values.
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
    """Controls and the picture that `draw(**values)` returns, redrawn at every change.

    A picture has `png` (bytes) and `alt` (text), as `rlcourse.plots.picture(fig, alt)` does. An
    error in `draw` is shown in place of the picture; the controls stay usable.
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
        values = {}
        for name, control in self._controls.items():
            value = control.value
            if name in self._whole:
                value = round(value)
            elif isinstance(value, float):
                value = float(f"{value:.10g}")  # a slider adds steps and collects their errors
            values[name] = value
        return values

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

    (low, start, high) is a slider: integer if all three are, logarithmic if high is at least 50
    times low. True or False is a check box. A name such as win_rate is shown as "win rate".
    """
    whole = frozenset(name for name, value in controls.items() if _is_whole(value))
    boxes = {
        name: _control(name.replace("_", " "), value, name in whole)
        for name, value in controls.items()
    }
    return SliderPicture(draw, boxes, whole)


def _is_whole(value: tuple[float, float, float] | bool) -> bool:
    return not isinstance(value, bool) and all(isinstance(number, int) for number in value)


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
        # The page would move a start that lies between two steps.
        step = 10.0 ** floor(log10((high - low) / 20))
        if not isclose((start - low) / step, round((start - low) / step), abs_tol=1e-6):
            raise ValueError(
                f"the start of {name!r} is to lie a whole number of steps of {step:g} above {low}; "
                f"got {start}"
            )
        slider = widgets.FloatSlider(start, min=low, max=high, step=step, readout_format=".2f")
    slider.description, slider.style, slider.layout = name, style, wide
    return slider


def _log_step(low: float, start: float, high: float) -> float:
    """The step in powers of ten, about a hundredth of the range; the start lies on a step."""
    if start == low:
        return log10(high / low) / STEPS
    return log10(start / low) / max(1, round(STEPS * log10(start / low) / log10(high / low)))


def _still(picture: Any) -> dict[str, Any]:
    bundle = {
        "image/png": base64.b64encode(picture.png).decode("ascii"),
        "text/plain": f"Figure: {picture.alt}",
    }
    return {"data": bundle, "metadata": {"image/png": {"alt": picture.alt}}}


def _tag(picture: Any) -> str:
    source = f"data:image/png;base64,{base64.b64encode(picture.png).decode('ascii')}"
    return f'<img src="{source}" alt="{escape(picture.alt)}" style="max-width: 100%">'
