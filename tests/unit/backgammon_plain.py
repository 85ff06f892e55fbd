"""The rules of backgammon once more, in plain Python without cleverness, with
a rule forgotten on demand.
"""

from collections.abc import Iterator

Side = tuple[int, ...]
RULES = ("both dice", "higher die", "bar first", "all home", "rearmost", "blocked", "hit")


def steps(own: Side, other: Side, die: int, forgotten: str = "") -> Iterator[tuple[Side, Side]]:
    """Both sides [26] after each step with one die: all 25 places are tried."""
    for start in range(25):
        if not own[start] or (own[24] and start < 24 and forgotten != "bar first"):
            continue
        end, mine, theirs = start - die, list(own), list(other)
        mine[start] -= 1
        if end < 0:
            outside, behind = sum(own[6:25]), sum(own[start + 1 : 25])
            if (outside and forgotten != "all home") or (
                end < -1 and behind and forgotten != "rearmost"
            ):
                continue
            mine[25] += 1
        else:
            if other[23 - end] > 1 and forgotten != "blocked":
                continue
            mine[end] += 1
            if other[23 - end] == 1 and forgotten != "hit":
                theirs[23 - end] -= 1
                theirs[24] += 1
        yield tuple(mine), tuple(theirs)


def turns(
    own: Side, other: Side, high: int, low: int, forgotten: str = ""
) -> set[tuple[Side, Side]]:
    """All results of a turn: every order of the dice is tried, then the longest turns are
    kept, then the higher die.
    """
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    reached: dict[tuple[int, int], set] = {}  # (steps, first die) -> results
    for order in orders:
        level = {(own, other)}
        for number, die in enumerate(order):
            level = {
                after for mine, theirs in level for after in steps(mine, theirs, die, forgotten)
            }
            reached.setdefault((number + 1, order[0]), set()).update(level)
    longest = max((number for (number, _), results in reached.items() if results), default=0)
    if forgotten == "both dice":
        longest = min(longest, 1)
    if longest == 0:
        return {(own, other)}
    if longest == 1 and reached[1, high] and forgotten not in ("higher die", "both dice"):
        return reached[1, high]
    return set().union(*(results for (number, _), results in reached.items() if number == longest))
