"""The oracle computes in higher precision what the program computes, or says why it cannot."""

from __future__ import annotations

import textwrap
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from nprewrite.comparison import Case, Verdict, verify
from nprewrite.comparison.arithmetic import Rounding
from nprewrite.comparison.memory import copy_arguments
from nprewrite.comparison.oracle import Answer, NoOracle, Oracle, oracle_from_function, oracle_of
from nprewrite.comparison.widths import wide, widened, widened_group

WIDE = {np.dtype("float32"): np.dtype("float64"), np.dtype("float64"): np.dtype("longdouble")}
THIRDS = np.array([1 / 3, 2 / 3, 0.1])
LONG = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant

needs_long_double = pytest.mark.skipif(not LONG, reason="long double has no more digits here")


def oracle(body: str, parameters: str = "x") -> Oracle:
    """The oracle of ``f``, whose body is given."""
    text = (
        "import math\nimport numpy as np\nfrom numpy import *\n\n"
        f"def f({parameters}):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
    )
    made = oracle_of(text, "program.py", "f")
    assert isinstance(made, Oracle)
    return made


def answer(body: str, *args: Any, rounding: Rounding | None = None) -> Any:
    """What the oracle of ``f`` gives for arguments named x, y, z."""
    made = oracle(body, ", ".join("xyz"[: len(args)]))(Case("", args), rounding=rounding)
    if isinstance(made, NoOracle):
        return made
    assert made.observation.exception is None, made.observation.exception
    return made.leaves.values["result"]


def exactly(value: Any) -> Fraction:
    """The exact value of a floating scalar of any precision."""
    high = float(value)
    return Fraction(high) + Fraction(float(value - np.longdouble(high)))


@needs_long_double
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x + y", lambda x, y: x + y),
        ("return x * y - y", lambda x, y: x * y - y),
        ("return np.multiply(x, y) / 3", lambda x, y: x * y / 3),
        ("return multiply(x, y)", lambda x, y: x * y),
        ("x *= y\nx -= 1\nreturn x", lambda x, y: x * y - 1),
        ("z = np.zeros_like(x)\nz[...] = x * y\nreturn z", lambda x, y: x * y),
        ("z = np.zeros(3, x.dtype)\nz[:] = x / y\nreturn z", lambda x, y: x / y),
        ("z = x.copy()\nz[:2] += y[:2]\nz[2:] += y[2]\nreturn z", lambda x, y: x + y),
        ("return (x * y).astype(x.dtype)", lambda x, y: x * y),
        ("return np.where(x > 0, x * y, y)", lambda x, y: x * y),
        ("return np.square(x) ** 2", lambda x, y: x**4),
        ("return np.stack([x * y, y])[0]", lambda x, y: x * y),
        ("return abs(-x) * y", lambda x, y: x * y),
        ("return np.add.outer(x, y).diagonal()", lambda x, y: x + y),
    ],
)
def test_results_are_those_of_higher_precision(dtype: str, body: str, expected: Any) -> None:
    x, y = THIRDS.astype(dtype), THIRDS[::-1].astype(dtype) / 7
    made = answer(body, x.copy(), y)
    assert made.dtype == WIDE[x.dtype]
    for a, b, value in zip(x, y, made, strict=True):
        truth = expected(Fraction(float(a)), Fraction(float(b)))
        error = abs(exactly(value) - truth) / abs(truth)
        assert error <= 4 * Fraction(float(np.finfo(made.dtype).eps))


@needs_long_double
@pytest.mark.parametrize(
    ("body", "dtype"),
    [
        ("return np.zeros(3)", "longdouble"),
        ("return np.zeros(3, 'float32')", "float64"),
        ("return np.zeros(3, dtype=np.float32)", "float64"),
        ("return np.ones(3, dtype='c8')", "complex128"),
        ("return np.full((2, 2), 0.1)", "longdouble"),
        ("return zeros(3, dtype=complex)", "clongdouble"),
        ("return np.arange(3) / 2", "longdouble"),
        ("return np.arange(3) * 0.5", "longdouble"),
        ("return np.sqrt(np.arange(3))", "longdouble"),
        ("return np.arange(3).mean()", "longdouble"),
        ("return np.mean(np.arange(3))", "longdouble"),
        ("return np.arange(3).astype('float32')", "float64"),
        ("return np.arange(3).astype(float)", "longdouble"),
        ("return np.float32(0.5)", "float64"),
        ("return np.random.default_rng(0).random(3)", "longdouble"),
        ("return np.random.rand(3)", "longdouble"),
        ("return np.linspace(0, 1, 3, dtype='float32')", "float64"),
        ("return np.array([1.0, 2.0], dtype=np.float16)", "float32"),
        ("return np.ones(2, 'f4') * np.ones(2, 'f8')", "longdouble"),
        ("return np.ones(2, 'f4') * np.ones(2, 'i8')", "longdouble"),
        ("return np.ones(2, 'f4') * np.ones(2, 'i2')", "float64"),
        ("return np.ones(2, 'f4') * 1j", "complex128"),
        ("return np.ones(2, 'f4') * 2 + 0.5", "float64"),
        ("return np.abs(np.ones(2, 'c8'))", "float64"),
        ("return np.ones(2, 'c8').real", "float64"),
        ("return np.ones(2, 'c8').view('f4')", "float64"),
        ("return np.add(1, np.ones(2, 'f4'), dtype='f8')", "longdouble"),
        ("return np.float64(2) * np.ones(2, 'f4')", "longdouble"),
        ("return np.fft.fft(np.ones(4))", "clongdouble"),
        ("return np.ones(2) @ np.ones(2)", "longdouble"),
        ("return np.arange(3)", "int64"),
        ("return np.ones(2) > 0", "bool"),
        ("return np.ones(2).astype(int)", "int64"),
    ],
)
def test_dtypes_are_those_of_the_program_widened(body: str, dtype: str) -> None:
    own: dict[str, Any] = {}
    exec(f"import numpy as np\nfrom numpy import *\ndef f():\n    {body}", own)
    assert wide(np.asarray(own["f"]()).dtype) == np.dtype(dtype)
    assert answer(body).dtype == np.dtype(dtype)


def test_python_numbers_are_converted_as_numpy_converts_them() -> None:
    """Beside float32 the program computes with the float32 nearest 0.1, so that x == 0.1 can hold."""
    x = np.array([0.1], dtype="float32")
    assert answer("return x == 0.1", x).tolist() == [True]
    assert answer("return np.equal(x, 0.1)", x).tolist() == [True]
    assert answer("return x - 0.1", x).tolist() == [0.0]
    assert answer("y = np.zeros_like(x)\ny[0] = 0.1\nreturn x - y", x).tolist() == [0.0]
    assert answer("return x - np.where(x > 0, 0.1, x)", x).tolist() == [0.0]
    assert answer("return x - np.full(1, 0.1, dtype=x.dtype)", x).tolist() == [0.0]
    assert answer("return x - np.float32(0.1)", x).tolist() == [0.0]


@pytest.mark.parametrize("x", [np.float32(0.3), np.float32(2.5)])
def test_scalar_arguments_are_widened(x: Any) -> None:
    made = answer("return x * x", x)
    assert type(made) is np.float64
    assert made == float(x) ** 2


@needs_long_double
def test_math_is_widened() -> None:
    made = answer("return math.sqrt(x[0]) + math.pi", np.array([2.0]))
    assert isinstance(made, np.longdouble)
    assert abs(made - (np.sqrt(np.longdouble(2)) + np.longdouble(np.pi))) < 1e-18
    failing = oracle("return math.sqrt(x[0])")(Case("", (np.array([-2.0]),)))
    assert isinstance(failing, Answer)
    assert isinstance(failing.observation.exception, ValueError)


def test_widened_arguments_share_memory_as_before() -> None:
    z = np.arange(6.0).reshape(2, 3).astype("complex64")
    args = (z, z.real, z[:, ::-1].imag, z.T)
    (whole, real, imag, turned), _ = copy_arguments(args, {}, widened_group, widened)
    assert (whole.dtype, real.dtype) == (np.dtype("complex128"), np.dtype("float64"))
    whole[0, 2] = 7 + 8j
    assert (real[0, 2], imag[0, 0], turned[2, 0]) == (7, 8, 7 + 8j)


def test_views_and_stores_reach_the_arguments() -> None:
    body = "y = x[1:]\ny += 1\nx[0] -= 0.5\nreturn y"
    made = oracle(body)(Case("", (np.zeros(3, "float32"),)))
    assert isinstance(made, Answer)
    assert made.leaves.values["args[0]"].tolist() == [-0.5, 1, 1]
    assert np.shares_memory(made.leaves.values["args[0]"], made.leaves.values["result"])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("def f(x):\n    x += 1\n    x[0] *= 2\n    return x", [4.0, 3.0]),
        ("class A:\n    pass\ndef f(x):\n    a = A()\n    a.x = x\n    a.x -= 1\n    return a.x", [0.0, 1.0]),
        ("def f(x):\n    n = 0\n    n += 1\n    n **= 2\n    return x + n", [2.0, 3.0]),
        ("def f(x):\n    return x[0] < x[1] < 3 and x", [1.0, 2.0]),
        ("def g(x):\n    return x * 2\ndef f(x):\n    return g(x)", [2.0, 4.0]),
        ("scale = np.array([2.0, 1])\ndef f(x):\n    return x * scale", [2.0, 2.0]),
        ("def f(x):\n    return np.array([max(x), min(x)])", [2.0, 1.0]),
        ("def f(x):\n    return np.array([y * 1 for y in x])[::-1]", [2.0, 1.0]),
        ("def f(x, *, by: 'np.float32' = 2.0) -> np.ndarray | None:\n    return x * by", [2.0, 4.0]),
        ("def f(x):\n    a = [1]\n    a += [2]\n    return x * np.asarray(a)", [1.0, 4.0]),
        ("def f(x):\n    x[1:] = x[:-1]\n    return x", [1.0, 1.0]),
        ("def f(x):\n    y = x.copy()\n    y[..., 0] += x[1, ...]\n    return y", [3.0, 2.0]),
        (
            "import functools\n@functools.cache\ndef g(n):\n    return n\ndef f(x):\n    return x * g(3)",
            [3.0, 6.0],
        ),
        ("import nprewrite\n@nprewrite.jit\ndef f(x):\n    return x * 2", [2.0, 4.0]),
        ("import nprewrite\n@nprewrite.jit(tune=True)\ndef f(x):\n    return x * 2", [2.0, 4.0]),
        (
            "class A:\n    def f(self):\n        super().__hash__()\ndef f(x):\n    A().f()\n    return x",
            [1, 2],
        ),
        ("def f(x):\n    print(x)\n    return x", [1.0, 2.0]),
        (
            "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: 'int'\n"
            "def f(x):\n    return A(x).x",
            [1, 2],
        ),
    ],
)
def test_programs_keep_their_meaning(
    text: str, values: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    made = oracle_of(f"import numpy as np\n{text}\n", "program.py", "f")
    assert isinstance(made, Oracle)
    found = made(Case("", (np.array([1.0, 2.0], dtype="float32"),)))
    assert isinstance(found, Answer)
    assert found.observation.exception is None
    assert np.asarray(found.leaves.values["result"]).tolist() == values
    assert capsys.readouterr().out == ""


@needs_long_double
@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("def f(x):\n    return np.linalg.inv(x)", "np.inv has no long double"),
        ("def f(x):\n    return np.interp(x[0], x[0], x[1])", "np.interp has no long double"),
        ("def f(x):\n    return x.view('int64')", "reads the bytes"),
        ("def f(x):\n    return math.gamma(x[0, 0])", "math.gamma has no long double"),
        ("def f(x):\n    return np.longdouble(1) * x", "nothing is wider"),
        ("from textwrap import dedent\n1 / 0", "run again, raises ZeroDivisionError"),
        ("import missing_module", "run again, raises ModuleNotFoundError"),
        ("from judged_programs import root\ndef f(x):\n    return root(x)", "computes in another module"),
        ("def f(x):\n    raise MemoryError('2 TiB')", "not enough memory for higher precision: 2 TiB"),
        ("def g(x):\n    return x", "run again, raises AttributeError"),
    ],
)
def test_reasons_without_oracle(text: str, because: str) -> None:
    made = oracle_of(f"import math\nimport numpy as np\n{text}\n", "program.py", "f")
    assert isinstance(made, Oracle)
    found = made(Case("", (np.eye(2),)))
    assert isinstance(found, NoOracle)
    assert because in found.because


@needs_long_double
def test_a_function_of_the_program_that_is_handed_on_is_widened() -> None:
    text = "def third(x):\n    return x / 3\n\ndef f(g, x):\n    return g(x)\n"
    home: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), home)
    made = oracle_of(text, "program.py", "f")
    assert isinstance(made, Oracle)
    found = made(Case("", (home["third"], np.ones(1))))
    assert isinstance(found, Answer), found
    assert abs(exactly(found.leaves.values["result"][0]) - Fraction(1, 3)) < Fraction(1, 2**60)


def test_functions_without_source() -> None:
    def local(x: Any) -> Any:
        return x

    for function, because in (
        (local, "defined inside of a function"),
        (np.sort, None),
        (len, "cannot be read"),
        (object(), "no module"),
    ):
        made = oracle_from_function(function)  # type: ignore[arg-type]
        assert because is None or (isinstance(made, NoOracle) and because in made.because)
    unparsable = oracle_of("def f(:\n", "broken.py", "f")
    assert isinstance(unparsable, NoOracle)
    assert "broken.py does not parse" in unparsable.because


def test_random_numbers_are_those_of_the_program() -> None:
    state = np.random.get_state()
    expected = np.random.rand(3)
    np.random.set_state(state)
    assert answer("return np.random.rand(3)").astype(float).tolist() == expected.tolist()


def test_sums_know_their_terms() -> None:
    x = np.array([1e8, 1.0, -1e8, 1.0])
    made = oracle("return x.sum(), x * 1")(Case("", (x,)))
    assert isinstance(made, Answer)
    assert made.sums.size_of(made.leaves.values["result[0]"]) == pytest.approx(2 * (2e8 + 2))
    assert made.sums.size_of(made.leaves.values["result[1]"]) is None


def test_sum_of_cancelling_terms_may_err_as_sums_do() -> None:
    x = np.tile(np.array([1e8, 1.1, -1e8, 0.3]), 100)
    assert verify(total, total_backwards, [(x,)]).same
    assert not verify(total, total_without_one, [(x,)]).same


def total(x: Any) -> Any:
    return np.sum(x)


def total_backwards(x: Any) -> Any:
    made = np.float64(0)
    for value in x[::-1]:
        made += value
    return made


def total_without_one(x: Any) -> Any:
    return np.sum(x) - x[3]


def test_perturbed_runs_leave_exact_operations_alone() -> None:
    x = np.arange(8, dtype="float32")
    body = "return (x * 2 + 1 - x / 4) * 1j"
    plain = answer(body, x)
    for seed in range(5):
        np.testing.assert_array_equal(answer(body, x, rounding=Rounding(seed)), plain)


def test_perturbed_runs_move_inexact_operations_by_some_units() -> None:
    x = np.linspace(1, 2, 50, dtype="float32") / np.float32(3)
    plain = answer("return x * x", x)
    made = [answer("return x * x", x, rounding=Rounding(seed)) for seed in range(20)]
    moved = np.abs(np.array(made) / plain - 1) / np.finfo(np.float32).eps
    assert 2 < moved.max() <= 10
    assert all((each.astype(np.float32) == each).all() for each in made)
    np.testing.assert_array_equal(answer("return x * x", x, rounding=Rounding(3)), made[3])


def test_oracle_does_not_need_the_program_to_be_right() -> None:
    """The program raises, and so does its oracle; there is nothing to judge but the exception."""
    assert verify(beyond, beyond, [(np.ones(2),)]).cases[0].verdict is Verdict.SAME


def beyond(x: Any) -> Any:
    return x[9]
