"""Scalar loops: element stores of values that may not fit, index arrays, unbound names, zero division."""

from __future__ import annotations

from random_module import Made, indented, module
from random_scope import Scope, Variable
from random_statements import Lines

_TARGETS = [
    "int8",
    "int16",
    "int32",
    "uint8",
    "uint16",
    "int64",
    "uint64",
    "float32",
    "float64",
    "complex128",
    "bool",
]
_SOURCES = ["int64", "int64", "uint64", "int32", "uint8", "float64", "float32"]
_SETUP = [
    "idx = np.arange({n})[::-1]",
    "idx = np.arange({n}) * 3 % {n}",
    "idx = np.arange({n}) + 1",
    "idx = np.arange({n}) - 2",
    "idx = np.argsort(v)",
    "idx = np.zeros({n}, dtype=np.int32)",
    "idx = np.array([0, 2, -1])",
    "idx = v.astype(np.int64)",
]
# Values that do not fit the elements they are stored into.
_LARGE = [
    "v = v * 100",
    "v = v - 3",
    "v = v.astype(np.int64) * 2 ** 33",
    "v = v.astype(np.uint64) + np.uint64(2 ** 63)",
    "v = v * 1e300",
    "v = v / 0",
    "v = v.astype(np.float64)\nv[2] = np.nan",
    "w = w * 1000",
]
_RANGES = [
    "n",
    "n",
    "n",
    "len(out)",
    "len(v)",
    "n - 1",
    "1, n",
    "n - 1, -1, -1",
    "n + 1",
    "0, n, 2",
    "s, n",
    "3",
]
_VALUES = [
    "v[i]",
    "v[i]",
    "v[i] * 2",
    "v[i] + s",
    "v[i] - w[i]",
    "v[i] * w[i]",
    "v[i] // w[i]",
    "v[i] % 3",
    "v[i] // s",
    "v[i] / w[i]",
    "v[i] ** 2",
    "-v[i]",
    "abs(v[i])",
    "int(v[i])",
    "int(v[i]) * 2",
    "int(v[i]) // s",
    "int(v[i]) % s",
    "int(w[i])",
    "float(v[i])",
    "v[i] << 2",
    "v[i] & 7",
    "min(v[i], w[i])",
    "max(int(v[i]), 100)",
    "i",
    "i * 100",
    "i * i * 1000",
    "i - 3",
    "s",
    "s * i",
    "300",
    "-1",
    "2 ** 40",
    "2.7",
    "1e300",
    "np.nan",
    "True",
    "k",
    "k * 3",
    "v[i] > w[i]",
    "v[i - 1]",
    "v[i + 1]",
    "v[idx[i]]",
    "v[int(w[i])]",
    "s / i",
    "s // i",
    "s % (i - 2)",
    "10 // (i - 3)",
    "math.sqrt(v[i])",
    "math.log(i)",
    "np.sqrt(v[i])",
    "np.int8(i)",
    "np.int64(v[i])",
    "round(float(w[i]))",
    "last",
    "total",
    "np.random.rand()",
    "np.random.randint(7) - 2",
    "np.random.normal() * 3",
    "np.random.choice([1, 300, -5])",
    "v[np.random.randint(len(v))]",
    "random.random() * s",
    "v[i] + 2j",
    "abs(s + 1j * v[i])",
    "(v[i] * (1 - 2j)).real",
    "(complex(s, i) ** 2).imag",
    "(1j / (v[i] - 2)).imag",
]
_PLACES = [
    "i",
    "i",
    "i",
    "i",
    "idx[i]",
    "i - 1",
    "i + 1",
    "0",
    "-1",
    "k",
    "n - 1 - i",
    "int(w[i])",
    "i % 3",
    "s",
    "np.random.randint(-1, n + 1)",
]
_OTHERS = [
    "k = {value}",
    "k += 1",
    "k = int(v[i])",
    "total += {value}",
    "total = total + v[i]",
    "total = total * 3 + i",
    "if {test}:\n    last = {value}",
    "if {test}:\n    last = i\nelse:\n    k = last",
    "if {test}:\n    break",
    "if {test}:\n    continue",
    "if {test}:\n    return total, k, i",
    "if {test}:\n    raise ValueError(f'bad element {i}')",
    "assert {test}",
    "del k\nk = i",
    "last = {value}\ntotal += last",
    "w[i] = {value}",
    "out[{place}], w[i] = w[i], out[{place}]",
    "v[i] = out[{place}]",
    "for j in range(i):\n    out[{place}] += v[j]",
    "for j in range(len(w)):\n    total += v[i] * w[j]",
    "for j in range(2):\n    k += j\nout[{place}] = k * j",
    "while k > 5:\n    k -= 3\n    total += 1",
    "try:\n    out[{place}] = {value}\nexcept IndexError:\n    total += 1",
]
_TESTS = [
    "v[i] > 3",
    "v[i] > w[i]",
    "i == 2",
    "i > s",
    "v[i] == 0",
    "i % 2",
    "not i",
    "k > 4 and v[i] < 5",
    "0 < v[i] <= 4",
    "out[i] != v[i]",
    "total < 100",
    "np.random.rand() < 0.4",
    "random.random() < 0.5 or i > 2",
]


def elements(scope: Scope) -> Made:
    """One or two loops over elements, in ``run`` or in a function that it calls."""
    rng = scope.rng
    scope.rank = 1
    idx_given = scope.chance(0.3)
    scope.variables += [
        Variable("out", rng.choice(_TARGETS), parameter=True),
        Variable("v", rng.choice(_SOURCES), parameter=True),
        Variable("w", rng.choice(_SOURCES), parameter=True),
        *([Variable("idx", rng.choice(["int64", "int32", "uint8"]), parameter=True)] if idx_given else []),
    ]
    scope.numbers.append(Variable("s", rng.choice(["int", "int", "float"]), "number", parameter=True))
    setup = [f"n = {rng.choice(['len(v)', 'out.shape[0]', 'w.size'])}", "k = 0"]
    setup += [f"total = {rng.choice(['0', '0', '0.0', 'v[0]', 'np.int64(0)', 'np.float32(0)'])}"]
    setup += rng.choice([[], [], [], [rng.choice(_LARGE)]])
    setup += [] if idx_given else [rng.choice(_SETUP).replace("{n}", rng.choice(["n", "n", "len(out)"]))]
    setup.append(rng.choice(["last = 0", "last = -1.5", "if s > 1:\n    last = 0"]))
    loops = [line for _ in range(rng.choice([1, 1, 2])) for line in _loop(scope)]
    returned = rng.choice(
        ["return total, k", "return total, k, last", "return total, i", "return out, total"]
    )
    body = [*setup, *loops, returned]
    if scope.chance(0.25):
        names = ", ".join(each.name for each in (*scope.variables, *scope.numbers))
        scope.functions += [f"def kernel({names}):", *indented(body)]
        body = [f"return kernel({names})"]
    return module(scope, body, annotated=scope.chance(0.75))


def _loop(scope: Scope) -> Lines:
    rng = scope.rng
    body: Lines = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        body += _statement(scope)
    if scope.chance(0.1):
        body = [f"if {rng.choice(_TESTS)}:", *indented(body)]
    return [f"for i in range({rng.choice(_RANGES)}):", *indented(body)]


def _statement(scope: Scope) -> Lines:
    rng = scope.rng
    sign = rng.choice(["=", "=", "=", "+=", "-=", "*=", "//="])
    text = "out[{place}] " + sign + " {value}" if scope.chance(0.65) else rng.choice(_OTHERS)
    for part, choices in {"{place}": _PLACES, "{value}": _VALUES, "{test}": _TESTS}.items():
        text = text.replace(part, rng.choice(choices))
    return text.split("\n")
