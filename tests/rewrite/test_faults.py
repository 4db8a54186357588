"""A mistake in a pass is no fault of the user's: the function runs as written, one line names the pass."""

from __future__ import annotations

import ast
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import libcst as cst
import numpy as np
import pytest

import nprewrite
from nprewrite.base.errors import FallbackError
from nprewrite.engine.outcomes import InternalError, Options, Rewriting
from nprewrite.engine.pipeline import PASSES, rewrite_around_faults, rewrite_source
from nprewrite.notebook import Cells
from nprewrite.passes.contract import Change
from nprewrite.passes.extract_step import ExtractStep
from nprewrite.passes.masked_store import MaskedStore
from nprewrite.source.edits import Replace
from nprewrite.source.nodes import statements

PROGRAM = """
import numpy as np

def decay(trips):
    u = np.zeros(10_000)
    for n in range(trips):
        u = 0.5 * u + 1.0
    return u

def grow(trips):
    u = np.ones(10_000)
    for n in range(trips):
        u = 1.5 * u - 0.25
    return u
"""
DECORATED = "import nprewrite\n" + PROGRAM.replace("def decay", "@nprewrite.jit\ndef decay")
NAMES = [each.name for each in PASSES if each.name != "float32"]


def break_pass(name: str, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a pass make a mistake in what has ``function`` in its name."""
    kind = type(next(each for each in PASSES if each.name == name))
    match = kind.match

    def failing(self: Any, about: Any) -> Iterator[Any]:
        if function in about.name:
            raise KeyError("injected")
        yield from match(self, about)

    monkeypatch.setattr(kind, "match", failing)


@pytest.fixture
def faulty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a pass that makes a mistake in ``decay``, and in what is made of it."""
    break_pass(request.param, "decay", monkeypatch)
    name: str = request.param
    return name


def of_ours(told: pytest.WarningsRecorder) -> list[str]:
    """The warnings about faults of nprewrite."""
    return [str(each.message) for each in told if "fault of nprewrite" in str(each.message)]


def check_told(told: pytest.WarningsRecorder, faulty: str) -> None:
    (line,) = of_ours(told)
    assert f"pass {faulty} " in line
    assert "`decay`" in line
    assert "runs as written" in line
    assert "please report it" in line


def imported(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of a text, imported anew."""
    (folder / "decaying.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    try:
        return importlib.import_module("decaying")
    finally:
        sys.modules.pop("decaying", None)


def check_module(names: dict[str, Any]) -> None:
    """The function in which the pass fails is as written, the other one is rewritten; both are right."""
    np.testing.assert_array_equal(names["decay"](3), np.full(10_000, 1.75))
    np.testing.assert_array_equal(names["grow"](2), np.full(10_000, 1.625))
    assert not [name for name in names["decay"].__code__.co_names if "step" in name]


@pytest.mark.parametrize("faulty", NAMES, indirect=True)
def test_the_rewriter_names_the_pass_and_the_function(faulty: str) -> None:
    with pytest.raises(InternalError, match=f"pass {faulty} .*KeyError: 'injected'") as raised:
        rewrite_source(PROGRAM, "decaying.py", Options())
    assert raised.value.functions == {"decay"}


@pytest.mark.parametrize("faulty", NAMES, indirect=True)
def test_the_other_functions_are_rewritten(faulty: str) -> None:
    assert_only_decay_is_left(rewrite_around_faults(PROGRAM, "decaying.py", Options()), faulty)


def assert_only_decay_is_left(done: Rewriting, faulty: str) -> None:
    (line,) = done.faults
    assert line.startswith(f"`decay` runs as written: pass {faulty} ")
    assert "_grow_step" in done.text
    assert "_decay_step" not in done.text


def test_the_rest_of_the_text_is_as_it_would_be_without_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    held = rewrite_source(PROGRAM, "decaying.py", Options(), held=frozenset({"decay"}))
    break_pass("compile", "decay", monkeypatch)
    done = rewrite_around_faults(PROGRAM, "decaying.py", Options())
    assert (done.text, done.sites) == (held.text, held.sites)


def test_a_step_is_of_the_function_that_its_loop_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass("chunk-loop", "_decay_step", monkeypatch)
    assert_only_decay_is_left(rewrite_around_faults(PROGRAM, "decaying.py", Options()), "chunk-loop")


def test_text_that_does_not_compile_is_of_the_functions_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    rewrite = ExtractStep.rewrite

    def failing(self: Any, site: Any, proof: Any, function: Any) -> Change:
        change = rewrite(self, site, proof, function)
        wrong = Replace(site.iter, (cst.Name("def"),))
        return change if function.name != "decay" else Change((wrong,))

    monkeypatch.setattr(ExtractStep, "rewrite", failing)
    with pytest.raises(InternalError, match="text that does not compile") as raised:
        rewrite_source(PROGRAM, "decaying.py", Options())
    assert raised.value.functions == {"decay", "grow"}
    done = rewrite_around_faults(PROGRAM, "decaying.py", Options())
    assert done.text == PROGRAM
    assert len(done.faults) == 1


def test_a_pass_that_fails_everywhere_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass("extract-step", "", monkeypatch)
    done = rewrite_around_faults(PROGRAM, "decaying.py", Options())
    (line,) = done.faults
    assert line.startswith("the code outside of functions, `decay`, `grow` run as written: pass extract-step")
    assert done.text == PROGRAM


def test_comments_in_what_is_left_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PROGRAM.replace("range(trips):", "range(trips):  # nprewrite: ignore[NPR402]")
    break_pass("extract-step", "decay", monkeypatch)
    sites = rewrite_around_faults(text, "decaying.py", Options()).sites
    assert "NPR001" not in [site.code for site in sites]


@pytest.mark.parametrize("faulty", NAMES, indirect=True)
def test_a_decorated_function_runs_as_written(
    faulty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    module = imported(tmp_path, DECORATED, monkeypatch)
    for _ in range(3):
        np.testing.assert_array_equal(module.decay(3), module.decay.original(3))
    check_told(recwarn, faulty)


@pytest.mark.parametrize("faulty", NAMES, indirect=True)
def test_an_imported_module_is_rewritten_without_the_function(
    faulty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    nprewrite.install("decaying")
    try:
        check_module(vars(imported(tmp_path, PROGRAM, monkeypatch)))
        words = nprewrite.status().modules["decaying"]
    finally:
        nprewrite.uninstall("decaying")
    check_told(recwarn, faulty)
    assert "rewritten" in str(words)
    assert f"`decay` runs as written: pass {faulty} " in str(words)


def test_an_import_raises_where_that_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass("extract-step", "decay", monkeypatch)
    nprewrite.install("decaying", on_fallback="raise")
    try:
        with pytest.raises(FallbackError, match="`decay` runs as written: pass extract-step"):
            imported(tmp_path, PROGRAM, monkeypatch)
    finally:
        nprewrite.uninstall("decaying")


@pytest.mark.parametrize("faulty", NAMES, indirect=True)
def test_a_cell_is_rewritten_without_the_function(faulty: str, recwarn: pytest.WarningsRecorder) -> None:
    names: dict[str, Any] = {"np": np}
    cells = Cells(SimpleNamespace(user_ns=names))
    cells.always = True
    cells.note(PROGRAM.replace("import numpy as np", "").splitlines(keepends=True))
    tree = cells.visit(ast.parse(cells._text))
    exec(compile(tree, "<cell>", "exec"), names)
    check_module(names)
    check_told(recwarn, faulty)
    assert len([*ast.walk(tree)]) > len([*ast.walk(ast.parse(cells._text))])


INJECTED = """
import sys
from nprewrite.passes.extract_step import ExtractStep
match = ExtractStep.match
def failing(self, function):
    if function.name == "decay":
        raise KeyError("injected")
    return match(self, function)
ExtractStep.match = failing
from nprewrite.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize("name", ["decaying.py", "decaying.ipynb"])
def test_the_command_changes_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    cell = {"cell_type": "code", "source": PROGRAM, "metadata": {}, "outputs": [], "execution_count": None}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    text = PROGRAM if name.endswith(".py") else notebook
    path.write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", INJECTED, str(path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 4
    assert "pass extract-step" in ran.stdout + ran.stderr
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("before", ["", "import numpy\n"], ids=["another process", "this process"])
def test_a_program_runs_without_the_function(tmp_path: Path, before: str) -> None:
    shown = "print(decay(3), grow(2))\nprint([each.__code__.co_names for each in (decay, grow)])\n"
    (tmp_path / "main.py").write_text(PROGRAM + shown, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", before + INJECTED, "run", "main.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "NPREWRITE_CACHE_DIR": str(tmp_path / "cache")},
    )
    assert ran.returncode == 0, ran.stderr
    results, names = ran.stdout.splitlines()
    assert results == "[1.75 1.75 1.75 ... 1.75 1.75 1.75] [1.625 1.625 1.625 ... 1.625 1.625 1.625]"
    assert ran.stderr.count("pass extract-step") == 1
    assert "_grow_step" in names
    assert "_decay_step" not in names


def test_the_pass_that_made_a_text_that_does_not_compile_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = "    for n in range(trips):\n        u[u > 1.0] = 1.0\n        u = 0.5 * u\n    return u\n"
    text = f"import numpy as np\n\ndef decay(trips):\n    u = np.ones(9)\n{stored}"
    assert [each.code for each in rewrite_source(text, "decaying.py", Options()).stages][-1] != "NPR101"

    def rewrite(self: MaskedStore, site: Any, proof: Any, function: Any) -> Change:
        return Change((Replace(self.node(site), statements("from __future__ import division")),))

    monkeypatch.setattr(MaskedStore, "rewrite", rewrite)
    with pytest.raises(InternalError, match=r"pass masked-store \(NPR101\) produced text that does not"):
        rewrite_source(text, "decaying.py", Options())
