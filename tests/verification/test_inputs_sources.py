"""Calls from the command line, from a cases file, and from annotations."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from road_tools import sides_of, target

from nprewrite.comparison.case import Case
from nprewrite.verification.generated import LARGEST, LARGEST_INT, ORDINARY, SPECIAL, generated
from nprewrite.verification.inputs import Inputs, callee
from nprewrite.verification.labels import describe
from nprewrite.verification.messages import Calls, CasesFile, Generated, Source
from nprewrite.verification.problems import CannotVerify

TEXT = """
import numpy as np
SIZE = 3
class A: pass
def f(x, *rest, **named): return x
def g(x: float, n: int = 2): return x
def main(): return f(1)
"""


@pytest.fixture(autouse=True)
def _without_the_module() -> Iterator[None]:
    yield
    sys.modules.pop("waves", None)


def inputs(folder: Path, source: Source, *names: str) -> Inputs:
    sides = sides_of(folder, TEXT, TEXT, *names)
    return Inputs(source, sides, [target(name, direct=name != "main") for name in names])


def cases_file(folder: Path, text: str) -> CasesFile:
    path = folder / "waves_cases.py"
    path.write_text(text)
    return CasesFile(str(path))


def test_a_call_is_evaluated_in_the_module(tmp_path: Path) -> None:
    expression = "f(np.ones(SIZE), *[k for k in range(SIZE)], key=A)"
    found = inputs(tmp_path, Calls((expression,)), "f")
    [(name, case)] = found.cases()
    assert (name, case.label) == ("f", expression)
    assert case.args[0].tolist() == [1.0, 1.0, 1.0]
    assert case.args[1:] == (0, 1, 2)
    assert case.kwargs["key"].__name__ == "A"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("f(1", "is no Python expression"),
        ("f", "expected a call of a function by its name"),
        ("f(1) + 1", "expected a call of a function by its name"),
        ("(lambda x: x)(1)", "expected a call of a function by its name"),
        ("fs[0](1)", "expected a call of a function by its name"),
    ],
)
def test_what_is_no_call(expression: str, message: str) -> None:
    with pytest.raises(CannotVerify, match=message):
        callee(expression)


def test_the_callee_may_be_a_method() -> None:
    assert callee(" Grid.step(Grid(3), 2) ") == "Grid.step"


def test_an_argument_that_raises(tmp_path: Path) -> None:
    with pytest.raises(CannotVerify, match=r"its arguments raise NameError: name 'missing' is not defined"):
        list(inputs(tmp_path, Calls(("f(missing)",)), "f").cases())


def test_arguments_from_a_cases_file(tmp_path: Path) -> None:
    text = (
        "from waves import A\nfrom nprewrite.comparison import Case\nimport numpy as np\n"
        "def cases():\n    yield np.zeros((2, 3), 'f4'), A, 2\n    yield [1]\n"
        "    yield 'f', (5,)\n    yield Case('mine', (7,), {'key': 8})\n    yield 'other', 3\n"
    )
    found = list(inputs(tmp_path, cases_file(tmp_path, text), "f").cases())
    assert [name for name, _ in found] == ["f"] * 5
    assert [case.label for _, case in found] == [
        "f(float32[2, 3], A, 2)",
        "f(1)",
        "f(5)",
        "mine",
        "f('other', 3)",
    ]
    assert found[3][1] == Case("mine", (7,), {"key": 8})


def test_functions_of_a_cases_file_that_are_not_compared_are_noted_once(tmp_path: Path) -> None:
    text = "def cases():\n    yield 'g', (1,)\n    yield 'g', (2,)\n    yield 'f', (3,)\n"
    source = cases_file(tmp_path, text)
    found = inputs(tmp_path, source, "f")
    assert [case.args for _, case in found.cases()] == [(3,)]
    assert found.notes == [f"{source.path}: cases of g are left out; it is not to be compared"]


@pytest.mark.parametrize(
    ("text", "names", "message"),
    [
        ("x = 1\n", ["f"], r"defines no function cases\(\)"),
        ("import no_such_module\n", ["f"], "cannot be run: ModuleNotFoundError"),
        ("def cases():\n    yield 3\n", ["f"], "yields 3; expected a tuple of arguments"),
        ("def cases():\n    yield (3,)\n", ["f", "g"], "there are several: f, g; write FILE::f"),
        (
            "def cases():\n    yield (3,)\n    raise KeyError('k')\n",
            ["f"],
            r"cases\(\) of .* raises KeyError: 'k'",
        ),
    ],
)
def test_a_cases_file_that_does_not_work(tmp_path: Path, text: str, names: list[str], message: str) -> None:
    with pytest.raises(CannotVerify, match=message):
        list(inputs(tmp_path, cases_file(tmp_path, text), *names).cases())


def test_the_one_rewritten_function_gets_the_bare_arguments(tmp_path: Path) -> None:
    found = inputs(tmp_path, cases_file(tmp_path, "def cases():\n    yield (3,)\n"), "f", "main")
    assert [name for name, _ in found.cases()] == ["f"]


def test_generated_cases_leave_out_what_cannot_be_called(tmp_path: Path) -> None:
    found = inputs(tmp_path, Generated(), "f", "g", "main")
    assert {name for name, _ in found.cases()} == {"g"}
    assert found.notes == ["not compared: f: parameter x has no annotation"]


def test_the_user_is_asked_where_nothing_can_be_generated(tmp_path: Path) -> None:
    with pytest.raises(CannotVerify, match=r"parameter x has no annotation\ngive calls yourself: --call"):
        list(inputs(tmp_path, Generated(), "f").cases())


def annotated(
    a: npt.NDArray[np.float32],
    z: npt.NDArray[np.complex128],
    k: npt.NDArray[np.int8],
    x: float,
    n: int,
    flag: bool,
    w: np.float32,
    scale: float = 2.0,
    mode: object = None,
) -> None: ...


def test_generated_values_have_the_annotated_types() -> None:
    found = [case.kwargs for case in generated(annotated, "annotated")]
    assert len(found) > ORDINARY
    for values in found:
        assert [values[name].dtype for name in "azk"] == [np.float32, np.complex128, np.int8]
        assert values["a"].shape == values["z"].shape == values["k"].shape
        assert (type(values["x"]), type(values["flag"]), type(values["w"])) == (float, bool, np.float32)
        assert 0 <= values["n"] <= LARGEST_INT
        assert "mode" not in values
    assert len({values["a"].shape for values in found}) > 3
    assert len({values["n"] for values in found}) > 3


def test_special_values_are_in_cases_of_their_own() -> None:
    found = list(generated(annotated, "annotated"))
    special = [case for case in found if case.label.endswith(", any values")]
    ordinary = [case for case in found if case not in special]
    assert 1 <= len(special) <= SPECIAL
    for case in ordinary:
        assert np.all(np.abs(case.kwargs["a"]) <= LARGEST)
        # NumPy rounds the magnitudes of arrays in another way than those of numbers.
        assert np.all(np.abs(case.kwargs["z"]) <= LARGEST * (1 + 1e-12))
    extreme = [case.kwargs["a"] for case in special]
    assert any(np.any(~(np.abs(a) <= LARGEST)) for a in extreme)


def test_generated_cases_repeat() -> None:
    def shown() -> list[tuple[str, Any]]:
        return [(case.label, case.kwargs["a"].tobytes()) for case in generated(annotated, "annotated")]

    assert shown() == shown()


def no_dtype(a: npt.NDArray[Any]) -> None: ...


def a_list(a: list[float]) -> None: ...


def positional(a: float, /) -> None: ...


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (no_dtype, "parameter a is annotated .*, and no values can be made for that"),
        (a_list, r"parameter a is annotated .*list\[float\].*, and no values can be made for that"),
        (positional, "parameter a is positional only"),
    ],
)
def test_annotations_that_do_not_suffice(function: Any, message: str) -> None:
    with pytest.raises(CannotVerify, match=message):
        list(generated(function, "f"))


def test_hypothesis_is_asked_for_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(CannotVerify, match=r"hypothesis, which is not installed .*: pip install hypothesis"):
        list(generated(annotated, "annotated"))


def test_a_call_in_one_line() -> None:
    assert (
        describe("f", (2.0, np.zeros((3, 4), "f4")), {"n": np.int8(7)}) == "f(2.0, float32[3, 4], n=int8(7))"
    )
    assert describe("f", ("a\nb", None, describe), {}) == "f('a\\nb', None, describe)"
    long = describe("f", tuple(range(100)), {})
    assert (len(long), long[-1]) == (72, "…")
