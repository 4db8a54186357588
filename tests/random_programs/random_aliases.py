"""What stands between the arrays of a random program and its loop: other names, other types."""

from __future__ import annotations

from random_scope import Scope
from random_statements import Lines

_BETWEEN = [
    ("saved = [{x}]", "saved[0]"),
    ("state = {'x': {x}}", "state['x']"),
    ("first = {x}[:2]", "first"),
    ("flat = {x}.reshape(-1)", "flat"),
    ("turned = {x}.T", "turned"),
    ("part = {x}.real", "part"),
    ("same = {x}", "same"),
    ("same = {x}\nsame += 1", "same"),
    ("peek = lambda: {x}", "peek()"),
    ("def peek():\n    return {x} + 0", "peek()"),
    ("def poke():\n    {x}[0] = 5\npoke()", ""),
    ("def poke():\n    {x}[0] = 5", "poke()"),
    ("values = iter({x})", "next(values, None)"),
    ("history.append({x})", ""),
    ("if trips > 3:\n    {x} = {x} * 2", ""),
    ("if trips > 3:\n    {x} = {x}[:]", ""),
    ("if trips > 3:\n    {x} = {x}.copy()", ""),
    ("if trips > 3:\n    {x} = {x}.astype(np.float32)", ""),
    ("if trips > 3:\n    extra = {x} + 1\nelse:\n    extra = {x}", "extra"),
    ("if trips == 1:\n    return {x}", ""),
    ("if trips > 3:\n    late = {x}", "late"),
    ("{x} = {x} if trips > 3 else {x} + 1", ""),
    ("{x} = np.array({x}, dtype={x}.dtype)", ""),
    ("{x} = np.asarray({x}, dtype=np.float64)", ""),
    ("{x} = np.require({x}, requirements='C')", ""),
    ("{x} = np.ma.masked_array({x})", ""),
    ("{x} = {x}.view(np.ndarray)", ""),
    ("{x}.flags.writeable = False", ""),
    ("{x} = {x} + 0", ""),
    ("{x} = {x}[..., ::1]", ""),
    ("{x} = np.stack([{x}, {x}])[0]", ""),
    ("{x} = np.tile({x}, 1)", ""),
    ("{x} = np.where({x} > 0, {x}, {x})", ""),
    ("np.seterr(all='warn')", ""),
    ("trips = int(trips)", ""),
    ("trips = min(trips, 5)", ""),
    ("trips += 1", "trips"),
    ("n = 3", "n"),
    ("i = n = 2", "i + n"),
]


def between(scope: Scope) -> tuple[Lines, list[str]]:
    """What sees an array under another name, or changes what is known of it; and how that is read."""
    if not scope.chance(0.25):
        return [], []
    array = scope.rng.choice(scope.variables)
    text, seen = scope.rng.choice(_BETWEEN)
    lines = text.replace("{x}", array.name).split("\n")
    return lines, [seen.replace("{x}", array.name)] if seen else []
