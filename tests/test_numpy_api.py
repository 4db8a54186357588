"""NumPy's functions are named in one place, and whoever needs to know one asks its record."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nprewrite.comparison import Case
from nprewrite.comparison.oracle import Answer, Oracle, oracle_of
from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source
from nprewrite.numpy_api import page
from nprewrite.numpy_api.elementwise import ELEMENTWISE, Elementwise
from nprewrite.numpy_api.functions import FUNCTIONS as ARRAY_FUNCTIONS
from nprewrite.program.function import Module
from nprewrite.source.document import Document
from nprewrite.types.values import Array, Unknown

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "nprewrite"
ROOMS = sorted(each.name for each in PACKAGE.iterdir() if each.is_dir() and each.name != "numpy_api")


def _functions(module: Any, prefix: str = "") -> set[str]:
    found = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    return {prefix + name for name, each in found.items() if callable(each) and not isinstance(each, type)}


FUNCTIONS = _functions(np) | _functions(np.linalg) | _functions(np.linalg, "linalg.")
FUNCTIONS |= _functions(np.fft) | _functions(np.fft, "fft.")


_ASSIGNED = ast.Assign | ast.AnnAssign | ast.AugAssign


def _named(node: ast.AST) -> set[str]:
    """NumPy's functions in a part of a text: ``np.sum``, ``"sum"``, ``"numpy.sum"``, ``"sum mean std"``."""
    found = set()
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name) if name in FUNCTIONS:
                found.add(name)
            case ast.Constant(value=str(text)) | ast.MatchValue(value=ast.Constant(value=str(text))):
                words = [re.sub(r"^(numpy|np|math|builtins)\.", "", word) for word in text.split()]
                named = FUNCTIONS.intersection(words)
                # In prose most words name nothing.
                found |= named if 2 * len(named) >= len(words) else set()
    return found


def _collections(tree: ast.Module) -> Iterator[ast.AST]:
    """What may be a table: the values that a module gives its names, collections, the cases of a match."""
    for node in tree.body:
        exported = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        if isinstance(node, _ASSIGNED) and node.value is not None and not exported:
            yield node.value
    for node in [part for each in tree.body if not isinstance(each, _ASSIGNED) for part in ast.walk(each)]:
        if isinstance(node, ast.Dict | ast.Set | ast.List | ast.Tuple):
            yield node
        if isinstance(node, ast.Match):
            yield ast.Module([ast.Expr(each.pattern) for each in node.cases], [])  # type: ignore[arg-type]


@pytest.mark.parametrize("room", ROOMS)
def test_no_other_room_has_a_table_of_functions(room: str) -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {', '.join(sorted(named))}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for each in _collections(ast.parse(path.read_text(encoding="utf-8")))
        if len(named := _named(each)) > 2
    ]
    assert not found


@pytest.mark.parametrize(
    "text",
    [
        'T = frozenset(["sum", "mean", "std"])',
        'T = {"numpy.sum": 1, "np.mean": 2, "builtins.max": 3}',
        'T = frozenset(f"numpy.{name}" for name in ("sum", "mean", "std"))',
        'T = "sum mean\\nlinalg.norm".split()',
        "T = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply}",
        'def f(x):\n    return x in ("sum", "mean", "std")',
        'match x:\n    case "sum" | "mean":\n        y\n    case "std":\n        z',
    ],
)
def test_tables_are_found(text: str) -> None:
    assert any(len(_named(each)) > 2 for each in _collections(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        '__all__ = ["sum", "mean", "std"]',
        'T = {"float32": "complex64", "float64": "complex128", "bool": "int8"}',
        'T = "the least of all numbers, or the max, or their sum"',
        'T = ("sum", "mean")',
    ],
)
def test_other_collections_are_not(text: str) -> None:
    assert not any(len(_named(each)) > 2 for each in _collections(ast.parse(text)))


PROGRAM = """\
import numpy as np
import numpy.typing as npt


def relaxed(x: npt.NDArray[np.float64], n: int):
    x = x.copy()
    for k in range(n):
        x = 0.5 * np.made_up(x) + x
    return x


def nest(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = np.made_up(x[i])
    return y


def sweep(x: npt.NDArray[np.float64]):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = np.made_up(x[i]) + 0.5 * y[i - 1]
    return y
"""


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One more function, and nothing but its record."""
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(np, "made_up", np.tanh, raising=False)
    monkeypatch.setitem(ELEMENTWISE, "made_up", Elementwise(np.tanh, native="rounded", costly=True))


@pytest.fixture
def rewritten(made_up: None) -> dict[str, Any]:
    """The names of the program after rewriting, whose text can be read as if it stood in a file."""
    text = rewrite_source(PROGRAM, "program.py", Options()).text
    linecache.cache["<made up>"] = (len(text), None, text.splitlines(keepends=True), "<made up>")
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "<made up>", "exec"), names)
    return {**names, "text": text}


def _numbers() -> np.ndarray[Any, Any]:
    return np.linspace(-2.0, 2.0, 40)


def _relaxed(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return 0.5 * np.tanh(x) + x


def test_types_ask_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import numpy as np\n\n\ndef f(x):\n    return np.made_up(x)\n"

    def known() -> Any:
        module = Module(Document(text), {"f": {"x": Array(np.dtype("f4"), ("n",))}})
        function = next(each for each in module.functions if each.name == "f")
        statement = function.node.body[0]
        assert isinstance(statement, ast.Return)
        assert statement.value is not None
        return function.facts.value(statement.value)

    assert isinstance(known(), Unknown)
    monkeypatch.setattr(np, "made_up", np.tanh, raising=False)
    monkeypatch.setitem(ELEMENTWISE, "made_up", Elementwise(np.tanh))
    assert known() == Array(np.dtype("f4"), ("n",), fresh=True)


def test_steps_and_array_code_ask_the_record(
    rewritten: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "    x = 0.5 * np.made_up(x) + x\n    return (x,)\n" in rewritten["text"]
    assert "y[...] = np.made_up(x)\n" in rewritten["text"]
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    np.testing.assert_array_equal(rewritten["relaxed"](_numbers(), 2), _relaxed(_relaxed(_numbers())))
    np.testing.assert_array_equal(rewritten["nest"](_numbers()), np.tanh(_numbers()))


def test_a_step_compiles(rewritten: dict[str, Any]) -> None:
    torch = pytest.importorskip("torch")
    compiled = torch.compile(rewritten["_relaxed_step"].function, fullgraph=True)
    np.testing.assert_allclose(compiled(_numbers())[0], _relaxed(_numbers()), rtol=1e-14)


def test_lowered_loops_ask_the_record(rewritten: dict[str, Any]) -> None:
    pytest.importorskip("numba")
    lowered = rewritten["_sweep_loop"]._plans._new_plan((_numbers(), np.zeros(40))).lowered
    assert "np.made_up(" in lowered.text
    assert lowered.rounds


def test_devices_ask_the_record(made_up: None) -> None:
    torch = pytest.importorskip("torch")
    from nprewrite.runtime.device.array import DeviceArray

    found = np.made_up(DeviceArray(torch.from_numpy(_numbers())))  # type: ignore[attr-defined]
    assert isinstance(found, DeviceArray)
    np.testing.assert_allclose(found.tensor.numpy(), np.tanh(_numbers()), rtol=1e-14)


def test_torch_has_what_devices_are_said_to_compute() -> None:
    theirs = pytest.importorskip("torch._numpy")
    records = {**ELEMENTWISE, **ARRAY_FUNCTIONS}
    said = [name for name, each in records.items() if not each.device and hasattr(np, name.split(".")[0])]
    missing = [name for name in said if not _has(theirs, name)]
    assert not missing


def _has(module: Any, dotted: str) -> bool:
    try:
        attrgetter(dotted)(module)
    except AttributeError:
        return False
    return True


def test_the_oracle_computes_it_in_higher_precision(made_up: None) -> None:
    oracle = oracle_of(PROGRAM, "program.py", "nest")
    assert isinstance(oracle, Oracle)
    given = oracle(Case("", (_numbers(),)))
    if np.finfo(np.longdouble).nmant == np.finfo(float).nmant:
        pytest.skip("long double has no more digits here")
    assert isinstance(given, Answer)
    np.testing.assert_array_equal(given.leaves.values["result"], np.tanh(_numbers().astype(np.longdouble)))


def test_the_page_has_its_line(made_up: None) -> None:
    assert re.search(r"^\| made_up +\|", page.text(), re.MULTILINE)
