"""A picture with sliders: `sliders(draw, temperature=(0.1, 1.0, 10.0), mask=False)`.

A page without a kernel shows the still picture at the start values.
"""

from base64 import b64encode
from collections.abc import Callable
from html import escape
from math import floor, isclose, log10
from typing import Any

import ipywidgets as widgets
import traitlets

from rlcourse.boards.widget import with_still
from rlcourse.errors import BadValue

STEPS = 100  # of a logarithmic slider


class SliderPicture(widgets.VBox):
    """Controls and the picture that `draw(**values)` returns, redrawn at every change.

    `rlcourse.plots.chart` draws a picture in a few milliseconds, so that it moves with the slider;
    `rlcourse.plots.picture(fig, alt)` takes a good part of a second. An error in `draw` is shown in
    place of the picture; the controls stay usable.
    """

    still = traitlets.Dict().tag(sync=True)  # the picture last drawn: `data` and `metadata` by type

    def __init__(
        self,
        draw: Callable[..., Any],
        controls: dict[str, widgets.Widget],
        whole: frozenset[str] = frozenset(),
    ) -> None:
        self._draw, self._controls, self._whole = draw, controls, whole
        still = _still(draw(**self.values))
        self._place = widgets.HTML(_tag(still["data"]))
        super().__init__([*controls.values(), self._place])
        self.still = still
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
            still = _still(self._draw(**self.values))
            self._place.value, self.still = _tag(still["data"]), still
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
        raise BadValue(f"a slider is (low, start, high) in this order; got {value} for {name!r}")
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
            raise BadValue(
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
    data, metadata = picture._repr_mimebundle_()
    return {"data": data, "metadata": metadata}


def _tag(data: dict[str, str]) -> str:
    """The picture as an <img>, which runs no script, with its words."""
    alt = escape(data["text/plain"].removeprefix("Figure: "))
    if "image/svg+xml" in data:
        source = f"svg+xml;base64,{b64encode(data['image/svg+xml'].encode()).decode('ascii')}"
    else:
        source = f"png;base64,{data['image/png']}"
    return f'<img src="data:image/{source}" alt="{alt}" style="max-width: 100%">'
