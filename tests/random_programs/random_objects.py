"""Arrays in the attributes of an object, in a dictionary or in the module, and helpers with flags."""

from __future__ import annotations

import re

from random_loops import loop, statements
from random_module import Made, indented, module
from random_scope import Scope, Variable
from random_setup import SHAPES
from random_statements import LANEWISE, Lines
from random_whole import WHOLE

_FLAGGED = """
def update(a, damped=False, limit=None, out=None):
    if damped:
        a = a * 0.9
    if limit is not None:
        a[a > limit] = limit
    if out is not None:
        out[...] = a
        return out
    return a

def norm(a, order=2, shift=0.0):
    if order == 1:
        return np.abs(a - shift).sum()
    return np.sqrt(((a - shift) * (a - shift)).sum())
"""
_CALLS = [
    "{x} = update({x})",
    "{x} = update({x}, True)",
    "{x} = update({x}, damped=n % 2 == 0)",
    "{x} = update({x}, limit=0.5)",
    "update({x}, limit=0.5)",
    "update({x}, True, 0.5, {x})",
    "{x} = update({x}, damped=True, limit={y}.max())",
    "{x}[...] = update({x}, out={y})",
    "{x} /= 1 + norm({x})",
    "{x} = {x} / (1 + norm({x}, order=1, shift=0.1))",
    "last = norm({x}, 1)\n{x} *= 0.5 if last > 1 else 1.0",
]


def objects(scope: Scope) -> Made:
    """A class whose methods change its arrays, or functions that change a dictionary's or the module's."""
    rng = scope.rng
    main = rng.choice(["float64", "float64", "float32", "int64", "complex128"])
    scope.variables += [Variable("u", main), Variable("q", rng.choice([main, main, "float64", "int32"]))]
    if scope.chance(0.5):
        scope.variables.append(Variable("w", main, parameter=True))
    body = _body(scope)
    setup = [f"{each.name} = {_made(scope, each)}" for each in scope.variables[:2]]
    scope.variables = [each for each in scope.variables if each.parameter]
    place = rng.choice([_in_class, _in_class, _in_dictionary, _in_module])
    above, run = place(scope, setup, body)
    return module(scope, run, above=[_FLAGGED, *above], annotated=scope.chance(0.7))


def _body(scope: Scope) -> Lines:
    rng = scope.rng
    x, y = (rng.choice(["u", "u", "q"]) for _ in range(2))
    calls = rng.choices(_CALLS, k=rng.choice([0, 1, 1]))
    flagged = [each.replace("{x}", x).replace("{y}", y) for each in calls]
    if scope.chance(0.7):
        before = loop(scope, rng.choice([LANEWISE, WHOLE]))
        return [*before, "for n in range(trips):", *indented(flagged or ["pass"])]
    plain = statements(scope, LANEWISE, rng.choice([2, 3]))
    return ["for n in range(trips):", *indented([*plain, *flagged] or ["pass"])]


def _made(scope: Scope, each: Variable) -> str:
    values = ["np.full({s}, 1, dtype={d})", "np.zeros({s}, dtype={d})", "np.ones({s}, {d}) * 2"]
    return scope.rng.choice(values).format(s=SHAPES[scope.rank], d=f"np.{each.dtype}")


def _in_class(scope: Scope, setup: Lines, body: Lines) -> tuple[Lines, Lines]:
    given = ", ".join(["trips", *(each.name for each in scope.variables)])
    above = [
        "class Model:",
        "    def __init__(self, rows, size):",
        *(_attributes(line) for line in indented(indented(setup))),
        "        self.time = 0.0",
        f"    def advance(self, {given}):",
        *(_attributes(line) for line in indented(indented(body))),
        "        self.time += 1",
        f"        return {scope.rng.choice(['self.u', 'self.u.copy()', 'self', 'None'])}",
    ]
    call = f"model.advance({given})"
    between = [f"log.append({call})", call, "log.append(model.u)", "model.q = model.u", "model.u[0] = 1"]
    used = scope.rng.choices(between, k=scope.rng.choice([1, 2, 3]))
    return above, ["model = Model(rows, size)", "log = []", call, *used, "return model, log"]


def _in_dictionary(scope: Scope, setup: Lines, body: Lines) -> tuple[Lines, Lines]:
    given = ", ".join(["state", "trips", *(each.name for each in scope.variables)])
    factor = scope.rng.choice(["0.5", "1", "np.float32(0.5)"])
    above = [
        "def start(rows, size):",
        f'    state = {{"time": 0.0, "factor": {factor}}}',
        *(_entries(line) for line in indented(setup)),
        "    return state",
        "@nprewrite.jit",
        f"def advance({given}):",
        *(_entries(line) for line in indented(body)),
        '    state["time"] += state["factor"]',
        f"    return {scope.rng.choice(_RETURNED)}",
    ]
    call = f"advance({given})"
    between = [f"log.append({call})", call, *_BETWEEN]
    used = scope.rng.choices(between, k=scope.rng.choice([1, 2, 3]))
    return above, ["state = start(rows, size)", "log = []", call, *used, "return state, log"]


_RETURNED = ['state["u"]', 'state["u"].copy()', "state", "None"]
_BETWEEN = [
    'log.append(state["u"])',
    'state["q"] = state["u"]',
    'state["u"][0] = 1',
    'state["factor"] = 2',
    'state["u"] = state["u"].astype(np.float32)',
]


def _in_module(scope: Scope, setup: Lines, body: Lines) -> tuple[Lines, Lines]:
    given = ", ".join(["trips", *(each.name for each in scope.variables)])
    text = "\n".join(indented(body))
    bound = [name for name in "uq" if re.search(rf"(?m)^ *(\w+, )*{name}(, \w+)* \S?= ", text)]
    above = [
        "rows, size = 4, 6",
        *setup,
        f"def advance({given}):",
        *indented([f"global {', '.join(bound)}"] if bound else []),
        *indented([*body, f"return {scope.rng.choice(['u', 'u.copy()', 'None'])}"]),
    ]
    run = ["log = [u, q]", *[f"log.append(advance({given}))" for _ in range(scope.rng.choice([1, 2]))]]
    run.insert(scope.rng.randint(1, len(run)), scope.rng.choice(["u[0] = 0.5", "log.append(u.copy())"]))
    return above, [*run, "return u, q, log"]


def _attributes(line: str) -> str:
    """The line with attributes in the place of the arrays."""
    return re.sub(r"(?<![.\w])([uq])\b(?!=)", r"self.\1", line)


def _entries(line: str) -> str:
    """The line with entries of a dictionary in the place of the arrays and of a number."""
    line = re.sub(r"(?<![.\w])([uq])\b(?!=)", r'state["\1"]', line)
    return re.sub(r"(?<![.\w])0\.5\b(?!\))", 'state["factor"]', line, count=1)
