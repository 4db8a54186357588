"""``nprewrite explain`` of a text: facts, passes, refusals, and what is wrong usage. Nothing is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from explain_tools import Explain, Ran

pytestmark = pytest.mark.usefixtures("small_stands_for_large")

PROGRAM = '''\
"""A program of the user's."""
import numpy as np

raise SystemExit("this file shall not run")


def damp(u, dt=0.5):
    """The type of u is only known at a call."""
    for n in range(10):
        m = u > dt
        u[m] = u[m] * dt
    return u


def grow(size: int):
    x = np.zeros((size, size))
    y = np.ones((size, size))
    for n in range(100):
        m = x < 3.0
        x[m] = x[m] + y[m]
    x[m] = unknown(x)[m]
    return x


class Pond:
    def calm(self):
        w = np.ones(7, dtype="float32")
        w[w > 2] = 0
        while w.sum() > 1:
            w = w / 2
        return w
'''


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """A file to explain."""
    path = tmp_path / "pond.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def document(ran: Ran) -> Any:
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def line_of(text: str) -> int:
    """The line of the program that holds ``text``."""
    return next(number for number, line in enumerate(PROGRAM.split("\n"), 1) if text in line)


def test_facts_passes_and_refusals_of_a_file(pond: Path, explain: Explain) -> None:
    ran = explain(pond)
    assert ran.code == 0
    assert ran.err == ""
    assert f"grow, lines {line_of('def grow')} to {line_of('return x')}" in ran.out
    assert "float64[2 axes]" in ran.out
    assert "one shape: x, y, m" in ran.out
    assert "1. NPR401 extract-step" in ran.out
    assert "+@npr.step(" in ran.out
    assert "the type of parameter `u` is only known at a call" in ran.out
    assert "waiting for the types of a call" in ran.out
    assert "refused[while-loop]" in ran.out
    assert "would help: compute the number in the body of the loop, and test that" in ran.out
    assert "in general: the test of a `while` reads an array" in ran.out
    assert pond.read_text(encoding="utf-8") == PROGRAM


def test_only_one_function(pond: Path, explain: Explain) -> None:
    ran = explain(f"{pond}::Pond.calm")
    assert "Pond.calm" in ran.out
    assert "refused[while-loop]" in ran.out
    assert "NPR401 extract-step" not in ran.out
    assert "grow" not in ran.out
    assert "damp" not in ran.out


def test_the_diffs_of_one_function_hold_nothing_of_others(pond: Path, explain: Explain) -> None:
    diffs = [each["diff"] for each in document(explain(f"{pond}::grow", "--format", "json"))["passes"]]
    assert any("_grow_step" in diff for diff in diffs)
    assert not any("nprewrite.jit" in diff or "w[" in diff for diff in diffs)


def test_the_document(pond: Path, explain: Explain) -> None:
    found = document(explain(pond, "--format", "json"))
    assert found["schema"] == 1
    assert found["exit"] == 0
    assert found["problem"] is None
    assert found["function"] is None
    assert found["source"] == PROGRAM
    lines = found["rewritten"].split("\n")
    assert len(found["origins"]) == len(lines)
    store = next(number for number, line in enumerate(lines) if "x = np.where" in line)
    assert found["origins"][store] == line_of("x[m] = x[m] + y[m]")
    refused = next(site for site in found["sites"] if site["reason"] == "while-loop")
    assert refused["line"] == line_of("while w.sum()")
    assert "while" in refused["meaning"]
    grow = next(each for each in found["facts"] if each["function"] == "grow")
    assert {"name": "x", "line": line_of("x = np.zeros"), "type": "float64[2 axes]", "suggested": False} in (
        grow["known"]
    )
    assert next(each for each in grow["known"] if each["name"] == "size")["suggested"] is False
    assert ["x", "y", "m"] in grow["same_shape"]
    assert [each["number"] for each in found["passes"]] == [1, 2, 3, 4, 5][: len(found["passes"])]


def test_what_is_not_known_names_the_expression(pond: Path, explain: Explain) -> None:
    found = document(explain(f"{pond}::damp", "--format", "json"))
    (unknown,) = [each for each in found["facts"][0]["unknown"] if each["parameter"] == "u"]
    assert unknown["expression"] == "u"
    assert unknown["line"] == line_of("m = u > dt")
    assert unknown["others"] > 0


def test_no_such_function_names_those_there_are(pond: Path, explain: Explain) -> None:
    ran = explain(f"{pond}::shrink")
    assert ran.code == 2
    assert ran.out == ""
    assert "has no function shrink; its functions are: damp, grow, Pond.calm" in ran.err


def test_a_problem_is_in_the_document_too(pond: Path, explain: Explain) -> None:
    ran = explain(f"{pond}::shrink", "--format", "json")
    found = json.loads(ran.out)
    assert (ran.code, found["exit"]) == (2, 2)
    assert "has no function shrink" in found["problem"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("missing.py", None, "no such file"),
        ("broken.py", "def f(:\n", "invalid syntax"),
        ("cells.ipynb", "{}", "put the function into a Python file"),
    ],
)
def test_files_that_cannot_be_explained(
    tmp_path: Path, explain: Explain, name: str, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    ran = explain(tmp_path / name)
    assert ran.code == 2
    assert message in ran.err.lower() or message in ran.err


def test_a_file_with_nothing_to_rewrite(tmp_path: Path, explain: Explain) -> None:
    path = tmp_path / "plain.py"
    path.write_text("def f(x):\n    return x + 1\n")
    ran = explain(path)
    assert ran.code == 0
    assert "sites: none" in ran.out
    assert "passes: none found anything to rewrite in the file" in ran.out


def test_wrong_usage(explain: Explain) -> None:
    assert explain().code == 2
    assert explain("a.py", "--format", "sarif").code == 2
