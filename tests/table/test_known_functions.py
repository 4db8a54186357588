"""What the tables say of NumPy's functions is what NumPy does: dtype, type, rank, shape, fresh memory."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest
from table_forms import ALL, DTYPES, FORMS, NAMES, arguments

from nprewrite.numpy_api.functions import FUNCTIONS
from nprewrite.program.function import Function, Module
from nprewrite.source.document import Document
from nprewrite.types.values import Array, Items, Scalar, Unknown, Value

pytestmark = pytest.mark.filterwarnings("ignore")

SIZES = [(5, 7), (7, 5), (4, 4), (6, 9)]
_PYTHON: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex}


def _function(dtype: str, ranks_known: bool) -> Function:
    lines = "".join(f"    r{number} = {form}\n" for number, form in enumerate(ALL))
    text = f"import numpy as np\n\n\ndef f({', '.join(NAMES)}):\n{lines}"
    shapes: dict[str, Any] = {"x": ("n", "m"), "y": ("n", "m"), "s": ("n", "n")}
    given: dict[str, Value] = {}
    for name in NAMES:
        shape = shapes.get(name, ("n",)) if ranks_known else f"shape({name})"
        given[name] = Array(np.dtype("int64" if name == "k" else dtype), shape)
    return next(each for each in Module(Document(text), {"f": given}).functions if each.name == "f")


def _values(dtype: str, *, ranks_known: bool) -> dict[str, Value]:
    function = _function(dtype, ranks_known)
    statements = [each for each in function.node.body if isinstance(each, ast.Assign)]
    return {form: function.facts.value(each.value) for form, each in zip(ALL, statements, strict=True)}


def _differences(value: Value, given: Any, taken: list[Any], axes: dict[str, int]) -> list[str]:
    """What is wrong of ``value``; ``axes`` collects how long each symbol is."""
    match value:
        case Array():
            if not isinstance(value.shape, tuple) and isinstance(given, np.generic):
                # The sum over an axis of an array with one axis.
                return [] if given.dtype == value.dtype else [f"a scalar of {given.dtype}, not {value.dtype}"]
            if type(given) is not np.ndarray or given.dtype != value.dtype:
                return [
                    f"{type(given).__name__} {getattr(given, 'dtype', '')}, not an array of {value.dtype}"
                ]
            found = [
                f"shares the memory of {each.shape}"
                for each in taken
                if value.fresh and np.shares_memory(given, each)
            ]
            if not isinstance(value.shape, tuple):
                return found
            if len(value.shape) != given.ndim:
                return [*found, f"{given.ndim} axes, not {len(value.shape)}"]
            lengths = zip(value.shape, given.shape, strict=True)
            return found + [
                f"{axis} is {length}" for axis, length in lengths if axes.setdefault(axis, length) != length
            ]
        case Scalar(dtype=None):
            return [] if type(given) is _PYTHON[value.kind] else [f"{type(given).__name__}, not {value.kind}"]
        case Scalar():
            scalar = isinstance(given, np.generic) and given.dtype == value.dtype
            return [] if scalar else [f"{type(given).__name__}, not a scalar of {value.dtype}"]
        case Items():
            if len(given) != len(value.values):
                return [f"{len(given)} results, not {len(value.values)}"]
            pairs = zip(value.values, given, strict=True)
            return [text for inner, each in pairs for text in _differences(inner, each, taken, axes)]
    return [str(value)]


def _run(form: str, taken: dict[str, Any]) -> Any:
    """What NumPy gives; None where it raises."""
    try:
        return eval(form, {"np": np, **taken})
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return None


def test_every_line_has_a_form() -> None:
    assert set(FUNCTIONS) <= set(FORMS)
    missing = {name for name in FUNCTIONS if not FORMS[name]}
    assert not [name for name in missing if hasattr(np, name)]


def test_a_function_that_this_numpy_has_not_is_unknown() -> None:
    text = "import numpy as np\n\n\ndef f(x):\n    y = np.flatten(x)\n"
    given: dict[str, Value] = {"x": Array(np.dtype(float), ("n",))}
    function = next(each for each in Module(Document(text), {"f": given}).functions if each.name == "f")
    (assignment,) = function.node.body
    assert isinstance(assignment, ast.Assign)
    assert function.facts.value(assignment.value) == Unknown("this NumPy has no `flatten`")


@pytest.mark.parametrize("dtype", DTYPES)
def test_facts_are_what_numpy_gives(dtype: str) -> None:
    values, wrong = _values(dtype, ranks_known=True), []
    for rows, columns in SIZES:
        taken = arguments(dtype, rows, columns)
        axes: dict[Any, int] = {**{size: size for size in range(100)}, "n": rows, "m": columns}
        for form, value in values.items():
            given = _run(form, taken)
            if given is None:
                continue
            found = _differences(value, given, list(taken.values()), axes)
            wrong += [f"{form}: {each}" for each in found]
    assert wrong == []


@pytest.mark.parametrize("dtype", ["int32", "float32", "complex128"])
def test_facts_of_unknown_ranks(dtype: str) -> None:
    """Where the number of axes is not known, what is said holds for the arrays of the forms."""
    values, wrong = _values(dtype, ranks_known=False), []
    taken = arguments(dtype, 5, 7)
    for form, value in values.items():
        given = _run(form, taken)
        if given is None or isinstance(value, Unknown):
            continue
        axes: dict[Any, int] = {size: size for size in range(100)}
        wrong += [f"{form}: {each}" for each in _differences(value, given, list(taken.values()), axes)]
    assert wrong == []
    known = sum(not isinstance(each, Unknown) for each in values.values())
    assert known > 0.7 * len(values)


def test_arguments_that_change_what_is_known() -> None:
    """``out=`` and ``where=`` give memory of the caller's, or undefined elements: nothing is said of them."""
    text = (
        "import numpy as np\n\n\ndef f(x):\n    a = np.sum(x, out=x[0])\n    b = np.add(x, x, where=x > 0)\n"
    )
    given = {"f": {"x": Array(np.dtype(float), ("n", "m"))}}
    function = next(each for each in Module(Document(text), given).functions if each.name == "f")
    for statement in function.node.body:
        assert isinstance(statement, ast.Assign)
        assert isinstance(function.facts.value(statement.value), Unknown)


def test_arrays_unpack_into_rows_and_elements() -> None:
    text = "import numpy as np\n\n\ndef f(p, v):\n    x, y = p\n    a, b = v\n    X, Y = np.mgrid[0:3, 0:4]\n"
    given = {"f": {"p": Array(np.dtype("f4"), (2, "n")), "v": Array(np.dtype("f8"), ("n",))}}
    function = next(each for each in Module(Document(text), given).functions if each.name == "f")
    targets = [each.targets[0] for each in function.node.body if isinstance(each, ast.Assign)]
    values = [
        [function.facts.value(name) for name in each.elts] for each in targets if isinstance(each, ast.Tuple)
    ]
    assert values[0] == [Array(np.dtype("f4"), ("n",))] * 2
    assert [(each.dtype, each.of_array) for each in values[1] if isinstance(each, Scalar)] == [
        ("f8", True)
    ] * 2
    assert [each.dtype for each in values[2] if isinstance(each, Array)] == [np.dtype("i8")] * 2


def test_methods_that_change_an_array_make_its_masks_new_ones() -> None:
    text = (
        "import numpy as np\n\n\ndef f(x, m):\n    a = x[m]\n    m.fill(True)\n    b = x[m]\n"
        "    np.copyto(m, x > 1)\n    c = x[m]\n    np.logical_or.at(m, [0], True)\n    d = x[m]\n"
    )
    given = {"f": {"x": Array(np.dtype("f8"), ("n",)), "m": Array(np.dtype(bool), ("n",))}}
    function = next(each for each in Module(Document(text), given).functions if each.name == "f")
    reads = [function.facts.value(each.value) for each in function.node.body if isinstance(each, ast.Assign)]
    assert len({each.under for each in reads if isinstance(each, Array)}) == 4
