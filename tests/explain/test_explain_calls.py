"""``nprewrite explain --call``: what is compiled for which reason, and from which lines."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest
from explain_tools import Explain, Shown
from explained_programs import BRANCHES, LOOPS

from nprewrite.engine.outcomes import Options
from nprewrite.explaining import calls
from nprewrite.explaining.calls import answer_of
from nprewrite.explaining.running import Task
from nprewrite.verification.child import Limits
from nprewrite.verification.messages import Calls

pytestmark = pytest.mark.usefixtures("small_stands_for_large")


def line_of(text: str) -> int:
    """The line of the program that holds ``text``."""
    return next(number for number, line in enumerate(LOOPS.split("\n"), 1) if text in line)


def users_lines(ran: Shown, lines: list[int | None]) -> set[int]:
    """The lines as written that lines of the rewritten text stand for."""
    return {ran.document["origins"][line - 1] for line in lines if line is not None}


def test_the_calls_are_of_the_function_as_the_decorator_rewrites_it(ran: Shown) -> None:
    assert ran.document["function"] == "spread"
    assert ran.document["source"] == LOOPS
    assert "_spread_step" in ran.document["rewritten"]
    assert any(each["pass"] == "extract-step" for each in ran.document["passes"])
    assert any("2 x compiled" in line for line in ran.document["running"]["steps"])
    (facts,) = ran.document["facts"]
    assert {"float64[2 axes]"} == {each["type"] for each in facts["known"] if each["name"] in ("u", "v")}
    assert facts["unknown"] == []


def test_a_further_length_is_a_further_graph_and_says_so(ran: Shown) -> None:
    first, second = ran.document["running"]["graphs"]
    assert (first["call"], second["call"]) == (1, 2)
    assert first["because"] == "the first of this step"
    assert "other lengths" in second["because"]
    assert any("float64[400, 30]" in argument for argument in first["arguments"])
    assert any("float64[any, 30]" in argument for argument in second["arguments"])


def test_kernels_name_the_lines_that_they_compute(ran: Shown) -> None:
    body = {line_of(text) for text in ("v = u * 0.5", "u[1:-1] =", "u[u > 3.0]")}
    for graph in ran.document["running"]["graphs"]:
        assert graph["kernels"]
        lines = [line for kernel in graph["kernels"] for line in kernel["lines"]]
        assert users_lines(ran, lines) == body


def test_generated_statements_have_the_line_that_they_compute(ran: Shown) -> None:
    code = [each for kernel in ran.document["running"]["graphs"][0]["kernels"] for each in kernel["code"]]
    # Whether a kernel this small is parallel depends on the processor.
    assert any("for(" in each["text"] for each in code)
    assert not any("explained at line" in each["text"] for each in code)
    stores = [each for each in code if ".store(" in each["text"]]
    assert stores
    assert all(each["line"] is not None for each in stores)
    compared = [each["line"] for each in code if " > " in each["text"] and "VecMask" in each["text"]]
    assert users_lines(ran, compared) == {line_of("u[u > 3.0]")}


def test_the_representation_before_and_after_fusion(ran: Shown) -> None:
    for graph in ran.document["running"]["graphs"]:
        assert "def body(self, ops)" in graph["before"]
        assert len(graph["fused"]) <= len(graph["operations"])
        assert all(f"{name}: " in graph["after"] for name in graph["fused"])


@pytest.mark.skipif(
    importlib.util.find_spec("line_profiler") is None, reason="line_profiler is not installed"
)
def test_the_profile_is_of_the_lines_as_written(ran: Shown) -> None:
    profile = ran.document["running"]["profile"]
    hits = {each["line"]: each["hits"] for each in profile["lines"]}
    assert hits[line_of("v = u * 0.5")] == 6
    assert hits[line_of("u = u.copy()")] == 2
    assert profile["seconds"] == pytest.approx(sum(each["seconds"] for each in profile["lines"]))


def test_torch_compile_alone(ran: Shown) -> None:
    bare: Any = ran.document["running"]["bare"]
    assert bare["breaks"] == []
    assert len(bare["graphs"]) == 2
    assert len(bare["recompilations"]) == 1


def test_where_torch_compile_alone_gives_up(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path = tmp_path / "branches.py"
    path.write_text(BRANCHES)
    task = Task(path, path.read_text(), "f", Calls(("f(np.ones(3))",)), Options(), Limits(120.0, 1 << 40))
    (tmp_path / "work").mkdir()
    bare, calls = answer_of(task, "bare", tmp_path / "work")
    assert calls == ("f(np.ones(3))",)
    (found,) = bare.breaks
    assert (bare.graphs, found.line) == ((), 7)
    assert found.reason.startswith("Data-dependent branching")


@pytest.fixture
def loops(tmp_path: Path) -> Path:
    """The program, in a file."""
    path = tmp_path / "loops.py"
    path.write_text(LOOPS, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--call", "spread("], "is no Python expression"),
        (["--call", "spread(1, 2)", "--call", "fail(3)"], "one function is explained at a time"),
        (["--call", "shrink(1)"], "has no function shrink"),
        (["--cases", "cases.py"], "name it, as in FILE::function"),
        (["--call", "spread(missing)"], "NameError"),
    ],
)
def test_calls_that_cannot_be_run(loops: Path, explain: Explain, arguments: list[str], message: str) -> None:
    ran = explain(loops, *arguments)
    assert ran.code == 2
    assert message in ran.err


def test_a_call_of_another_function(loops: Path, explain: Explain) -> None:
    ran = explain(f"{loops}::spread", "--call", "fail(3)")
    assert ran.code == 2
    assert "the calls are of fail, and spread is to be explained" in ran.err


def test_calls_of_a_file_of_cases(loops: Path, explain: Explain, tmp_path: Path) -> None:
    cases = tmp_path / "cases.py"
    cases.write_text("def cases():\n    yield (3,)\n    yield ('fail', (4,))\n")
    ran = explain(f"{loops}::fail", "--cases", cases)
    assert ran.code == 0
    assert "torch.compile compiled nothing" in ran.out
    assert [line.strip() for line in ran.out.splitlines() if "fail(" in line][:2] == ["fail(3)", "fail(4)"]


def test_a_function_that_does_not_end(loops: Path, explain: Explain) -> None:
    ran = explain(loops, "--call", "hang(3)", "--timeout", "3")
    assert ran.code == 2
    assert "took longer than 3 s (--timeout)" in ran.err


def test_an_unrolled_loop_that_takes_long_leaves_the_rest_of_the_page(
    loops: Path, explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(calls, "_SHARE_OF_BARE", 1e-6)
    ran = explain(loops, "--call", "fail(np.ones(3))")
    assert ran.code == 0
    assert "not known under torch.compile alone: took longer than 0.0003 s (--timeout)" in ran.out
    assert "where the time went as written" in ran.out


def test_without_line_profiler_and_a_call_that_raises(
    loops: Path, explain: Explain, tmp_path: Path, monkeypatch: Any
) -> None:
    (tmp_path / "line_profiler.py").write_text("raise ImportError")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    ran = explain(loops, "--call", "fail(np.ones(3))")
    assert "pip install nprewrite[explain]" in ran.out
    assert "fail(np.ones(3)) raises ValueError: no luck" in ran.out
