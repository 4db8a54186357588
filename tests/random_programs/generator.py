"""Random programs of NumPy array code with a loop, as scientists write them, and arguments for them.

A program is a module with one function ``run``, made from a seed: the same seed gives the same program. Its
statements are right Python; what they do with the arrays may raise, and must raise after rewriting too.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from random_arguments import CASES, arguments
from random_hazards import HELPERS, hazard
from random_scope import COMPLEX, FLOATS, INTEGERS, Scope, Variable
from random_statements import LANEWISE, Lines
from random_whole import WHOLE

__all__ = ["CASES", "Program", "program"]

Maker = Callable[[Scope], Lines]

# Names that the rewriter would choose itself.
_TAKEN = ["loop", "mask", "t", "npr", "x_re", "z_im", "scalar_float64", "results", "t_1", "_run_step", "np_"]
_NAMES = {
    "f": ["x", "y", "u", "w", "a", "h", "p", "q"],
    "i": ["k", "count", "last"],
    "c": ["z", "c", "psi"],
    "b": ["solid", "flags"],
}
_SAME_MEMORY = [
    "{x}",
    "{x}[:]",
    "{x}[...]",
    "{x}[::-1]",
    "{x}.T",
    "{x}.view()",
    "{x}.reshape({x}.shape)",
    "{x}.ravel().reshape({x}.shape)",
    "{x}.squeeze()",
    "np.asarray({x})",
    "np.ascontiguousarray({x})",
    "np.atleast_1d({x})",
    "np.reshape({x}, {x}.shape)",
    "np.transpose({x})",
    "np.real({x})",
    "{x}.real",
    "{x}.swapaxes(0, -1)",
    "np.array({x}, copy=False)",
    "{x}.astype({x}.dtype, copy=False)",
    "np.broadcast_to({x}, {x}.shape)",
    "np.flip({x})",
    "np.vstack([{x}, {x}])[0]",
    "np.conj({x})",
    "+{x}",
    "np.squeeze({x})[...]",
]
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
_AROUND = [
    "if trips > 2:",
    "with np.errstate(all='ignore'):",
    "for frame in range(2):",
    "for frame in range(trips):",
    "if True:",
]
_SHAPES = {1: "size", 2: "(rows, size)", 3: "(2, rows, size)"}


@dataclass(frozen=True)
class Program:
    """A program and its arguments; the function is called ``run``."""

    seed: int
    text: str
    parameters: tuple[Variable, ...]
    rank: int

    def arguments(self, index: int) -> tuple[Any, ...]:
        """The arguments of one case, below ``CASES``: the same at each call, with arrays of their own."""
        return arguments(self.seed, index, self.parameters, self.rank)


def program(seed: int) -> Program:
    """The program of a seed."""
    rng = random.Random(seed)
    scope = Scope(rng, rank=rng.choice([1, 1, 1, 1, 2, 2, 2, 3]))
    makers = rng.choice([LANEWISE, LANEWISE, WHOLE, WHOLE, LANEWISE + WHOLE])
    setup = _arrays(scope) + _numbers(scope)
    before = _statements(scope, LANEWISE, rng.choice([0, 0, 0, 1, 2]))
    kept, seen = _between(scope)
    loops = [line for _ in range(rng.choice([1] * 9 + [2])) for line in _loop(scope, makers)]
    after = _statements(scope, LANEWISE, rng.choice([0, 0, 0, 0, 1]))
    body = [*setup, *before, *kept, *loops, *after, _result(scope, seen)]
    parameters = [each for each in scope.variables + scope.numbers if each.parameter]
    used = _names("\n".join(["def run():", *(f"    {line}" for line in body)]))
    used |= {"trips"} if "trips" in "\n".join(scope.functions) else set()
    for name in ("rows", "size", "trips"):
        if name in used:
            parameters.append(Variable(name, "int", "number", parameter=True))
    return Program(seed, _module(scope, parameters, body, used), tuple(parameters), scope.rank)


def _module(scope: Scope, parameters: list[Variable], body: Lines, used: set[str]) -> str:
    used = used | _names("\n".join(scope.functions))
    imports = ["import math"] if "math" in used else []
    helpers = HELPERS if used & _names(HELPERS) - {"np", "v", "w", "by"} else ""
    signature = ", ".join(map(_annotated, parameters))
    lines = [
        *imports,
        "import numpy as np",
        "import numpy.typing as npt",
        helpers,
        *scope.functions,
        f"def run({signature}):",
        *(f"    {line}" for line in body),
    ]
    return ast.unparse(ast.parse("\n".join(lines))) + "\n"


def _names(text: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(text)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def _annotated(parameter: Variable) -> str:
    if parameter.shape == "number":
        return f"{parameter.name}: {parameter.dtype}"
    dtype = "bool_" if parameter.dtype == "bool" else parameter.dtype
    return f"{parameter.name}: npt.NDArray[np.{dtype}]"


def _arrays(scope: Scope) -> Lines:
    """Make two to four arrays: parameters, and arrays made from them or from sizes."""
    rng = scope.rng
    main = rng.choice([*FLOATS * 3, *COMPLEX, "int64", "int32"])
    others = [main, main, *FLOATS, *INTEGERS, "bool", *COMPLEX[: main[0] == "c"]]
    dtypes = [main, *(rng.choice(others) for _ in range(rng.choice([1, 1, 2, 2, 3])))]
    from_arguments = scope.chance(0.5)
    lines = []
    for index, dtype in enumerate(dtypes):
        kind = Variable("", dtype).kind
        name = scope.fresh(*(_TAKEN if scope.chance(0.04) else _NAMES[kind]))
        parameter = from_arguments and (index == 0 or scope.chance(0.5))
        if not parameter:
            lines.append(f"{name} = {_constructed(scope, dtype)}")
        scope.variables.append(Variable(name, dtype, parameter=parameter))
    if scope.rank > 1 and main in FLOATS and scope.chance(0.3):
        row = scope.fresh("row", "profile")
        model = scope.variables[0]
        value = f"{model.name}[0].copy()" if scope.rank == 2 else f"{model.name}[0, 0].copy()"
        lines.append(f"{row} = {value}")
        scope.variables.append(Variable(row, main, "row"))
    return lines


def _constructed(scope: Scope, dtype: str) -> str:
    models = scope.arrays("ficb")
    if models and scope.chance(0.5 if not models[0].parameter else 1):
        return _from_model(scope, dtype, scope.rng.choice(models))
    shape = _SHAPES[scope.rank]
    count = {1: "size", 2: "rows * size", 3: "2 * rows * size"}[scope.rank]
    reshaped = "" if scope.rank == 1 else f".reshape({shape.strip('()')})"
    named = scope.rng.choice([f"np.{dtype}", f"'{dtype}'"])
    choices = {
        "f": [
            f"np.linspace(-1, 1, {count}, dtype={named}){reshaped}",
            f"np.linspace(0, 2, {count}, dtype={named}){reshaped}",
            f"np.zeros({shape}, dtype={named})",
            f"np.full({shape}, 0.5, dtype={named})",
            f"np.arange({count}, dtype={named}){reshaped} / 4",
            f"np.cos(np.arange({count}, dtype={named})){reshaped}",
        ],
        "i": [
            f"np.arange({count}, dtype={named}){reshaped}",
            f"np.zeros({shape}, dtype={named})",
            f"np.full({shape}, 3, dtype={named})",
        ],
        "b": [f"np.zeros({shape}, dtype=bool)", f"np.arange({count}){reshaped} % 3 == 0"],
        "c": [
            f"np.zeros({shape}, dtype={named})",
            f"np.full({shape}, 0.3 - 0.2j, dtype={named})",
            f"np.linspace(-1 - 1j, 1 + 0.5j, {count}, dtype={named}){reshaped}",
            f"np.exp(1j * np.arange({count})){reshaped}.astype({named})",
        ],
    }
    return scope.rng.choice(choices[Variable("", dtype).kind])


def _from_model(scope: Scope, dtype: str, model: Variable) -> str:
    name = model.name
    dtype = "bool" if dtype == "bool" else f"np.{dtype}"
    choices = [
        f"np.zeros_like({name}, dtype={dtype})",
        f"np.zeros({name}.shape, dtype={dtype})",
        f"np.full({name}.shape, 1, dtype={dtype})",
        f"np.ones_like({name}, dtype={dtype})",
    ]
    if model.kind != "c" or dtype.startswith("np.c"):
        choices += [f"{name}.astype({dtype})"] * 2
    if dtype == f"np.{model.dtype}":
        choices += [f"{name}.copy()", f"np.zeros_like({name})", f"{name} + 1", f"{name} * 2"]
        choices += [f"np.array({name})"]
    if dtype == f"np.{model.dtype}" and scope.chance(0.2):
        choices = [each.format(x=name) for each in _SAME_MEMORY]
    return scope.rng.choice(choices)


def _numbers(scope: Scope) -> Lines:
    """Up to three scalars: parameters, Python's and NumPy's numbers."""
    lines = []
    for _ in range(scope.rng.choice([0, 0, 1, 1, 2, 3])):
        kinds = "".join(each.kind for each in scope.variables)
        dtype = scope.rng.choice(["float", "float", "float", "int", *(["complex"] if "c" in kinds else [])])
        wanted = {"float": ("rate", "dt", "bound"), "int": ("shift", "level"), "complex": ("offset",)}[dtype]
        name = scope.fresh(*wanted)
        form = scope.rng.choice(["parameter", "parameter", "literal", "numpy"])
        if form != "parameter":
            value = {"float": "0.3", "int": "2", "complex": "0.1 + 0.2j"}[dtype]
            first = scope.rng.choice(scope.variables)
            place = ", ".join(["0"] * (1 if first.shape == "row" else scope.rank))
            picked = (
                f"{first.name}[{place}]" if scope.chance(0.5) else f"{first.name}.{first.dtype and 'mean()'}"
            )
            wide = {"float": "float32", "int": "int64", "complex": "complex64"}[dtype]
            numpy_value = scope.rng.choice([f"np.{wide}({value})", picked])
            lines.append(f"{name} = {value if form == 'literal' else numpy_value}")
        scope.numbers.append(Variable(name, dtype, "number", parameter=form == "parameter"))
    return lines


def _statements(scope: Scope, makers: list[Maker], count: int) -> Lines:
    lines: Lines = []
    for _ in range(count):
        lines += scope.rng.choice(makers)(scope)
    return lines


def _loop(scope: Scope, makers: list[Maker]) -> Lines:
    scope.counter = scope.rng.choice(["n", "n", "n", "step_number", "i"])
    header = scope.rng.choice(
        ["range(trips)"] * 8
        + [
            "range(1, trips)",
            "range(trips, 0, -2)",
            "range(3)",
            "range(-trips, trips)",
            "range(len({x}))",
            "range({x}.size)",
            "range({x}.shape[0])",
        ]
    )
    header = header.replace("{x}", scope.rng.choice(scope.variables).name)
    body = _statements(scope, makers, scope.rng.choice([1, 1, 2, 2, 3, 4]))
    if scope.chance(0.8):
        body = _in_place(scope, body)
    if scope.chance(0.25):
        body.insert(scope.rng.randint(0, len(body)), "\n".join(hazard(scope)))
    lines = [f"    {line}" for text in body for line in text.split("\n")] or ["    pass"]
    loop = [f"for {scope.counter} in {header}:", *lines]
    if scope.chance(0.1) and not re.search("break|continue", "\n".join(lines)):
        loop = _with_function(scope, header, lines)
    if scope.chance(0.3):
        scope.returned.append(scope.counter)
    scope.counter = None
    around = scope.rng.choice(_AROUND) if scope.chance(0.12) else ""
    return [around, *(f"    {line}" for line in loop)] if around else loop


def _with_function(scope: Scope, header: str, lines: Lines) -> Lines:
    """The loop's body in a function of the module."""
    arrays = [each.name for each in scope.variables]
    names = [*arrays, *(each.name for each in scope.numbers), str(scope.counter)]
    results = ", ".join(arrays)
    called = f"update{len(scope.functions) or ''}"
    scope.functions += [f"def {called}({', '.join(names)}):", *lines, f"    return {results}"]
    return [f"for {scope.counter} in {header}:", f"    {results} = {called}({', '.join(names)})"]


def _in_place(scope: Scope, body: Lines) -> Lines:
    """The body with arrays that are stored into never bound anew, which would be refused."""
    for each in scope.variables:
        stored = re.compile(rf"{each.name}(\[.*\] \S?=| [^ =]= )")
        if any(stored.match(line) for line in body):
            body = [re.sub(rf"^{each.name} = ", f"{each.name}[...] = ", line) for line in body]
    return body


def _between(scope: Scope) -> tuple[Lines, list[str]]:
    """What sees an array under another name, or changes what is known of it; and how that is read."""
    if not scope.chance(0.25):
        return [], []
    array = scope.rng.choice(scope.variables)
    text, seen = scope.rng.choice(_BETWEEN)
    lines = text.replace("{x}", array.name).split("\n")
    return lines, [seen.replace("{x}", array.name)] if seen else []


def _result(scope: Scope, seen: list[str]) -> str:
    names = [each.name for each in scope.variables]
    if scope.chance(0.25):
        names += scope.rng.sample(scope.returned, k=min(len(scope.returned), 2))
    if scope.chance(0.1):
        names = names[:1]
    return f"return {', '.join(dict.fromkeys([*names, *seen]))}"
