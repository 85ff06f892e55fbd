"""What `attempt` says of a figure: what is there, what the task asks for and is not there."""

import re
from io import BytesIO

import matplotlib as mpl
import nbformat
import numpy as np
import pytest
from matplotlib import pyplot as plt

from rlcourse.checks import get_sheet, sheet_numbers
from rlcourse.checks.figures import comment, drawn_by
from rlcourse.checks.sheet import Sheet
from rlcourse.checks.task import Asked, ManualTask
from tests.grading.course import Course

ASKED = Asked(curves=(2, 3), spreads=(2, 0), points=6, log="x")
X = np.array([1, 3, 10, 30, 100, 300])
INLINE = "module://matplotlib_inline.backend_inline"  # JupyterLab's: show() closes what it shows
COMPLETE = "The figure has 2 panels, 5 curves and 2 bands or rows of error bars.\n"
ENOUGH = "Nothing that is counted is missing."


@pytest.fixture(autouse=True, params=["agg", INLINE])
def backend(request):
    """Each test with a backend that leaves figures open, and with one that closes them."""
    before = mpl.get_backend()
    plt.switch_backend(request.param)
    yield
    plt.switch_backend(before)


def draw(change=lambda axes: None, **options):
    """A figure of two panels that has all that ASKED asks for, but for what `change` takes away."""
    x = options.pop("x", X)
    figure, axes = plt.subplots(1, 2, **options)
    for panel, names in zip(axes, (("a", "b"), ("a", "b", "c")), strict=True):
        for place, name in enumerate(names):
            panel.plot(x, x + place, label=name)
        panel.set(xscale="log", xlabel="games", ylabel="error")
        panel.legend()
    for place in range(2):
        axes[0].fill_between(x, x - 1, x + place, alpha=0.3)
    figure.suptitle("The larger the later")
    change(axes)
    plt.show()


def said(function, asked=ASKED):
    return comment(drawn_by(function), asked)


def test_a_figure_that_has_everything():
    assert said(draw) == COMPLETE + ENOUGH


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        (lambda axes: axes[0].set_ylabel(""), "a label on the y axis (panel 1)"),
        (lambda axes: axes[1].set_xlabel(""), "a label on the x axis (panel 2)"),
        (lambda axes: axes[0].set_xscale("linear"), "a logarithmic x axis (panel 1)"),
        (lambda axes: axes[0].figure.suptitle(""), "a title that states what you found"),
        (
            lambda axes: axes[1].lines[0].remove(),
            "curves: there are 2 of 3 (panel 2)",
        ),
        (
            lambda axes: axes[0].collections[0].remove(),
            "bands or error bars: there are 1 of 2 (panel 1)",
        ),
        (
            lambda axes: [axes[0].legend(["a"]), axes[1].get_legend().remove()],
            "names: a legend tells 1 of 2 curves (label=..., then plt.legend()) (panel 1)",
        ),
        (lambda axes: axes[1].remove(), "1 more panel"),
    ],
)
def test_one_thing_is_missing(change, missing):
    assert f"\nMissing: {missing}" in said(lambda: draw(change))


def test_only_what_is_asked_is_missing():
    """Few points, an empty panel, no figure at all, and a figure without anything else."""
    assert said(lambda: draw(x=X[:3])).endswith(
        "\nMissing: curves of at least 6 points (panel 1); curves of at least 6 points (panel 2)."
    )
    assert said(lambda: draw(lambda axes: axes[1].clear())).endswith(
        "\nMissing: all curves (panel 2): the axes are empty."
    )
    assert said(lambda: None).startswith("There is no figure yet.")
    assert said(plt.figure).startswith("There is no figure yet.")
    assert said(lambda: plt.plot(X), Asked(curves=(1,))) == (
        "The figure has 1 panel, 1 curve.\n"
        "Missing: a label on the x axis; a label on the y axis; a title that states what you found."
    )


@pytest.mark.parametrize(
    "curve",
    [
        lambda: plt.errorbar(X, X, yerr=X / 2, capsize=3, label="a"),
        lambda: [plt.plot(X, X, label="a"), plt.vlines(X, X / 2, X)],
        lambda: [plt.scatter(X, X, label="a"), plt.fill_between(X, X)],
        lambda: [*(plt.plot([x], [x], "ko") for x in X), plt.fill_between(X, X)],
        lambda: plt.bar(X, X, yerr=X / 2, label="a"),
    ],
)
def test_curves_and_spreads_of_every_kind(curve):
    def function():
        curve()
        plt.title("Found"), plt.xlabel("x"), plt.ylabel("y")
        plt.show()

    asked = Asked(curves=(1,), spreads=(1,), points=6)
    assert said(function, asked) == (
        f"The figure has 1 panel, 1 curve and 1 band or row of error bars.\n{ENOUGH}"
    )


def test_labels_of_shared_axes_and_names_elsewhere_count():
    """The y axis of the left panel, one legend for both panels, names written beside the curves."""

    def shared(axes):
        axes[1].set_ylabel("")
        axes[0].legend([*axes[1].lines], ["a", "b", "c"])
        axes[1].get_legend().remove()

    assert said(lambda: draw(shared, sharey=True)) == COMPLETE + ENOUGH

    def beside(axes):
        for panel in axes:
            panel.get_legend().remove()
            for line in panel.lines:
                panel.annotate(line.get_label(), (300, 300))

    assert said(lambda: draw(beside)) == COMPLETE + ENOUGH


def test_single_points_in_two_colours_are_two_curves():
    def function():
        for x in X:
            plt.plot(x, x, "ko")
            plt.plot(x, 2 * x, "rs")
        plt.show()

    assert said(function).startswith("The figure has 1 panel, 2 curves.")


def test_blanks_are_no_label_and_no_title():
    def blank(axes):
        axes[0].figure.suptitle(" ")
        axes[1].set_xlabel(" ")

    lacks = "a label on the x axis (panel 2); a title that states what you found."
    assert said(lambda: draw(blank)).endswith(f"Missing: {lacks}")


def test_of_a_panel_that_is_not_asked_for_only_labels_are_asked():
    def function():
        draw()
        plt.figure()
        plt.plot(X, X)
        plt.show()

    lacks = "a label on the x axis (panel 3); a logarithmic x axis (panel 3); "
    lacks += "a label on the y axis (panel 3)."
    both = "The 2 figures have 3 panels, 6 curves and 2 bands or rows of error bars.\n"
    assert said(function) == f"{both}Missing: {lacks}"


def test_a_figure_that_is_closed_before_it_is_shown_is_none():
    def drawn_and(after):
        plt.plot(X, X)
        after()
        plt.close("all")

    assert said(lambda: drawn_and(lambda: None)).startswith("There is no figure yet.")
    for show in (lambda: plt.show(), lambda: plt.gcf().canvas.print_figure(BytesIO())):
        assert said(lambda show=show: drawn_and(show)).startswith("The figure has 1 panel")


def test_the_name_of_a_band_names_no_curve():
    def function():
        plt.plot(X, X), plt.plot(X, 2 * X), plt.fill_between(X, X, label="quartiles")
        plt.legend()

    assert "a legend tells 0 of 2 curves" in said(function, Asked(curves=(2,)))


def test_a_colour_bar_and_a_second_y_axis_are_no_panels():
    def function():
        dots = plt.scatter(X, X, c=X)
        plt.colorbar(dots)
        plt.gca().twinx().plot(X, X)
        plt.show()

    assert said(function).startswith("The figure has 1 panel, 2 curves.")


def test_figures_of_earlier_cells_are_left_out_unless_they_are_drawn_into():
    plt.switch_backend("agg")
    old, other = plt.figure(), plt.figure()
    draw()
    plt.figure(old)
    assert said(draw) == COMPLETE + ENOUGH
    assert drawn_by(lambda: other.gca().plot(X)) == [other]
    assert plt.gcf() is not other


def attempt(function, capsys):
    """What an attempt prints, and the state in the table."""
    item = ManualTask("experiment", 12, 20, 2, figure=ASKED)
    sheet = Sheet("51", "Own", (), (item,))
    sheet.attempt("experiment", function)
    return capsys.readouterr().out, repr(sheet.summary())


def test_attempt_tells_a_blank_a_figure_and_an_error_apart(capsys):
    def blank():
        raise NotImplementedError

    def wrong():
        plt.plot([1], [2, 3])

    def talks():
        print("ab\ncd\n" * 6666 + "abc")

    def stopped():
        raise KeyboardInterrupt("stopped by hand")

    assert attempt(blank, capsys)[0] == "experiment (12 points): not started.\n"
    text, table = attempt(wrong, capsys)
    assert text.startswith("experiment (12 points): raised an error.\nValueError: x and y must")
    assert "raised an error; marked by hand" in table
    text, _ = attempt(talks, capsys)
    assert len(text) < 21_000
    assert "Your function printed 40,000 characters; the first 20,000 are shown." in text
    text, table = attempt(stopped, capsys)
    assert text.startswith(
        "experiment (12 points): raised an error.\nKeyboardInterrupt: stopped by"
    )
    text, table = attempt(draw, capsys)
    assert text.endswith(COMPLETE.replace("The", "experiment (12 points): The") + ENOUGH + "\n")
    assert " marked by hand" in table and "error" not in table


@pytest.mark.parametrize("number", sheet_numbers())
def test_the_axes_that_a_text_wants_logarithmic_are_asked_for(number):
    (item,) = (item for item in get_sheet(number).manual if item.figure)
    cells = nbformat.read(Course(number).source, 4).cells
    (text,) = (cell.source for cell in cells if cell.id == "experiment-text")
    text = re.sub(r"!\[[^\]]*\]", "", text)
    both = re.search(r"(both axes|two) logarithmic", text)
    assert item.figure.log == ("xy" if both else "x" if "logarithmic" in text else "")
