"""Drawings of what goes round: agent and environment, the cycle of learning, policy iteration,
AlphaZero.
"""

from itertools import pairwise

from docs.drawings.parts import arrow, label, line, sheet, state, titled


def agent_environment() -> str:
    """The loop of agent and environment."""
    body = [
        titled(
            262, 44, 190, 60, "Agent", "a player: its policy", fill="first-tint", stroke="first"
        ),
        titled(262, 196, 230, 60, "Environment", "rules and opponent"),
        arrow((357, 44), (420, 44), (420, 196), (379, 196), colour="first"),
        label(430, 120, "action a\na move", anchor="start"),
        arrow((147, 208), (92, 208), (92, 32), (165, 32)),
        label(82, 120, "state s′\nposition", anchor="end"),
        arrow((147, 184), (136, 184), (136, 56), (165, 56), colour="second"),
        label(148, 120, "reward r\n+1, 0 or −1 at the end", anchor="start"),
    ]
    return sheet(
        240,
        "".join(body),
        title="The loop of agent and environment",
        description=(
            "The agent sends an action, such as a move, to the environment, which is the rules and"
            " the opponent. The environment answers with the next state, such as a position, and a"
            " reward: +1, 0 or −1 at the end of a game. Then the agent acts again."
        ),
    )


def cycle() -> str:
    """Collect, train, evaluate."""
    boxes = (
        (84, "1 Collect", "play games and\nstore them"),
        (260, "2 Train", "adjust values\nor policy"),
        (436, "3 Evaluate", "judge the\nnew player"),
    )
    body = [titled(x, 50, 144, 76, name, words) for x, name, words in boxes]
    body += [arrow((157, 50), (187, 50)), arrow((333, 50), (363, 50))]
    body.append(arrow((436, 89), (436, 124), (84, 124), (84, 90), colour="first"))
    body.append(label(260, 142, "collect again, with the new player"))
    return sheet(
        162,
        "".join(body),
        title="The cycle of learning: collect, train, evaluate",
        description=(
            "Three boxes in a row: collect (play games and store them), train (adjust values or "
            "policy), evaluate (judge the new player). An arrow leads from the last back to the "
            "first: the new player collects the next games."
        ),
    )


def policy_iteration() -> str:
    """Evaluation and improvement in turn, until neither changes anything."""
    body = [
        label(172, 18, "Evaluation", bold=True),
        label(172, 38, "what is each state worth under π?"),
        state(62, 112, "π", r=24, fill="second-tint", stroke="second"),
        label(96, 112, "a policy", anchor="start"),
        label(248, 112, "its values", anchor="end"),
        state(282, 112, "V", r=24, fill="first-tint", stroke="first"),
        arrow((80, 91), (263, 91), bend=24, colour="first"),
        arrow((263, 133), (80, 133), bend=24, colour="second"),
        label(172, 186, "Improvement", bold=True),
        label(172, 206, "in each state, the best action"),
        line((344, 20), (344, 204), colour="edge", width=1.5),
    ]
    # Sutton and Barto's picture: each step solves one task and undoes a part of the other.
    steps = [(366, 112), (402, 54), (432, 144), (457, 88), (474, 124), (484, 104)]
    body += [
        line((366, 32), (500, 114), colour="first"),
        line((366, 176), (500, 114), colour="second"),
        *(arrow(a, b, width=1.5) for a, b in pairwise(steps)),
        label(410, 32, "V fits π", anchor="start"),
        label(446, 66, "optimal", anchor="start", colour="soft"),
        label(410, 184, "π is greedy", anchor="start"),
    ]
    return sheet(
        222,
        "".join(body),
        title="Policy iteration: evaluation and improvement",
        description=(
            "Evaluation leads from a policy to its values; improvement leads from the values to a "
            "policy that takes the best action in each state. On the right, two lines that meet: "
            "each step reaches one line and leaves the other, until both hold at once: the optimal"
            " policy and its values."
        ),
    )


def alphazero() -> str:
    """What AlphaZero repeats: games by search, a network trained on them, a match that decides."""
    body = [
        titled(110, 52, 196, 78, "1 Self-play", "each move chosen\nby a search"),
        titled(410, 52, 196, 78, "2 Replay", "position s, visits π,\nresult z"),
        titled(
            410,
            190,
            196,
            78,
            "3 Train",
            "p towards π,\nv towards z",
            fill="first-tint",
            stroke="first",
        ),
        titled(110, 190, 196, 78, "4 Gate (optional)", "does the new network\nwin 55%?"),
        arrow((209, 52), (310, 52)),
        label(260, 36, "games"),
        arrow((410, 92), (410, 150)),
        label(422, 121, "minibatch", anchor="start"),
        arrow((311, 190), (210, 190)),
        label(260, 174, "p, v"),
        arrow((110, 150), (110, 92), colour="first"),
        label(122, 121, "yes: it guides the search", anchor="start"),
    ]
    return sheet(
        242,
        "".join(body),
        title="The cycle of AlphaZero",
        description=(
            "Self-play, in which a search chooses each move, fills a replay memory with positions,"
            " visit shares π and results z. Training moves the policy p towards π and the value v "
            "towards z. With a gate, which is optional, the new network must win 55% against the "
            "old one before it guides the search."
        ),
    )
