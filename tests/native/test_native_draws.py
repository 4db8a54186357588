"""Loops that draw random numbers: the same numbers, and the same state of every generator afterwards."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.runtime import Native

Make = Callable[[str], Native]
LENGTH = 701

LEGACY = [
    "np.random.rand()",
    "np.random.random()",
    "np.random.random_sample()",
    "np.random.uniform()",
    "np.random.uniform(-2, 3.5)",
    "np.random.uniform(low=x[k], high=x[k] + 1)",
    "np.random.uniform(high=7)",
    "np.random.randn()",
    "np.random.standard_normal()",
    "np.random.normal()",
    "np.random.normal(1.5, 0.25)",
    "np.random.normal(scale=2)",
    "np.random.normal(loc=x[k])",
    "np.random.exponential()",
    "np.random.exponential(x[k] + 0.5)",
    "np.random.exponential(scale=2)",
    "np.random.standard_exponential()",
    "np.random.poisson()",
    "np.random.poisson(0)",
    "np.random.poisson(lam=abs(x[k]) * 9 + 0.1)",
    "np.random.poisson(10 + 3 * k)",
    "np.random.poisson(1e6 * (k + 1))",
    "np.random.binomial(10 * k, 0.3) + np.random.binomial(n=k, p=0.0)",
    "np.random.binomial(1000, 0.001 * k)",
    "np.random.binomial(100 * k, p=abs(x[k]) % 1)",
    "np.random.binomial(100_000_000 * k, 0.4 + 0.02 * (k % 9))",
    "np.random.binomial(5000, 1 - 0.02 * (k % 9))",
    "np.random.gamma(2.5)",
    "np.random.gamma(24, 1.0 / (x[k] + 0.5))",
    "np.random.gamma(shape=0.3, scale=2)",
    "np.random.gamma(1.0, 3.0) + np.random.gamma(0.0)",
    "np.random.standard_gamma(x[k] + 0.25)",
    "np.random.chisquare(k % 7 + 1)",
    "np.random.beta(0.5, 0.75)",
    "np.random.beta(0.1, 0.2)",
    "np.random.beta(2, k % 3 + 0.5)",
    "np.random.randint(6)",
    "np.random.randint(1)",
    "np.random.randint(-3, k + 1)",
    "np.random.randint(low=2, high=2**31)",
    "np.random.randint(2**32 - 1)",
    "np.random.choice(9)",
    "np.random.choice([-1, 1])",
    "np.random.choice((0.5, 1.5, 2.5))",
    "np.random.choice(x)",
    "np.random.choice(3, p=[0.2, 0.5, 0.3])",
    "np.random.choice([-1, 0, 1], p=(0.25, 0.25, 0.5))",
    "np.random.choice(x, p=np.full(len(x), 1 / len(x)))",
]
GENERATOR = [
    "rng.random()",
    "rng.uniform(-2, 3.5)",
    "rng.standard_normal()",
    "rng.normal(1.5, 0.25)",
    "rng.exponential()",
    "rng.exponential(1.5)",
    "rng.standard_exponential()",
    "rng.poisson(2.5)",
    "rng.poisson(12.5 + k)",
    "rng.binomial(12, 0.25) + rng.binomial(0, 0.5) + rng.binomial(5, 0) + rng.binomial(5, p=1)",
    "rng.binomial(n=1000 * k, p=abs(x[k]) % 1)",
    "rng.gamma(2.5, 0.5)",
    "rng.gamma(2, x[k] + 0.5 if k % 2 else 3) + rng.normal(1 if k % 3 else x[0])",
    "rng.gamma(0.3) + rng.gamma(1.0, scale=4) + rng.gamma(0)",
    "rng.standard_gamma(x[k] + 0.25)",
    "rng.chisquare(df=k % 7 + 1)",
    "rng.beta(0.5, 0.75)",
    "rng.beta(0.1, 0.2)",
    "rng.beta(a=2, b=k % 3 + 0.5)",
    "rng.integers(6)",
    "rng.integers(1)",
    "rng.integers(-3, k + 1)",
    "rng.integers(low=2, high=2**31)",
    "rng.choice(9)",
    "rng.choice([-1, 1])",
    "rng.choice(x)",
    "rng.choice(3, p=[0.2, 0.5, 0.3])",
    "rng.choice([0.5, 2.5], p=[0.125, 0.875])",
]
PYTHON = [
    "random.random()",
    "random.uniform(-2, 3)",
    "random.gauss(0.5, 2)",
    "random.expovariate(1.5)",
    "random.expovariate(k - 2.5)",
    "random.randint(1, 6)",
    "random.randint(3, 3)",
    "random.randrange(10)",
    "random.randrange(-5, k + 1)",
    "random.randint(0, 2**32 - 2)",
    "random.choice([2, 3.5, 5])",
    "random.choice(x)",
]

POSITIONS = """
import itertools
import random

def f(x, rng):
    count = 0
    for k in range(len(x)):
        x[{whole}] += {one}
        if x[k] > {one} and {other} < 0.5 or {one} > 1:
            x[k] = {other} if {one} < 0.3 else -{one}
        elif 0.2 < {one} < {other}:
            count += 1
        x[{whole} - 1], x[k] = {one}, {other}
        for j in range({whole} % 4):
            count += j
        while {one} > 0.6:
            count += 1
        {other}
        count += max({one}, {other}, 0.5) > min({one}, 2)
    return count
"""


def state(*generators: Any) -> str:
    legacy = np.random.get_state(legacy=False)
    return str((legacy, random.getstate(), [each.__getstate__() for each in generators]))


def outcome(call: Callable[..., Any], seed: int, new_generator: Callable[[int], Any]) -> Any:
    np.random.seed(seed)
    random.seed(seed)
    with np.printoptions(threshold=10**6, floatmode="unique"):
        given, rng = np.linspace(0, 1, LENGTH), new_generator(seed)
        try:
            result = call(given, rng)
        except (ValueError, OverflowError, IndexError) as error:
            result = error
        return repr(result), type(result), given.tolist(), state(rng)


def same(compiled: Native, new_generator: Callable[[int], Any] = np.random.default_rng) -> None:
    for seed in range(2):
        assert outcome(compiled, seed, new_generator) == outcome(compiled.function, seed, new_generator)
    assert compiled.runs == {"compiled": 2}


@pytest.mark.parametrize("drawn", [*LEGACY, *GENERATOR, *PYTHON])
def test_a_number_is_the_one_that_the_program_draws(drawn: str, make: Make) -> None:
    text = (
        "import random\n\ndef f(x, rng):\n    for k in range(len(x)):\n"
        f"        drawn = {drawn}\n        x[k] += drawn\n    return drawn"
    )
    same(make(text))


@pytest.mark.parametrize(
    "drawn",
    [
        "np.random.rand(3)",
        "np.random.rand(2, 3)",
        "np.random.randn(3)",
        "np.random.normal(0.5, 2, 3)",
        "np.random.normal(size=(2, 3))",
        "np.random.uniform(-1, 1, size=3)",
        "np.random.randint(0, 10, 3)",
        "np.random.random(k % 4)",
        "np.random.standard_normal(size=None) * np.ones(3)",
        "rng.random(3)",
        "rng.random((2, 3))",
        "rng.normal(size=3)",
        "rng.standard_normal(3)",
        "rng.uniform(-1, 1, 3)",
        "rng.integers(0, 10, size=3)",
        "np.random.normal(x[:3], 0.5)",
        "np.random.uniform(x[:3] - 2, high=x[:3] + 2)",
        "np.random.exponential(x[:2] + 0.5)",
        "rng.normal(x[:3], scale=abs(x[3:6]) + 0.5)",
        "rng.normal(x[:2, None], abs(x[:3]) + 1.0)",
        "rng.uniform(high=x[:3])",
        "rng.poisson(x[:3] * 20)",
        "np.random.binomial(40, 0.9, 3) + rng.binomial(7, 0.5, size=3)",
        "np.random.gamma(x[:3] + 0.5, scale=2) + rng.gamma(3.0, x[:3])",
        "rng.beta(x[:3] + 0.5, 2) + rng.chisquare(x[:3] + 2) + np.random.standard_gamma(x[:3])",
    ],
)
def test_a_small_array_is_the_one_that_the_program_draws(drawn: str, make: Make) -> None:
    text = (
        "def f(x, rng):\n    for k in range(len(x)):\n"
        f"        drawn = {drawn}\n        x[k] += (drawn - 0.5).sum() + len(drawn)\n"
    )
    same(make(text))


@pytest.mark.parametrize("bits", [np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64DXSM])
def test_every_bit_generator_serves(bits: Any, make: Make) -> None:
    text = "def f(x, rng):\n    for k in range(len(x)):\n        x[k] = rng.normal() + rng.integers(5)"
    same(make(text), lambda seed: np.random.Generator(bits(seed)))


def test_a_legacy_state_of_the_program(make: Make) -> None:
    text = (
        "def f(x, rng):\n    for k in range(len(x)):\n"
        "        x[k] = rng.randn() + rng.randint(5) + rng.rand()"
    )
    same(make(text), np.random.RandomState)


@pytest.mark.parametrize(
    ("one", "other", "whole"),
    [
        ("np.random.rand()", "np.random.normal()", "np.random.randint(len(x))"),
        ("rng.random()", "rng.normal()", "rng.integers(len(x))"),
        ("random.random()", "random.gauss(0, 1)", "random.randrange(len(x))"),
    ],
)
def test_draws_keep_their_order_wherever_they_stand(one: str, other: str, whole: str, make: Make) -> None:
    same(make(POSITIONS.format(one=one, other=other, whole=whole)))


@pytest.mark.parametrize(
    "drawn",
    [
        "np.random.randint(3 - k)",
        "np.random.uniform(0, 1e308 * (k + 1) * 10)",
        "np.random.normal(0, 2.0 - k)",
        "np.random.normal(0, np.array([1.0, 2.0 - k]))[0]",
        "np.random.normal(np.zeros(2), x[: 2 + k % 3] + 1.0)[0]",
        "rng.integers(3 - k)",
        "rng.normal(0, 2.0 - k)",
        "np.random.exponential(2.0 - k)",
        "rng.poisson(2.0 - k)",
        "rng.gamma(2.0 - k)",
        "np.random.gamma(1.5, 2.0 - k)",
        "np.random.chisquare(2.0 - k)",
        "np.random.binomial(9 - 3 * k, 0.5)",
        "rng.binomial(9, 0.75 + 0.125 * k)",
        "rng.beta(1e-3, 2e-3)",
        "rng.beta(2.0 - k, 0.5)",
        "np.random.poisson(10.0 ** (k * 5))",
        "random.randrange(3 - k)",
        "x[np.random.randint(k, len(x) + 1)]",
    ],
)
def test_what_is_left_after_an_exception(drawn: str, make: Make) -> None:
    text = (
        "import random\n\ndef f(x, rng):\n    for k in range(len(x)):\n"
        f"        x[k] = {drawn}\n    return np.random.randn()"
    )
    compiled = make(text)
    for seed in range(2):
        assert outcome(compiled, seed, np.random.default_rng) == outcome(
            compiled.function, seed, np.random.default_rng
        )


def test_a_range_of_more_than_32_bits_runs_as_written(make: Make) -> None:
    text = "def f(x, rng):\n    for k in range(len(x)):\n        x[k] = rng.random() + rng.integers(2**40)"
    compiled = make(text)
    assert outcome(compiled, 1, np.random.default_rng) == outcome(compiled.function, 1, np.random.default_rng)
    assert compiled.runs == {"as written: a value that is not followed": 1}


_SOURCES = {
    "rng": "rng.normal(k % 3)",
    "random": "random.gauss(0, 1)",
    "numpy": "np.random.randn()",
    "words": "np.random.randint(9) * random.random()",
}


@pytest.mark.parametrize(("one", "other"), [*itertools.combinations(_SOURCES, 2)])
def test_a_loop_draws_from_several_sources(one: str, other: str, make: Make) -> None:
    compiled = make(
        "import random\n\ndef f(x, rng):\n    for k in range(len(x)):\n"
        f"        x[k] = {_SOURCES[one]} - {_SOURCES[other]}"
    )
    for seed in (1, 2):
        assert outcome(compiled, seed, np.random.RandomState) == outcome(
            compiled.function, seed, np.random.RandomState
        )
    assert compiled.runs == {"compiled": 2}


BY_PYTHON = [
    "rnd.random()",
    "rnd.uniform(-2, k)",
    "rnd.gauss(1, 0.5)",
    "rnd.expovariate(2.5)",
    "rnd.randint(1, 6)",
    "rnd.randrange(7) + rnd.randrange(k + 1, 2 * k + 9)",
    "rnd.choice([1, 3, 4])",
    "rnd.choice(x)",
    "rnd.gauss(0, 1) + random.gauss(0, 1)",
]


@pytest.mark.parametrize("drawn", BY_PYTHON)
def test_generators_of_python(drawn: str, make: Make) -> None:
    compiled = make(f"import random\n\ndef f(x, rnd):\n    for k in range(len(x)):\n        x[k] = {drawn}")
    for seed in (1, 2):
        assert outcome(compiled, seed, random.Random) == outcome(compiled.function, seed, random.Random)
    assert compiled.runs == {"compiled": 2}


def test_one_generator_of_python_under_two_names(make: Make) -> None:
    compiled = make(
        "import random\n\ndef f(x, one, other):\n    for k in range(len(x)):\n"
        "        x[k] = one.random() - 2 * other.random()"
    )
    results = []
    for function in (compiled, compiled.function):
        x, rnd = np.zeros(LENGTH), random.Random(3)
        function(x, rnd, rnd)
        results.append([*x.tolist(), rnd.random()])
    assert results[0] == results[1]
    assert compiled.runs == {"as written: one generator under two names": 1}


class Counting(random.Random):
    """Draws other numbers."""

    def random(self) -> float:
        return 0.25


@pytest.mark.parametrize("kind", [Counting, random.SystemRandom])
def test_generators_of_other_classes_run_as_written(kind: Any, make: Make) -> None:
    compiled = make("def f(x, rnd):\n    for k in range(len(x)):\n        x[k] = rnd.random()")
    compiled(np.zeros(LENGTH), kind(3))
    assert not compiled.runs["compiled"]


@pytest.mark.parametrize("drawn", ["random", "standard_normal"])
def test_one_generator_under_two_names(drawn: str, make: Make) -> None:
    compiled = make(
        "def f(x, one, other):\n    for k in range(len(x)):\n"
        f"        x[k] = one.{drawn}() - 2 * other.{drawn}()"
    )
    results = []
    for function in (compiled, compiled.function):
        x, state = np.zeros(LENGTH), np.random.RandomState(3)
        function(x, state, state)
        results.append([*x.tolist(), state.standard_normal()])
    assert results[0] == results[1]


MARKOV = """
def f(x, rng):
    chances, wrong = np.array([[0.5, 0.25, 0.25], [0.2, 0.3, 0.5], [0, 0, 1]]), {wrong}
    chances[2, 0] += 0.125
    chances[2, 2] -= 0.125
    state = 0
    for k in range(len(x)):
        state = {source}.choice(3, p=chances[state])
        x[k] += state
        if k == 7 and wrong:
            chances[state] = {wrong}
    return state, {source}.random()
"""


@pytest.mark.parametrize("source", ["np.random", "rng"])
@pytest.mark.parametrize("wrong", ["0", "0.5", "-1", "np.nan"])
def test_chains_draw_their_states_with_the_chances_of_a_row(source: str, wrong: str, make: Make) -> None:
    compiled = make(MARKOV.format(source=source, wrong=wrong))
    for seed in range(3):
        expected = outcome(compiled.function, seed, np.random.default_rng)
        assert outcome(compiled, seed, np.random.default_rng) == expected
        assert ("ValueError" in expected[0]) == (wrong != "0")


def test_another_thread_does_not_draw_in_between(make: Make) -> None:
    compiled = make("def f(x, rng):\n    for k in range(len(x)):\n        x[k] = rng.random()")
    rng = np.random.default_rng(3)
    with rng.bit_generator.lock:
        # The lock may be taken again by the thread that has it.
        compiled(np.zeros(LENGTH), rng)
    assert rng.bit_generator.lock.acquire(blocking=False)
    rng.bit_generator.lock.release()


@pytest.mark.parametrize(
    ("module", "name", "given"),
    [(np.random, "rand", ""), (random, "random", ""), (random, "choice", "[1, 2]")],
)
def test_functions_that_a_test_puts_in_their_place_are_called(
    module: Any, name: str, given: str, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    dotted = f"{'np.random' if module is np.random else 'random'}.{name}({given})"
    compiled = make(f"import random\n\ndef f(x):\n    for k in range(len(x)):\n        x[k] = {dotted}")
    x = np.zeros(LENGTH)
    compiled(x)
    monkeypatch.setattr(module, name, lambda *_: 7.0)
    compiled(x)
    assert (x == 7).all()
    assert compiled.runs["compiled"] == 1


@pytest.mark.parametrize(
    ("line", "drawn"),
    [
        ("", "np.random.standard_normal(size)"),
        ("from numpy.random import standard_normal", "standard_normal(size)"),
    ],
)
def test_a_long_array_that_is_drawn_is_no_row(line: str, drawn: str) -> None:
    text = (
        f"import numpy as np\n{line}\n\ndef f(size: int, n: int):\n"
        "    v, kept = np.zeros(size), np.zeros(n)\n    for k in range(n):\n"
        f"        noise = {drawn}\n        v = v - 0.5 * v + 0.1 * noise\n"
        "        kept[k] = np.mean(v**2)\n    return kept\n"
    )
    assert "@npr.native" not in rewrite_source(text, "f.py", Options()).text
