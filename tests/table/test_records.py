"""What the records of attributes, methods, creation and effects say is what NumPy does."""

from __future__ import annotations

import ast
import inspect
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

from nprewrite.analysis.memory import changed_by
from nprewrite.analysis.repeated_cost import costly_operations, is_pure
from nprewrite.analysis.rounding import rounds
from nprewrite.analysis.signed_values import signed
from nprewrite.numpy_api.attributes import ATTRIBUTES, is_of_layout, is_view
from nprewrite.numpy_api.creation import CREATION
from nprewrite.numpy_api.effects import EFFECTS
from nprewrite.numpy_api.elementwise import ELEMENTWISE, Elementwise
from nprewrite.numpy_api.functions import FUNCTIONS
from nprewrite.numpy_api.methods import METHODS, only_reads
from nprewrite.program.function import Function, Module
from nprewrite.source.document import Document
from nprewrite.types.values import Array, Unknown


def _function(line: str) -> tuple[Function, ast.expr]:
    """A function of one assignment over a matrix ``x``, and the value that it assigns."""
    text = f"import numpy as np\n\n\ndef f(x):\n    {line}\n"
    given = {"f": {"x": Array(np.dtype("f8"), ("n", "n"))}}
    function = next(each for each in Module(Document(text), given).functions if each.name == "f")
    statement = function.node.body[0]
    assert isinstance(statement, ast.Assign)
    return function, statement.value


def _call(text: str) -> ast.Call:
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Call)
    return node


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes(name: str) -> None:
    x = np.ones((2, 3)) * (1 + 1j)
    value = getattr(x, name)
    assert is_view(name) is not is_of_layout(name)
    if name == "flat":
        assert value.base is x
    else:
        assert is_view(name) is (isinstance(value, np.ndarray) and np.shares_memory(value, x))


@pytest.mark.parametrize("name", METHODS)
def test_methods(name: str) -> None:
    x = np.arange(3.0)
    method = getattr(x if name != "item" else x[:1], name)
    value = method("f4") if name == "astype" else method()
    assert value is not None
    assert only_reads(name)
    assert x.tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", [name for name, each in EFFECTS.items() if each.method])
def test_methods_that_change_their_array(name: str) -> None:
    x = np.array([3.0, 1.0, 2.0])
    arguments: dict[str, tuple[Any, ...]] = {
        "fill": (7,),
        "put": ([0], 7),
        "partition": (1,),
        "resize": ((2,),),
    }
    if name == "resize":
        x.resize((2,), refcheck=False)
    else:
        assert getattr(x, name)(*arguments.get(name, ())) is None
    assert x.tolist() != [3, 1, 2]
    assert not only_reads(name)


@pytest.mark.parametrize("name", [name for name, each in CREATION.items() if each.pure or each.view])
def test_created_arrays_are_the_function_s_own(name: str) -> None:
    """``view`` is what gives an array that it takes; ``pure`` ones are new each time."""
    function, made = getattr(np, name), CREATION[name]
    if made.view and made.rule == "converted":
        x = np.ones(3)
        assert function(x) is x
    elif made.pure:
        arguments = {"full": (3, 1.0), "linspace": (0, 1, 3), "array": ([1, 2],)}.get(name, (3,))
        one, other = function(*arguments), function(*arguments)
        assert type(one) is np.ndarray
        assert not np.shares_memory(one, other)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_positions_are_those_of_numpy(name: str) -> None:
    """The arguments behind the arrays; ``out`` is among them wherever it may be given by position."""
    try:
        function = attrgetter(name)(np)
    except AttributeError:
        return
    positional = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        each.name for each in inspect.signature(function).parameters.values() if each.kind in positional
    ]
    record = FUNCTIONS[name]
    behind, positions = parameters[max(record.arrays, 1) :], record.positions.split()
    assert ("out" in behind) == ("out" in positions) or isinstance(function, np.ufunc)
    assert not isinstance(function, np.ufunc) or positions in (["out"], ["axis"])
    assert isinstance(function, np.ufunc) or behind[: len(positions)] == positions


@pytest.mark.parametrize(
    ("text", "dotted", "changed"),
    [
        ("np.add(a, b, c)", "numpy.add", ["c"]),
        ("np.sum(a, 0, None, c)", "numpy.sum", ["c"]),
        ("np.dot(a, b, c)", "numpy.dot", ["c"]),
        ("np.concatenate((a, b), 0, c)", "numpy.concatenate", ["c"]),
        ("np.add.reduceat(a, k, 0, None, c)", "numpy.add.reduceat", ["c"]),
        ("np.clip(a, 0, 1, c)", "numpy.clip", ["c"]),
        ("a.clip(0, 1, c)", None, ["c"]),
        ("a.conj(c)", None, ["c"]),
        ("a.cumsum(0, None, c)", None, ["c"]),
        ("a.dot(b, c)", None, ["c"]),
        ("a.take(k, 0, c)", None, ["c"]),
        ("np.sin(a, out=c)", "numpy.sin", ["c"]),
        ("np.add.at(c, k, b)", "numpy.add.at", ["c"]),
        ("np.copyto(c, a)", "numpy.copyto", ["c"]),
        ("c.sort()", None, ["c"]),
        ("np.add(a, b)", "numpy.add", []),
        ("a.append(c)", None, []),
        ("np.vectorize(g)(a)", "numpy.vectorize", []),
    ],
)
def test_what_a_call_changes(text: str, dotted: str | None, changed: list[str]) -> None:
    call = _call(text)
    assert [ast.unparse(each) for each in changed_by(call, dotted)] == changed


def test_a_new_record_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks for records asks when it needs one."""
    function, value = _function("y = np.made_up(x)")
    assert isinstance(function.facts.value(value), Unknown)
    monkeypatch.setattr(np, "made_up", np.tanh, raising=False)
    monkeypatch.setitem(ELEMENTWISE, "made_up", Elementwise(np.tanh, costly=True, odd=True))
    function, value = _function("y = np.made_up(x)")
    assert function.facts.value(value) == Array(np.dtype("f8"), ("n", "n"), fresh=True)
    assert is_pure(value, function)
    assert [*costly_operations(value, function)] == [value]
    function, negated = _function("y = np.made_up(-x)")
    assert signed(negated, function) == (-1, "np.made_up(x)")
    assert rounds(negated, function)
