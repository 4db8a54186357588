"""The line at the end of ``nprewrite run``: what is said, and that figures are those that were measured."""

from __future__ import annotations

import os
import subprocess
import sys
import weakref
from collections import Counter
from pathlib import Path

import pytest

from nprewrite.loading.summary import summary
from nprewrite.runtime.api import known
from nprewrite.runtime.choosing import budget
from nprewrite.runtime.choosing.choice import Choice


class Part:
    """A step of ``home`` that ran as ``runs`` says."""

    def __init__(self, runs: dict[str, int], *choices: Choice, home: str = "`main`") -> None:
        self.runs = Counter(runs)
        self.choices = {(number,): each for number, each in enumerate(choices)}

        def function() -> None: ...

        function.__doc__ = f"One iteration of the loop over `k` in {home}."
        self.function = function


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> weakref.WeakSet[Part]:
    found: weakref.WeakSet[Part] = weakref.WeakSet()
    monkeypatch.setattr(known, "PARTS", found)
    monkeypatch.setattr(budget, "waited", lambda: 0.75)
    # What other tests have decorated may still be awaited.
    monkeypatch.setattr("nprewrite.decorated.jitted._known", weakref.WeakKeyDictionary())
    monkeypatch.setattr("nprewrite.decorated.handover.SCRIPTS", [])
    return found


def test_nothing_is_said_of_what_was_not_worth_it(parts: weakref.WeakSet[Part]) -> None:
    idle, short = Part({}), Part({"as written: too little work so far": 3})
    parts.update({idle, short})
    assert summary("main.py") is None


def test_what_was_saved_is_what_was_measured(parts: weakref.WeakSet[Part]) -> None:
    measured = Choice(None, kept="rewritten", rewritten_runs=100)
    measured.seconds = {"original": [0.5], "rewritten": [0.125, 0.1]}
    remembered = Choice("known", kept="rewritten", rewritten_runs=10, remembered_s=(0.3, 0.1))
    numpy = Choice(None, kept="original", asked=50, remembered_s=(0.1, 0.4))
    part = Part({"compiled": 100}, measured, remembered, numpy)
    parts.add(part)
    # 100 runs that each took 0.4 s less, and 10 that took 0.2 s less.
    assert summary("main.py") == "nprewrite: main ran compiled, about 42 s saved, 0.75 s spent"
    assert summary("main.py", 3.0) == "nprewrite: main ran compiled, about 3 s saved, 0.75 s spent"


def test_what_was_not_measured_saves_nothing(parts: weakref.WeakSet[Part]) -> None:
    measured = Choice(None, kept="rewritten", rewritten_runs=10)
    measured.seconds = {"original": [0.5], "rewritten": [0.1]}
    unknown = Choice(None, kept="rewritten", rewritten_runs=1000)
    once = Choice(None, kept="rewritten", rewritten_runs=1000)
    once.seconds = {"original": [0.04], "rewritten": [0.001]}
    kept = Part({"compiled": 10}, measured), Part({"compiled": 1000}, unknown, once), Part({"compiled": 1})
    parts.update(kept)
    assert summary("main.py") == "nprewrite: main ran compiled, about 4 s saved, 0.75 s spent"


def test_the_runs_of_the_rewritten_side_are_counted() -> None:
    choice, sides = Choice(None), []
    for _ in range(5):
        sides.append(choice.next())
        choice.note(sides[-1], {"rewritten": 0.1, "original": 0.4}[sides[-1]])
    assert sides.count("original") == 1
    assert choice.rewritten_runs == 4
    assert choice.saved == pytest.approx(4 * 0.3)


def test_each_function_is_named_with_what_became_of_it(parts: weakref.WeakSet[Part]) -> None:
    kept = [
        Part({"compiled": 4}, home="`Grid.step`"),
        Part({"as written: compiling": 4}, home="`relax`"),
        Part({"as written: shapes": 2}, home="`energy`"),
        Part({"as written: dtypes": 2}, home="`Grid.step`"),
        Part({"as written: compiling": 2}, home="`Grid.step`"),
        Part({"as written: NumPy is faster": 1}, home="`relax`"),
        Part({"compiled": 3}, Choice(None, kept="original"), home="`small`"),
    ]
    parts.update(kept)
    assert summary("main.py") == (
        "nprewrite: Grid.step ran compiled, 0.75 s spent; a part of Grid.step and relax ran as written: the "
        "compiler works in the background, for later runs (--wait waits for it); "
        "small ran as written, because NumPy is faster; "
        "a part of Grid.step and energy ran as written (nprewrite profile main.py shows why)"
    )


@pytest.mark.parametrize(("module", "name"), [("__main__", "the script"), ("waves.core", "waves.core")])
def test_statements_outside_of_functions(parts: weakref.WeakSet[Part], module: str, name: str) -> None:
    kept = Part({"as written: NumPy is faster": 9}, home="the module")
    kept.function.__module__ = module
    parts.add(kept)
    assert summary("main.py") == f"nprewrite: {name} ran as written, because NumPy is faster"


def test_many_functions_are_counted(parts: weakref.WeakSet[Part]) -> None:
    kept = [Part({"compiled": 1}, home=f"`{name}`") for name in "abcdef"]
    parts.update(kept)
    said = summary("main.py")
    assert said is not None
    assert said.endswith(" and 3 more ran compiled, 0.75 s spent")


def test_a_long_program_in_which_nothing_was_done(parts: weakref.WeakSet[Part]) -> None:
    said = "nprewrite: nothing in main.py ran rewritten (nprewrite profile main.py shows why)"
    assert [summary("main.py", None, each) for each in (0.5, 3.0)] == [None, said]
    parts.add(kept := Part({"as written: too little work to compile for": 2}))
    assert summary("main.py", None, 3.0) == said
    kept.runs["compiled"] += 1
    assert "nothing" not in str(summary("main.py", None, 3.0))


def test_a_run_with_and_without(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("print(6 * 7)\n")
    for options in ([], ["--quiet"], ["--report"]):
        command = [sys.executable, "-m", "nprewrite", "run", *options, "plain.py"]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert ran.stdout == "42\n"
        assert ("plain" in ran.stderr or "__main__" in ran.stderr) == (options == ["--report"])


def test_what_is_not_installed_is_named(tmp_path: Path) -> None:
    (tmp_path / "walk.py").write_text(
        "import numpy as np\n\n\n"
        "def walk(x):\n"
        "    for i in range(1, len(x)):\n"
        "        x[i] = 0.5 * x[i - 1] + x[i] if x[i] > 0.1 else x[i]\n\n\n"
        "for _ in range(40):\n"
        "    walk(np.linspace(0.0, 1.0, 20_000))\n"
    )
    (tmp_path / "sitecustomize.py").write_text("import sys\n\nsys.modules['numba'] = None\n")
    command = [sys.executable, "-m", "nprewrite", "run", "--wait", "walk.py"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=environment)
    said = "nprewrite: walk ran as written: Numba is not installed (pip install nprewrite[native])"
    assert ran.stderr.splitlines()[-1] == said
