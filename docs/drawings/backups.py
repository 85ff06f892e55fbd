"""Backup diagrams, the eligibility trace, and the points of view.

As in Sutton and Barto (2018): an open circle is a state, a dot an action, a square the end of an
episode. What a target takes from an estimate is blue, what it takes from rewards orange.
"""

from math import cos

from docs.drawings.parts import action, arrow, box, brace, end, label, line, sheet, state, tag

STEP = 26


def _chain(x: float, y: float, steps: int, *, ended: bool, gap: float = STEP) -> tuple[str, float]:
    """State, action, state, ... downwards from (x, y); the last state is an estimate, or the end.
    Also its height.
    """
    below, body = y, [state(x, y, r=9)]
    for step in range(steps):
        body.append(line((x, below + 9), (x, below + gap)))
        body.append(line((x, below + gap), (x, below + 2 * gap - 9), colour="second", width=4))
        body.append(action(x, below + gap, r=4.5))
        below += 2 * gap
        last = step == steps - 1
        if last and ended:
            body.append(end(x, below, reach=9, fill="second"))
        else:
            look = {"fill": "first", "stroke": "first"} if last else {}
            body.append(state(x, below, r=9, **look))
    return "".join(body), below


def prediction() -> str:
    """TD(0) beside Monte Carlo."""
    one, low = _chain(80, 66, 1, ended=False)
    all_, lowest = _chain(330, 66, 3, ended=True)
    body = [
        label(130, 22, "TD(0)", bold=True),
        label(385, 22, "Monte Carlo", bold=True),
        one,
        all_,
        label(100, 66, "s is updated", anchor="start"),
        label(100, 92, "reward r", anchor="start"),
        label(100, low, "estimate V(s′)", anchor="start"),
        label(350, 66, "s is updated", anchor="start"),
        label(350, 66 + 2 * STEP, "all rewards", anchor="start"),
        label(350, lowest, "the end", anchor="start"),
        label(130, 256, "target: r + γ V(s′)"),
        label(385, 256, "target: G, the return"),
        line((254, 14), (254, 268), colour="edge", width=1.5),
        label(130, 186, "one step, then the\nestimate of what follows"),
    ]
    return sheet(
        280,
        "".join(body),
        title="Backup diagrams of TD(0) and Monte Carlo",
        description=(
            "TD(0) looks one step ahead: its target is the reward plus the discounted estimate of "
            "the next state. Monte Carlo follows the episode to its end: its target is the return,"
            " the sum of all discounted rewards."
        ),
    )


def control() -> str:
    """SARSA, Expected SARSA, Q-learning and minimax-Q: what each takes from the next state."""
    kinds = (
        (66, "SARSA", "the action\nthat is taken", "", (0,)),
        (196, "Expected\nSARSA", "the mean\nunder π", "Σ π", (-1, 0, 1)),
        (326, "Q-learning", "the best\naction", "max", (-1, 0, 1)),
        (456, "Minimax-Q", "the opponent's\nbest action", "min", (-1, 0, 1)),
    )
    body = []
    for x, name, words, mark, branches in kinds:
        body.append(label(x, 28, name, bold=True))
        body.append(action(x, 66) + line((x, 73), (x, 107), colour="second", width=3))
        body.append(state(x, 118, r=11, fill="box" if mark == "min" else "ground"))
        for k in branches:
            foot = x + 34 * k, 176
            body.append(line((x + 8 * k, 118 + 11 * cos(0.6 * k)), foot))
            body.append(action(*foot, fill="first"))
        if mark:
            arc = f"M{x - 17:g} 147Q{x:g} 160 {x + 17:g} 147"
            body.append(tag("path", d=arc, fill="none", stroke_width=2, class_="s-ink"))
            body.append(label(x + 26, 140, mark, anchor="start"))
        body.append(label(x, 214, words))
    body += [
        label(84, 66, "s, a", anchor="start"),
        label(76, 92, "r", anchor="start"),
        label(84, 118, "s′", anchor="start"),
    ]
    body.append(action(110, 256, fill="first"))
    body.append(
        label(124, 256, "an estimate Q(s′, a′) that the target uses", colour="soft", anchor="start")
    )
    return sheet(
        272,
        "".join(body),
        title="Backup diagrams of SARSA, Expected SARSA, Q-learning and minimax-Q",
        description=(
            "All four update Q(s, a) towards the reward r plus an estimate in the next state s′. "
            "SARSA uses the action that is taken there, Expected SARSA the mean over the policy, "
            "Q-learning the maximum, and minimax-Q, where the opponent moves in s′, the minimum."
        ),
    )


def n_step() -> str:
    """From TD(0) over n steps to Monte Carlo."""
    columns = (
        (70, 1, "1 step\nTD(0)"),
        (165, 2, "2 steps\n"),
        (260, 3, "3 steps\n"),
        (450, 5, "to the end\nMonte Carlo"),
    )
    body = []
    for x, steps, name in columns:
        body.append(label(x, 30, name))
        body.append(_chain(x, 70, steps, ended=steps == 5, gap=24)[0])
    body += [label(355, 20, "n steps"), label(355, 150, "…", bold=True)]
    body += [
        line((44, 246), (44, 264), colour="second", width=4),
        label(60, 255, "a reward that was received", colour="soft", anchor="start"),
        state(44, 284, r=9, fill="first", stroke="first"),
        label(60, 284, "the estimate V of the last state", colour="soft", anchor="start"),
    ]
    return sheet(
        330,
        "".join(body),
        title="Backup diagrams of n-step returns",
        description=(
            "Four chains of states and actions, of one, two, three and five steps. The shorter "
            "ones end in an estimate: one step is TD(0). The longest runs to the end of the "
            "episode: Monte Carlo."
        ),
    )


LAM = 0.7


def lambda_return() -> str:
    """The weights of the n-step returns in a lambda-return."""
    columns = (
        (70, 1, "1 step", "1−λ", 1 - LAM),
        (190, 2, "2 steps", "(1−λ) λ", (1 - LAM) * LAM),
        (310, 3, "3 steps", "(1−λ) λ²", (1 - LAM) * LAM**2),
        (440, 4, "to the end", "λ³", LAM**3),
    )
    body = []
    for x, steps, name, weight, share in columns:
        body.append(label(x, 18, name))
        body.append(_chain(x, 48, steps, ended=steps == 4, gap=22)[0])
        tall = 150 * share
        body.append(tag("rect", x=x - 24, y=330 - tall, width=48, height=tall, class_="f-edge"))
        body.append(label(x, 344, weight, bold=True))
    body.append(line((20, 330), (500, 330), colour="soft", width=1.5))
    body.append(label(20, 248, "weight,\nhere for\nλ = 0.7", colour="soft", anchor="start"))
    body.append(brace(20, 500, 360, "the weights add up to 1: a weighted mean"))
    return sheet(
        404,
        "".join(body),
        title="Backup diagram of TD(λ) with the weights of its returns",
        description=(
            "Returns of one, two and three steps and the whole return of an episode of four steps."
            " Below each its weight in the lambda-return: 1−λ, (1−λ)λ, (1−λ)λ², and λ³ for the "
            "whole return. The weights add up to 1."
        ),
    )


def advantages() -> str:
    """Four advantages of one move: how far each looks before the critic speaks."""
    gap, top, plies = 22, 78, 4
    xs = (62, 184, 306, 432)
    names = ("return − V", "TD error", "n-step\n(n = 2)", "GAE(λ)")
    body = [label(x, 30, name, bold=True) for x, name in zip(xs, names, strict=True)]
    chains = ((plies, True), (1, False), (2, False), (plies, True))
    for x, (steps, ended) in zip(xs, chains, strict=True):
        body.append(_chain(x, top, steps, ended=ended, gap=gap)[0])
        body.append(state(x, top, r=11, fill="second-tint", stroke="second"))
    # In GAE the critic speaks of every later position, and each answer has a weight.
    for k, weight in enumerate(("1−λ", "(1−λ) λ", "(1−λ) λ²"), 1):
        y = top + 2 * gap * k
        body.append(state(xs[3], y, r=9, fill="first", stroke="first"))
        body.append(label(xs[3] + 16, y, weight, anchor="start"))
    body.append(label(xs[3] + 16, top + 2 * gap * plies, "λ³", anchor="start"))
    notes = ("no bias,\nmost noise", "critic's bias,\nleast noise", "between", "between")
    body += [label(x, 290, note, colour="soft") for x, note in zip(xs, notes, strict=True)]
    body += [
        line((16, 320), (504, 320), colour="edge", width=1.5),
        state(30, 342, r=11, fill="second-tint", stroke="second"),
        label(48, 342, "the position whose move is judged", anchor="start", colour="soft"),
        state(30, 370, r=9, fill="first", stroke="first"),
        label(48, 370, "the critic speaks", anchor="start", colour="soft"),
        end(262, 370, reach=9, fill="second"),
        label(278, 370, "the result of the game", anchor="start", colour="soft"),
    ]
    return sheet(
        390,
        "".join(body),
        title="Backup diagrams of four advantages",
        description=(
            "Four chains of plies from the same position. Return less value runs to the end of "
            "the game: no bias, most noise. The TD error goes one ply and takes the critic's "
            "value there: the critic's bias, least noise. An n-step advantage with n = 2 goes two "
            "plies. GAE takes all of them, the first with weight 1−λ, then (1−λ)λ and (1−λ)λ², "
            "and the end of the game with what is left, λ³."
        ),
    )


def eligibility_trace() -> str:
    """The shares of the visited states in a TD error."""
    body, xs = [], [60 + 76 * k for k in range(6)]
    body.append(line((30, 140), (470, 140), colour="soft", width=1.5))
    for k, x in enumerate(xs):
        ago = 5 - k
        tall = 104 * LAM**ago
        body.append(tag("rect", x=x - 18, y=140 - tall, width=36, height=tall, class_="f-first"))
        body.append(label(x, 128 - tall, ("1", "γλ", "(γλ)²", "(γλ)³", "(γλ)⁴", "(γλ)⁵")[ago]))
        last = ago == 0
        body.append(
            state(
                x,
                168,
                r=13,
                fill="second" if last else "ground",
                stroke="second" if last else "ink",
            )
        )
        if k:
            body.append(arrow((xs[k - 1] + 14, 168), (x - 14, 168)))
    body += [
        label(56, 24, "trace e", colour="soft"),
        label(xs[-1], 200, "δ, here"),
        arrow((xs[-1] - 34, 202), (xs[0] - 10, 202), colour="second"),
        label(226, 224, "every visited state gets α δ e"),
    ]
    return sheet(
        244,
        "".join(body),
        title="The eligibility trace of the visited states",
        description=(
            "Six states visited one after the other. The present one has the trace 1, the one "
            "before γλ, then (γλ)², and so on: the bars shrink. When a TD error δ occurs at the "
            "present state, every visited state moves by α times δ times its trace."
        ),
    )


def points_of_view() -> str:
    """The four conventions of the notation page on one game that X wins."""
    columns, rows = (266, 356, 446), (84, 136, 188, 240)
    body = [
        label(x, 40, words)
        for x, words in zip(
            columns, ("X moves\nnext", "O moves\nnext", "X moves\nnext"), strict=True
        )
    ]
    body.append(label(12, 40, "Value for …", anchor="start", bold=True))
    table = (
        ("the first player", ("+0.8", "+0.8", "+0.8")),
        ("the player to move", ("+0.8", "−0.8", "+0.8")),
        ("the player who rolls next,\nas a probability", ("90%", "10%", "90%")),
    )
    for y, (name, numbers) in zip(rows, table, strict=False):
        body.append(label(12, y, name, anchor="start"))
        for x, number in zip(columns, numbers, strict=True):
            bad = number in ("−0.8", "10%")
            body.append(box(x, y, 78, 40, number, fill="bad-tint" if bad else "good-tint"))
    body.append(label(12, rows[3], "nobody in particular", anchor="start"))
    body.append(box(356, rows[3], 258, 40, "one learner, no opponent"))
    return sheet(
        272,
        "".join(body),
        title="Four points of view on one game that X is about to win",
        description=(
            "A table. Value for the first player: +0.8 whoever moves next. For the player to move:"
            " +0.8, −0.8, +0.8, the sign changes at every ply. For the player who rolls next, as a"
            " probability: 90%, 10%, 90%. For nobody in particular: one learner, no opponent."
        ),
    )


def trajectory() -> str:
    """A whole game: the policy chooses in its states, and the rules lead to the next one."""
    y, states, actions = 104, ((40, "s₀"), (248, "s₁")), ((144, "a₀"), (352, "a₁"))
    body = [label(12, 18, "the policy, which contains θ", anchor="start", bold=True)]
    body.append(label(12, 190, "the rules, which do not", anchor="start", bold=True))
    for (x, name), (next_x, action_name) in zip(states, actions, strict=True):
        number = name[1]
        body.append(state(x, y, name, r=20, fill="first-tint", stroke="first"))
        body.append(box(next_x, y, 40, 34, action_name))
        body.append(arrow((x + 21, y), (next_x - 21, y), colour="first", width=3))
        body.append(label((x + next_x) / 2, 56, f"π(a{number} | s{number})"))
    body += [
        arrow((165, y), (227, y)),
        label(196, 152, "P(s₁ | s₀, a₀)"),
        arrow((373, y), (439, y)),
        label(406, 152, "P(end | s₁, a₁)"),
        end(452, y),
    ]
    return sheet(
        208,
        "".join(body),
        title="A trajectory and the factors of its probability",
        description=(
            "A chain from state s0 by action a0 to state s1, by action a1 to the end. The steps "
            "from a state to an action have the factor π, the policy, which contains θ. The steps "
            "from an action to the next state have the factor P, the rules, which do not."
        ),
    )
