"""The loops that open a lesson: true to the stored run, at most 20 s, and still where nothing should move."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from docs.drawings.openings import openings
from docs.drawings.openings.chance import forecast, forecasts, trace, traces
from docs.drawings.openings.go import TAKING, go_game, go_player, policy_gradient
from docs.drawings.openings.loop import Loop, film, still
from docs.drawings.openings.search import GROWTH, alphazero, half_minute, tree, trees
from docs.drawings.openings.tictactoe import deep_q, game, perfect_game
from docs.drawings.parts import label
from rlcourse.games import from_recipe, get_game
from rlcourse.results import load_results
from rlcourse.solvers.bearoff import win_probability
from rlcourse.solvers.tictactoe import codes_of, solve
from tests.notebooks.drawn import FIGURES, SVG, foreign, misplaced
from tests.notebooks.reading import NOTEBOOKS, read

GO = get_game("go", size=5)
FILES = sorted(FIGURES.glob("opening-*.svg"))
LOOPS = [path for path in FILES if not path.stem.endswith("-still")]
MOST_SECONDS, MOST_BYTES = 20, 400_000
MOVING = re.compile(r"@media \(prefers-reduced-motion:no-preference\)\{.*\}\}", re.DOTALL)


def frames(loop: str) -> list[str]:
    """The loop with one frame after the other as its only one."""
    alone = []
    for k in range(len(ET.fromstring(loop).findall(f"{SVG}g"))):
        root = ET.fromstring(loop)
        for j, frame in enumerate(root.findall(f"{SVG}g")):
            if j != k:
                root.remove(frame)
        alone.append(ET.tostring(root, encoding="unicode"))
    return alone


def faults(loop: str) -> list[str]:
    """Where it is too long, moves though it was asked not to, or does not stand still on one frame."""
    seconds = [float(number) for number in re.findall(r"animation:one ([\d.]+)s", loop)]
    errors = [] if seconds and seconds[0] <= MOST_SECONDS else ["too long"]
    errors += ["moves always"] if "animation" in MOVING.sub("", loop) else []
    names = [frame.get("class").split() for frame in ET.fromstring(loop).findall(f"{SVG}g")]
    hidden = ".frame{visibility:hidden}.last{visibility:visible}" in loop
    once = sum("last" in name for name in names) == 1 and all("frame" in name for name in names)
    return errors + ([] if hidden and once else ["not one still frame"])


@pytest.mark.parametrize("path", LOOPS, ids=lambda path: path.stem)
def test_a_loop_is_short_and_can_stand_still(path) -> None:
    loop = path.read_text(encoding="utf-8")
    assert not faults(loop) and not foreign(loop) and path.stat().st_size < MOST_BYTES
    assert [fault for frame in frames(loop) for fault in misplaced(frame)] == []


def test_faults_are_noticed() -> None:
    loop = Loop([label(50, 50, "one"), label(50, 50, "two")], "", 1, 100, "T", "D")
    good = film(loop)
    assert not faults(good) and len(frames(good)) == 2
    assert faults(film(loop._replace(beat=7))) == ["too long"]
    assert faults(good.replace("no-preference", "reduce")) == ["moves always"]
    assert faults(good.replace("frame last", "frame k1")) == ["not one still frame"]


def labels(drawing: str) -> list[str]:
    return [text.text for text in ET.fromstring(drawing).iter(f"{SVG}text")]


@pytest.mark.parametrize("path", LOOPS, ids=lambda path: path.stem)
def test_the_still_is_the_last_frame_and_small(path) -> None:
    drawing = path.with_name(f"{path.stem}-still.svg").read_text(encoding="utf-8")
    assert labels(drawing) == labels(frames(path.read_text(encoding="utf-8"))[-1])
    assert not foreign(drawing) and "animation" not in drawing and "visibility" not in drawing
    assert float(ET.fromstring(drawing).get("height")) <= 100


def unstilled(text: str) -> list[str]:
    """The loops of a text whose box does not keep the still in its summary, which stays when the
    box is closed.
    """
    boxes = re.findall(r"<details open>(.*?)</details>", text, re.DOTALL)
    lacking = []
    for name in re.findall(r"\]\(figures/(opening-\d\d\w?)\.svg\)", text):
        summaries, folded = [], []
        for box in boxes:
            summary, _, rest = box.partition("</summary>")
            summaries += re.findall(r"\]\(figures/([\w-]+)\.svg\)", summary)
            folded += re.findall(r"\]\(figures/([\w-]+)\.svg\)", rest)
        if f"{name}-still" not in summaries or name not in folded:
            lacking.append(name)
    return lacking


def test_a_closed_box_leaves_the_still() -> None:
    shown = []
    for path in NOTEBOOKS:
        text = "\n\n".join(c.source for c in read(path).cells if c.cell_type == "markdown")
        assert unstilled(text) == [], path.name
        shown += re.findall(r"\]\(figures/(opening-\d\d\w?)\.svg\)", text)
    assert sorted(shown) == [path.stem for path in LOOPS]


def test_a_loop_without_a_still_in_its_summary_is_noticed() -> None:
    still_, loop = "![a](figures/opening-04-still.svg)", "![b](figures/opening-04.svg)"
    box = "<details open><summary>A loop.\n\n{}\n\n</summary>\n\n{}\n\n</details>"
    assert unstilled(box.format(still_, loop)) == []
    assert unstilled(box.format("", still_ + loop)) == ["opening-04"]
    assert unstilled(box.format(still_ + loop, "")) == ["opening-04"]
    assert unstilled(loop) == ["opening-04"]


def minimax(position, known) -> int:
    """The result for X under best play by both sides."""
    if position.is_over():
        return position.winner()
    if position not in known:
        after = [minimax(position.apply_move(move), known) for move in position.legal_moves()]
        known[position] = max(after) if position.next_player == 0 else min(after)
    return known[position]


def test_the_values_of_the_first_game_are_those_of_minimax() -> None:
    views, known = perfect_game(), {}
    for view in views:
        for move in np.flatnonzero(~np.isnan(view.values)):
            assert view.values[move] == minimax(view.position.apply_move(int(move)), known)
    looked = [view.position for view in views if not np.isnan(view.values).all()]
    assert len(looked) == 4 and all(position.next_player == 0 for position in looked)
    assert [minimax(position, known) for position in looked] == [0, 0, 1, 1]
    assert film(game(views)) == (FIGURES / "opening-00.svg").read_text(encoding="utf-8")


def counts_shown(number: str) -> list[list[int]]:
    """The large numbers of each frame of a lesson's loop."""
    loop = (FIGURES / f"opening-{number}.svg").read_text(encoding="utf-8")
    shown = []
    for frame in ET.fromstring(loop).findall(f"{SVG}g"):
        large = [text.text for text in frame.findall(f"{SVG}text") if text.get("font-size") == "26"]
        shown.append([int(number.replace(",", "")) for number in large])
    return shown


def test_the_counts_of_the_table_are_those_of_the_stored_run() -> None:
    assert counts_shown("02") == load_results("q-table")["rows"][3]["curve"]


def test_the_network_s_counts_are_stored_and_its_last_values_near_the_truth() -> None:
    [row] = load_results("deep-q-values")["rows"]
    assert counts_shown("03") == [moment["counts"] for moment in row["moments"]]
    assert row["moments"][-1]["counts"][1:] == [0, 4520]
    # X wins at once on square 6; in the corner's game only the centre draws for O.
    for recipe, values in zip(row["positions"], row["moments"][-1]["values"], strict=True):
        exact = solve(0.9).q[codes_of(from_recipe(recipe).board.reshape(1, 9))[0]]
        free = np.isfinite(exact)
        assert np.argmax(np.where(free, values, -2)) == np.nanargmax(exact)
        assert np.abs(np.array(values)[free] - exact[free]).max() < 0.2
    loop = deep_q()
    assert film(loop) == (FIGURES / "opening-03.svg").read_text(encoding="utf-8")
    assert still(loop) == (FIGURES / "opening-03-still.svg").read_text(encoding="utf-8")


def test_the_policies_are_of_a_stored_run_whose_wins_they_show() -> None:
    [row] = load_results("policy-gradient-policies")["rows"]
    [run] = [one for one in load_results("policy-gradient")["rows"] if one["seed"] == row["seed"]]
    shown = {moment["counts"][0]: moment["counts"][1:] for moment in row["moments"]}
    for played, _, _, sampled, greedily, _ in run["curve"]:
        assert shown[played] == [round(1_000 * sampled), round(1_000 * greedily)]
    for moment in row["moments"]:
        for policy, recipe in zip(moment["policies"], row["positions"], strict=True):
            position = from_recipe(recipe)
            assert sum(policy) == pytest.approx(1, abs=0.013)  # 26 rounded numbers
            moves = [GO.move(position, place) for place, share in enumerate(policy) if share]
            assert set(moves) <= set(position.legal_moves())
    capture = from_recipe(row["positions"][1])
    taken = capture.apply_move(GO.move(capture, TAKING))
    assert (sum(capture.captured), sum(taken.captured)) == (0, 1)
    assert np.argmax(row["moments"][-1]["policies"][1]) == TAKING
    loop = policy_gradient()
    assert film(loop) == (FIGURES / "opening-06b.svg").read_text(encoding="utf-8")
    assert still(loop) == (FIGURES / "opening-06b-still.svg").read_text(encoding="utf-8")


def test_the_trace_is_the_one_worked_by_hand() -> None:
    by_hand = [
        [1, 0, 0, 0],
        [0.8, 1, 0, 0],
        [0.64, 0.8, 1, 0],
        [0.512, 1.64, 0.8, 0],
    ]  # rooms D to G
    assert traces()[:4, 3:] == pytest.approx(np.array(by_hand))
    loop = trace(traces())
    assert film(loop) == (FIGURES / "opening-04.svg").read_text(encoding="utf-8")
    assert still(loop) == (FIGURES / "opening-04-still.svg").read_text(encoding="utf-8")


def test_the_critic_s_value_falls_where_its_caption_says() -> None:
    words = [labels(frame) for frame in frames((FIGURES / "opening-07.svg").read_text("utf-8"))]
    shown = [
        next(text for text in frame if text.startswith(("critic", "White has"))) for frame in words
    ]
    values = [float(text.split()[1].replace("\N{MINUS SIGN}", "-")) for text in shown[:-1]]
    assert [frame.count(f"ply {ply}") for ply, frame in enumerate(words[:-1])] == [1] * 29
    assert max(values) > 0.8 and values[26] > 0.6 and values[28] == -0.99
    assert shown[-1] == "White has won" and "ply 50" in words[-1]


def test_the_network_plays_its_likeliest_moves_and_owns_the_board() -> None:
    thoughts, end = go_game()
    after = [thought.position for thought in thoughts[1:]] + [end]
    for thought, later in zip(thoughts, after, strict=True):
        likeliest = thought.policy.argmax()
        assert str(later.moves[len(thought.position.moves)]) == (*POINTS, "pass")[likeliest]
    # Only Black's stones are left, so that every empty region touches Black alone.
    assert set(np.unique(end.board)) == {0, 1} and len(end.moves) == 37
    white = sum(k % 2 == 1 and not move.is_pass for k, move in enumerate(end.moves))
    loop = (FIGURES / "opening-06a.svg").read_text(encoding="utf-8")
    assert f">{white} stones captured<" in loop and ">Black owns 25 points.<" in loop
    assert loop == film(go_player(thoughts, end))


POINTS = [f"{letter}{row}" for row in range(5, 0, -1) for letter in "ABCDE"]


def test_the_forecasts_of_the_race_are_near_the_exact_ones() -> None:
    moments = forecasts()
    judged = 0
    for position, chance, _ in moments[:-1]:
        own = position.checkers[:, :6].astype(int)
        if position.checkers[:, 6:25].any() or own.sum(axis=1).max() > 6:
            continue
        roller = position.next_player
        exact = float(win_probability(own[[roller]], own[[1 - roller]])[0])
        assert chance == pytest.approx(exact if roller == 0 else 1 - exact, abs=0.05)
        judged += 1
    assert judged >= 5 and moments[-1][0].winner() == 1
    assert film(forecast(moments)) == (FIGURES / "opening-05.svg").read_text(encoding="utf-8")


def test_the_policy_finds_the_win_and_overlooks_the_block() -> None:
    [row] = load_results("alphazero-connect-four-policies")["rows"]
    assert counts_shown("09b") == [moment["counts"] for moment in row["moments"]]
    wins, must_block = (from_recipe(recipe) for recipe in row["positions"])
    assert wins.apply_move(3).winner() == 1
    keeps = [move for move in must_block.legal_moves() if not loses(must_block.apply_move(move))]
    assert keeps == [5]
    first, last = (row["moments"][k]["policies"] for k in (0, -1))
    assert first[0][3] < 0.2 and last[0][3] > 0.9 and first[1][5] < 0.2 and last[1][5] < 0.2
    loop = half_minute()
    assert film(loop) == (FIGURES / "opening-09b.svg").read_text(encoding="utf-8")
    assert still(loop) == (FIGURES / "opening-09b-still.svg").read_text(encoding="utf-8")


def loses(position) -> bool:
    """Whether the player to move can win at once."""
    if position.is_over():
        return False
    return any(position.apply_move(move).is_over() for move in position.legal_moves())


def test_the_tree_grows_by_a_position_a_simulation_and_finds_the_edges() -> None:
    roots = trees()
    for simulations, root in zip(GROWTH, roots, strict=True):
        assert sum(root.N.values()) == simulations
        waiting, below = [root], 0
        while waiting:
            children = [*waiting.pop().children.values()]
            below += len(children)
            waiting += children
        assert below <= simulations  # a finished game that is met again adds nothing
    edges = sum(roots[-1].N[a] for a in (1, 3, 5, 7))
    assert edges > 2 * sum(roots[-1].N[a] for a in (2, 6))
    loop = tree(roots)
    assert film(loop) == (FIGURES / "opening-08.svg").read_text(encoding="utf-8")
    assert still(loop) == (FIGURES / "opening-08-still.svg").read_text(encoding="utf-8")


def test_the_search_finds_the_centre_before_the_raw_policy() -> None:
    [row] = load_results("alphazero-policies")["rows"]
    exact = solve().q[codes_of(from_recipe(row["position"]).board.reshape(1, 9))[0]]
    others = np.delete(exact, 4)
    # O loses by every move but the centre.
    assert exact[4] == 0 and (others[np.isfinite(others)] == -1).all()
    moments = row["moments"]
    first = [
        next(k for k, moment in enumerate(moments) if np.argmax(moment["policies"][who]) == 4)
        for who in (0, 1)
    ]
    assert first == [2, 1] and moments[-1]["counts"] == [2_048, 0, 0]
    loop = alphazero()
    assert film(loop) == (FIGURES / "opening-09a.svg").read_text(encoding="utf-8")
    assert still(loop) == (FIGURES / "opening-09a-still.svg").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_loops_are_those_that_the_command_makes() -> None:
    there = {path.stem: path.read_text(encoding="utf-8") for path in FILES}
    assert there == openings(), "run python -m docs.drawings"
