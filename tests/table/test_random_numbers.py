"""What is known of drawn numbers without drawing any is what NumPy gives."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from nprewrite.numpy_api.random import RANDOM, drawing
from nprewrite.program.function import Module
from nprewrite.source.document import Document
from nprewrite.types.values import Array, Unknown, Value

ARGUMENTS = {
    "beta": "2.0, 3.0",
    "binomial": "9, 0.5",
    "chisquare": "2",
    "f": "2, 3",
    "gamma": "2.0, 1.0",
    "geometric": "0.5",
    "hypergeometric": "5, 6, 7",
    "integers": "0, 9",
    "logseries": "0.5",
    "negative_binomial": "3, 0.5",
    "noncentral_chisquare": "2, 1",
    "pareto": "2",
    "power": "2",
    "randint": "0, 9",
    "standard_gamma": "2.0",
    "standard_t": "3",
    "triangular": "0, 1, 2",
    "vonmises": "0, 1",
    "wald": "1, 1",
    "weibull": "2",
    "zipf": "2",
}
OTHERS = {
    "generator": [
        *("permutation(7)", "permutation(x)", "choice(5, 3)", "choice(5, size=(2, 3))"),
        *("choice([-1, 1], size=(4, 4))", "choice([0, 0.5], 3)", "choice(x[0], (2, 2))"),
        *("random((3, 2), dtype=np.float32)", "random((3, 2), np.float32)", "random(5)", "random(())"),
        *("integers(9, size=4)", "integers(0, 9, 4, dtype='int8')", "normal(size=x.shape)"),
        *("normal(x, 1.0, x.shape)", "standard_normal(dtype='float32', size=3)"),
    ],
    "state": [
        *("rand(3)", "rand(3, 2)", "randn(3, 2)", "permutation(7)", "permutation(x)", "choice(5, 3)"),
        *("randint(9, size=4)", "randint(0, 9, 4, dtype='int8')", "random_sample((2, 3))", "normal(0, 1, 5)"),
    ],
}
UNKNOWN = {
    "generator": [
        *(
            "random()",
            "random(None)",
            "random(size)",
            "normal(x.reshape(size))",
            "integers(5)",
            "choice(5)",
            "choice(x, 3)",
        ),
        *(
            "random(size=(3, 2), dtype=kind)",
            "random(out=x)",
            "random(*size)",
            "normal(*size, 5)",
            "bytes(3)",
        ),
        *("multivariate_normal(m, c, 5)", "random((3, n))", "random(**size)", "spawn(3)"),
    ],
    "state": ["rand()", "randn()", "rand(n)", "random(size)", "seed(3)", "randint(0, 9, 4, kind)"],
}
RECEIVERS = {
    "generator": ["rng", "np.random.default_rng(0)", "np.random.Generator(np.random.PCG64(1))"],
    "state": ["np.random", "state", "np.random.RandomState(3)"],
}
HEAD = """import numpy as np

rng = np.random.default_rng(0)
state = np.random.RandomState(0)
x = np.ones((3, 2))
"""


def value_of(text: str) -> Value:
    """What is known of an expression at the end of a script."""
    module = Module(Document(f"{HEAD}\n\nr = {text}\n"), {})
    script = next(each for each in module.functions if isinstance(each.node, ast.Module))
    last = script.node.body[-1]
    assert isinstance(last, ast.Assign)
    return script.facts.value(last.value)


def drawn(text: str) -> object:
    names: dict[str, object] = {}
    exec(HEAD, names)
    return eval(text, names)


def forms(kind: str) -> list[str]:
    found = []
    drawings = {name: drawing(name, "state" if kind == "state" else "generator") for name in RANDOM}
    for name, each in drawings.items():
        if each is None or each.size is None:
            continue
        given = ARGUMENTS.get(name, ", ".join(["1.0"] * each.size))
        separator = ", " if given else ""
        found += [f"{name}({given}{separator}size=(3, 2))", f"{name}({given}{separator}4)"]
    return [*found, *OTHERS[kind]]


@pytest.mark.parametrize(
    ("receiver", "form"),
    [(RECEIVERS[kind][0], form) for kind in RECEIVERS for form in forms(kind)]
    + [(receiver, OTHERS[kind][0]) for kind in RECEIVERS for receiver in RECEIVERS[kind]],
)
def test_arrays_are_what_numpy_draws(receiver: str, form: str) -> None:
    known, result = value_of(f"{receiver}.{form}"), drawn(f"{receiver}.{form}")
    assert type(result) is np.ndarray
    assert isinstance(known, Array)
    assert (known.dtype, known.rank, known.fresh, known.assumed) == (result.dtype, result.ndim, True, False)


@pytest.mark.parametrize(("kind", "form"), [(kind, form) for kind, each in UNKNOWN.items() for form in each])
def test_what_may_be_a_number_is_not_known(kind: str, form: str) -> None:
    assert isinstance(value_of(f"{RECEIVERS[kind][0]}.{form}"), Unknown)


@pytest.mark.parametrize("kind", RECEIVERS)
@pytest.mark.parametrize(
    "form", ["normal(x)", "normal(0.0, x[0])", "uniform(x[:, :1], high=x[0] + 2)", "poisson(lam=x)"]
)
def test_parameters_that_are_arrays_give_an_array(kind: str, form: str) -> None:
    known, result = value_of(f"{RECEIVERS[kind][0]}.{form}"), drawn(f"{RECEIVERS[kind][0]}.{form}")
    assert isinstance(known, Array)
    assert isinstance(result, np.ndarray)
    assert (known.dtype, known.rank, known.fresh) == (result.dtype, result.ndim, True)


def test_another_receiver_is_not_known() -> None:
    assert isinstance(value_of("(rng if x.any() else state).random((3, 2))"), Unknown)
    assert isinstance(value_of("rng.bit_generator.random((3, 2))"), Unknown)
