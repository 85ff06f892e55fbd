"""Lesson 10 invites a reader's own bot to its live ladder: that runs as it is written, ladder and figure included."""

import ast
import re

import pytest

from rlcourse import load_agent
from rlcourse.agents import make_agent, save_agent
from rlcourse.games import get_game
from rlcourse.round_robin import round_robin
from tests.notebooks.reading import ROOT, read

SECTION = ("board", "live", "live-claim", "load", "live-figure")


def statements(text: str) -> list[ast.stmt]:
    """The assignments and calls that a cell of text writes in `code`."""
    found = []
    for span in re.findall(r"`([^`\n]+)`", text):
        try:
            tree = ast.parse(span)
        except SyntaxError:
            continue
        found += [node for node in tree.body if isinstance(node, ast.Assign)]
    return found


def accepted(source: str, invitation: list[ast.stmt]) -> str:
    """The cell with the invitation's lines in place of those that assign the same names, or first."""
    body = ast.parse(source).body
    for said in invitation:
        assigned = [isinstance(node, ast.Assign) and ast.dump(node.targets[0]) for node in body]
        name = ast.dump(said.targets[0])
        if name in assigned:
            body[assigned.index(name)] = said
        else:
            body.insert(0, said)
    return ast.unparse(ast.Module(body, type_ignores=[]))


@pytest.fixture
def lesson():
    return {cell.id: cell.source for cell in read(ROOT / "notebooks" / "10_tournament.ipynb").cells}


def two_games(players, **options):
    """The lesson's round robin in little: two games of each pair, and random play in place of all but the guest."""
    stand_ins = {name: make_agent("random", get_game("connect-four")) for name in players}
    return round_robin(stand_ins | {"mine": players["mine"]}, **options | {"games": 2})


def run(lesson, invitation):
    """The cells of section 3, one after the other, with the invitation accepted."""
    names = {"round_robin": two_games}
    exec("from rlcourse import plots\nimport numpy as np", names)  # as in the cells above
    for cell in SECTION:
        exec(accepted(lesson[cell], invitation if cell == "live" else []), names)
    return names


@pytest.mark.slow
def test_the_invitation_of_the_ladder_runs_as_it_is_written(lesson, tmp_path, monkeypatch, capsys):
    invitation = statements(lesson["s3"])
    assert len(invitation) == 1
    save_agent(load_agent("connect-four/alphazero").with_simulations(0), tmp_path / "my-bot.h5")
    monkeypatch.chdir(tmp_path)
    names = run(lesson, invitation)
    assert "mine" in names["fresh"].names and len(names["fresh"].names) == len(names["chosen"]) + 1
    assert " mine " in capsys.readouterr().out


@pytest.mark.slow
def test_a_bot_of_another_game_is_told_so(lesson, tmp_path, monkeypatch):
    save_agent(load_agent("tic-tac-toe/q-table"), tmp_path / "my-bot.h5")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="connect-four.*tic-tac-toe: they cannot meet"):
        run(lesson, statements(lesson["s3"]))
