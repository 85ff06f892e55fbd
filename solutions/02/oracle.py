"""What the tasks of sheet 02 ought to answer, and what each usual slip would answer instead.

Every function has one argument `slip`: "" for the right answer, else the name of a mistake. Only
the grader's side runs this file; while a task is judged its functions are withheld.
"""

from collections.abc import Sequence

import numpy as np

from rlcourse.checks.judging import Narrow, best

SYMBOLS = np.array([".", "X", "O"])
WITHOUT_END = 1e12  # condition of a system of equations from which on rounding decides its solution


def sweep(
    values: np.ndarray,
    probabilities: np.ndarray,
    rewards: np.ndarray,
    terminal: np.ndarray,
    gamma: float,
    slip: str = "",
) -> np.ndarray:
    """One synchronous sweep of value iteration (Sutton & Barto 2018, eq. 4.10).

    values [S]; probabilities, rewards [S, A, S]; terminal [S] bool. Returns the new values
    [S]; finished states have 0.
    """
    gamma = {"gamma": 0.9, "no_gamma": 1.0}.get(slip, gamma)
    if slip in ("bootstrap", "no_end", "kept_end"):
        old = values.astype(float)
    else:
        old = np.where(terminal, 0.0, values)
    if slip == "likeliest":
        probabilities = np.eye(len(values))[probabilities.argmax(axis=2)]
    new = np.zeros(len(values))
    for s in range(len(values)) if slip in ("goes_on", "no_end") else np.flatnonzero(~terminal):
        now = (
            np.where(terminal, 0.0, np.where(np.arange(len(values)) < s, new, old))
            if slip == "in_place"
            else old
        )
        if slip == "plain_rewards":
            q = rewards[s].sum(axis=1) + gamma * probabilities[s] @ now
        elif slip == "mean_rewards":
            q = rewards[s].mean(axis=1) + gamma * probabilities[s] @ now
        elif slip == "last_reward":
            q = (probabilities[s] * (np.where(terminal, 0.0, rewards[s]) + gamma * now)).sum(axis=1)
        elif slip == "late_reward":
            q = (probabilities[s] * gamma * (rewards[s] + now)).sum(axis=1)
        elif slip == "best_next":
            q = np.where(probabilities[s] > 0, rewards[s] + gamma * now, -np.inf).max(axis=1)
        else:
            q = (probabilities[s] * (rewards[s] + gamma * now)).sum(axis=1)
        if slip == "myopic":
            rows = [row.tobytes() for row in np.stack([probabilities[s], rewards[s]], axis=1)]
            q = q[[best((probabilities[s] * rewards[s]).sum(axis=1).tolist(), rows)]]
        new[s] = {
            "average": q.mean(),
            "minimum": q.min(),
            "from_zero": max(0.0, q.max()),
            "never_falls": max(old[s], q.max()),
        }.get(slip, q.max())
    return np.where(terminal, values, new) if slip in ("finished", "kept_end") else new


def choice_probabilities(
    q: np.ndarray,
    visits: np.ndarray,
    legal: np.ndarray,
    player: int,
    epsilon: float,
    *,
    slip: str = "",
) -> np.ndarray:
    """[A]: how often each action is chosen. q [A] for the first player,
    visits [A], legal [A] bool.
    """
    mine = q if player == 0 or slip == "sign" else -q
    if slip == "mask":
        greedy = mine == mine.max()
    elif slip == "zero":
        greedy = mine * legal == (mine * legal).max()
    elif slip == "late_sign" and player == 1 and not legal.all():
        greedy = ~legal
    else:
        best = mine[legal].min() if slip == "worst" else mine[legal].max()
        greedy = legal & (mine == best)
    least = legal & (visits == visits[legal].min())
    if slip == "illegal":
        least = visits == visits.min()
    elif slip == "uniform":
        least = legal
    elif slip == "untried":
        never = legal & (visits == 0)
        least = never if never.any() else legal
    elif slip == "untried_greedy":
        never = legal & (visits == 0)
        least = never if never.any() else greedy
    elif slip == "others":
        rest = legal & ~greedy if (legal & ~greedy).any() else legal
        least = rest & (visits == visits[rest].min())
    elif slip == "weighted":
        least = legal / (1 + visits)
    elif slip == "least_best":
        least = least & (mine == mine[least].max())
    elif slip == "least_of_all":
        rarest = legal & (visits == visits.min())
        least = rarest if rarest.any() else legal
    elif slip == "most" or (slip == "turned_visits" and player == 1):
        least = legal & (visits == visits[legal].max())
    epsilon = {"inverted": 1 - epsilon, "epsilon": 0.1, "never": 0.0}.get(slip, epsilon)
    if slip == "greedy_least":
        greedy = greedy & (visits == visits[greedy].min())
    greedy = _first(greedy) if slip in ("ties", "all_ties") else greedy
    least = _first(least) if slip in ("least_ties", "all_ties") else least
    chances = (1 - epsilon) * greedy / greedy.sum() + epsilon * least / least.sum()
    if slip == "short_list":
        chances = np.append(chances[legal], np.zeros((~legal).sum()))
    return chances


def two_estimates(
    episodes: Sequence[Sequence[tuple[int, float]]], num_states: int, gamma: float, slip: str = ""
) -> tuple[np.ndarray, np.ndarray]:
    """Batch Monte Carlo and batch TD(0) (Sutton & Barto 2018, sec. 6.3), each [S].

    An episode is (state, reward) pairs.
    """
    gamma = 0.9 if slip == "gamma" else gamma
    shifted = [_shifted(episode) for episode in episodes]
    mc_episodes = shifted if slip in ("late", "mc_late") else episodes
    td_episodes = shifted if slip in ("late", "td_late") else episodes
    mc_gamma = 1.0 if slip in ("no_gamma", "mc_no_gamma") else gamma
    td_gamma = 1.0 if slip in ("no_gamma", "td_no_gamma") else gamma
    mc = _monte_carlo(mc_episodes, num_states, mc_gamma, slip)
    td = _certainty_equivalence(td_episodes, num_states, td_gamma, slip)
    return {"td_is_mc": (mc, mc), "mc_is_td": (td, td), "swapped": (td, mc)}.get(slip, (mc, td))


def play_from_book(board: np.ndarray, book: dict[str, int], slip: str = "") -> int | None:
    """The square (row by row) that the book plays on this board [N, N] of 0, 1, 2; None when
    it does not know the board. Beside the listed slips there is "letters" (X comes before O).
    """
    numbers = np.arange(board.size).reshape(board.shape)
    turned = [
        views(numbers)[k]
        for k in {"rotations": (0, 1, 2, 3), "mirrors": (0, 2, 4, 6)}.get(slip, range(8))
    ]
    texts = [text_of(board.ravel()[view]) for view in turned]
    text = min(texts, key=lambda one: one.replace("O", "Y") if slip == "letters" else one)
    if text not in book or (slip == "zero" and book[text] == 0):
        return None
    way, square = texts.index(text), book[text]
    if slip == "mirror_kept":
        return int(np.rot90(numbers, way % 4).ravel()[square])
    if slip == "turn_kept":
        return int((numbers if way < 4 else np.fliplr(numbers)).ravel()[square])
    view = turned[way].ravel()
    if slip == "order" and way >= 4:
        other_way = 4 + (4 - way % 4) % 4
        return int(np.flatnonzero(turned[other_way].ravel() == square)[0])
    if slip == "unmapped":
        return square
    if slip == "direction":
        return int(np.flatnonzero(view == square)[0])
    place = int(view[square])
    if slip == "transposed":
        return place % len(board) * len(board) + place // len(board)
    return place


def views(array: np.ndarray) -> list[np.ndarray]:
    """The eight views of a square array: four quarter turns of it, then of its mirror image."""
    return [np.rot90(one, k) for one in (array, np.fliplr(array)) for k in range(4)]


def text_of(board: np.ndarray) -> str:
    """The board as one line of ".", "X" and "O", row by row."""
    return "".join(SYMBOLS[board.ravel()])


def _first(mask: np.ndarray) -> np.ndarray:
    return np.arange(len(mask)) == np.argmax(mask)


def _shifted(episode: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    rewards = [reward for _, reward in episode[1:]] + [0.0]
    return [(state, reward) for (state, _), reward in zip(episode, rewards, strict=True)]


def _monte_carlo(episodes: Sequence, num_states: int, gamma: float, slip: str) -> np.ndarray:
    total, visits = np.zeros(num_states), np.zeros(num_states)
    value = 0.0
    for episode in episodes:
        returns = [0.0] * len(episode)
        value = value if slip == "not_reset" else 0.0
        for t in range(len(episode) - 1, -1, -1):
            value = (
                gamma**t * episode[t][1] + value
                if slip == "wrong_end"
                else episode[t][1] + gamma * value
            )
            returns[t] = value - episode[t][1] if slip == "mc_next" else value
        seen = set()
        visited = list(zip((state for state, _ in episode), returns, strict=True))
        for state, g in reversed(visited) if slip == "last_visit" else visited:
            if slip in ("first_visit", "last_visit") and state in seen:
                continue
            share = 1.0
            if slip == "episode_means":
                share = 1 / sum(one == state for one, _ in episode)
            total[state] += share * (returns[0] if slip == "whole_return" else g)
            visits[state] += share * (not (slip == "per_episode" and state in seen))
            seen.add(state)
    return total / visits


def _certainty_equivalence(
    episodes: Sequence, num_states: int, gamma: float, slip: str
) -> np.ndarray:
    """The value of the Markov process with the observed frequencies, to
    which batch TD(0) converges.
    """
    if slip == "one_pass":
        return _one_pass(episodes, num_states, gamma)
    moves, rewards, visits = (
        np.zeros((num_states, num_states)),
        np.zeros(num_states),
        np.zeros(num_states),
    )
    flat = [(k, state, reward) for k, episode in enumerate(episodes) for state, reward in episode]
    for (k, state, reward), following in zip(flat, [*flat[1:], None], strict=True):
        last = following is None or following[0] != k
        if last and slip == "last_pair":
            continue
        visits[state] += 1
        rewards[state] += 0.0 if last and slip == "last_step" else reward
        if following is not None and (not last or slip == "runs_on"):
            moves[state, following[1]] += 1
        if last and k and slip == "runs_back":
            moves[state, episodes[k - 1][0][0]] += 1
    visits = np.maximum(1, visits)
    times = np.maximum(1, moves.sum(axis=1)) if slip == "followed" else visits
    balance = np.eye(num_states) - gamma * moves / times[:, None]
    if np.linalg.cond(balance) > WITHOUT_END:
        raise Narrow("with gamma 1 an episode that never ends has no value")
    if slip == "mc_ahead":
        ahead = _monte_carlo(episodes, num_states, gamma, "")
        return rewards / visits + gamma * moves @ ahead / visits
    return np.linalg.solve(balance, rewards / visits)


def _one_pass(episodes: Sequence, num_states: int, gamma: float) -> np.ndarray:
    values = np.zeros(num_states)
    for episode in episodes:
        for t, (state, reward) in enumerate(episode):
            ahead = gamma * values[episode[t + 1][0]] if t + 1 < len(episode) else 0.0
            values[state] += 0.1 * (reward + ahead - values[state])
    return values
