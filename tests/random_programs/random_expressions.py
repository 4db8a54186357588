"""Random expressions over the names of a scope, of a given dtype; values stay of the order of one."""

from __future__ import annotations

from random_scope import Leaf, Scope, Variable, whole

_REAL = [
    "0.5 * {a} + 0.25 * {b}",
    "{a} - 0.5 * {b}",
    "0.5 * ({a} + {b})",
    "0.3 * {a} * {b}",
    "np.sin({a}) * 0.5",
    "np.cos({a} - {b})",
    "np.tanh({a} + {b})",
    "np.exp(-np.abs({a}))",
    "np.sqrt(np.abs({a}))",
    "np.sqrt({a} * {a} + {b} * {b}) / 2",
    "{a} / (1 + {b} * {b})",
    "np.minimum({a}, {b})",
    "np.maximum({a}, -1.0)",
    "np.where({a} > {b}, {a}, 0.5 * {b})",
    "np.where({a} < 0, 0, {a})",
    "abs({a}) - 0.3",
    "-{a}",
    "{a} ** 2 * 0.3",
    "{a} ** 3 * 0.1",
    "np.arctan2({a}, {b}) * 0.3",
    "np.floor(2 * {a}) * 0.25",
    "np.log1p(np.abs({a}))",
    "np.hypot({a}, {b}) * 0.5",
    "1 - {a}",
    "{a} / 3",
    "{a} % 1.5",
    "np.mod({a}, np.abs({b}) + 0.5)",
    "{a} // 0.25 * 0.1",
    "np.sign({a}) * 0.5",
    "np.clip({a}, -0.5, 1.5)",
    "np.abs({a}) ** 0.5",
    "np.where({a} > {b}, 0.1, 0.7) * {a}",
    "np.rint({a}) * 0.5",
    "np.fmax({a}, {b})",
]
_INTEGER = [
    "{a} + {b}",
    "{a} - {b}",
    "{a} * 3 + 1",
    "{a} & 7",
    "{a} ^ {b}",
    "({a} | 1) - {b}",
    "np.maximum({a}, {b})",
    "np.where({a} > {b}, {a}, 2)",
    "{a} * {b}",
    "abs({a})",
    "np.minimum({a}, 100)",
    "~{a}",
    "{a} ** 2",
    "({a} & 15) * 2 - {b}",
    "{a} + {b} % 5",
    "{a} // 3",
    "{a} // {b}",
    "{a} % {b}",
    "np.sign({a})",
    "np.clip({a}, -50, 50)",
    "{a} << 1",
]
_COMPLEX = [
    "0.5 * {a} + 0.25 * {b}",
    "{a} - 0.3 * {b}",
    "0.3 * {a} * {b}",
    "0.4 * {a} ** 2",
    "{a} * 0.5j",
    "np.conj({a}) * 0.5",
    "{a}.conj() + 0.2",
    "0.2 * {a} ** 3",
    "{a} / (2 + {b} * {b})",
    "np.exp(1j * {a}) * 0.3",
    "{a} * {a} - {b}",
    "-{a}",
    "np.where(np.abs({a}) < 1, {a}, 0.5 * {b})",
    "np.sqrt({a}) * 0.5",
    "0.5 * {a} + {a}.real * 0.1",
    "{a} * np.abs({b}) * 0.3",
]
_COMPARISONS = ["<", "<=", ">", ">="]


def expression(scope: Scope, dtype: str, leaf: Leaf = whole, depth: int = 2) -> str:
    """An expression of about this dtype; now and then an operand is of another, which promotes."""
    kind = Variable("", dtype).kind
    if kind == "b":
        return condition(scope, leaf)
    patterns = {"f": _REAL, "i": _INTEGER, "c": _COMPLEX}[kind]
    if depth == 0 or scope.chance(0.15):
        return _operand(scope, dtype, leaf)
    pattern = scope.rng.choice(patterns)
    parts = {part: f"({expression(scope, dtype, leaf, depth - 1)})" for part in "ab"}
    return pattern.format(**parts)


def _operand(scope: Scope, dtype: str, leaf: Leaf) -> str:
    kind = Variable("", dtype).kind
    if scope.chance(0.15):
        return _number(scope, kind)
    if scope.counter is not None and scope.chance(0.1):
        return scope.counter if kind == "i" else f"{scope.counter} * {_literal(scope)}"
    arrays = scope.arrays(kind, dtype)
    rows = [each for each in scope.variables if each.shape == "row" and each.dtype == dtype]
    if leaf is whole and rows and scope.chance(0.3):
        return scope.rng.choice(rows).name
    if kind in "fc" and scope.chance(0.04):
        arrays = scope.arrays("fi") or arrays
    return leaf(scope.rng.choice(arrays)) if arrays else _number(scope, kind)


def _number(scope: Scope, kind: str) -> str:
    fitting = {"f": "fi", "i": "i", "c": "fc"}[kind]
    known = [each.name for each in scope.numbers if each.kind in fitting]
    if known and scope.chance(0.6):
        return scope.rng.choice(known)
    if kind == "i":
        return str(scope.rng.choice([1, 2, 3, 7]))
    return _literal(scope)


def _literal(scope: Scope) -> str:
    return scope.rng.choice(["0.1", "0.25", "0.5", "1.5", "0.01", "1", "2"])


def condition(scope: Scope, leaf: Leaf = whole) -> str:
    """A boolean expression over arrays of the grid's shape."""
    first = _comparison(scope, leaf)
    if scope.chance(0.25):
        joint = scope.rng.choice(["&", "|", "^"])
        return f"({first}) {joint} ({_comparison(scope, leaf)})"
    if leaf is whole and scope.masks and scope.chance(0.15):
        return f"{scope.rng.choice(['', '~'])}{scope.rng.choice(scope.masks)}"
    return f"~({first})" if scope.chance(0.1) else first


def _comparison(scope: Scope, leaf: Leaf) -> str:
    variable = scope.rng.choice(scope.arrays("fic"))
    sign = scope.rng.choice(_COMPARISONS)
    left = leaf(variable)
    if variable.kind == "c":
        bound = _number(scope, "f") if scope.chance(0.3) else scope.rng.choice(["2", "1.0", "0.5"])
        part = scope.rng.choice(["np.abs({0})", "np.abs({0})", "abs({0})", "{0}.real", "np.imag({0})"])
        return f"{part.format(left)} {sign} {bound}"
    if variable.kind == "i":
        return scope.rng.choice(
            [f"{left} {sign} 3", f"{left} & 1 == 0", f"{left} % 3 == 0", f"{left} != 2", f"{left} == 1"]
        )
    others = [each for each in scope.arrays("f", variable.dtype) if each != variable]
    if others and scope.chance(0.3):
        return f"{left} {sign} {leaf(scope.rng.choice(others))}"
    return f"{left} {sign} {scope.rng.choice(['0', '0.5', '0.3', '-0.2', '1.0', '0.75'])}"
