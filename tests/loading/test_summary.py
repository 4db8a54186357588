"""The line at the end of ``nprewrite run``: what is said, and that figures are those that were measured."""

from __future__ import annotations

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
    """A step that ran as ``runs`` says."""

    def __init__(self, runs: dict[str, int], *choices: Choice) -> None:
        self.runs = Counter(runs)
        self.choices = {(number,): each for number, each in enumerate(choices)}


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> weakref.WeakSet[Part]:
    found: weakref.WeakSet[Part] = weakref.WeakSet()
    monkeypatch.setattr(known, "PARTS", found)
    monkeypatch.setattr(budget, "waited", lambda: 0.75)
    return found


def test_nothing_is_said_of_what_was_not_worth_it(parts: weakref.WeakSet[Part]) -> None:
    idle, short = Part({}), Part({"as written: too little work so far": 3, "as written: NumPy is faster": 7})
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
    assert summary("main.py") == "nprewrite: 1 part ran compiled, about 42 s saved, 0.75 s spent"


def test_what_was_not_measured_saves_nothing(parts: weakref.WeakSet[Part]) -> None:
    measured = Choice(None, kept="rewritten", rewritten_runs=10)
    measured.seconds = {"original": [0.5], "rewritten": [0.1]}
    unknown = Choice(None, kept="rewritten", rewritten_runs=1000)
    once = Choice(None, kept="rewritten", rewritten_runs=1000)
    once.seconds = {"original": [0.04], "rewritten": [0.001]}
    kept = Part({"compiled": 10}, measured), Part({"compiled": 1000}, unknown, once), Part({"compiled": 1})
    parts.update(kept)
    told = "about 4 s saved (1 of 3 measured both ways)"
    assert summary("main.py") == f"nprewrite: 3 parts ran compiled, {told}, 0.75 s spent"


def test_the_runs_of_the_rewritten_side_are_counted() -> None:
    choice, sides = Choice(None), []
    for _ in range(5):
        sides.append(choice.next())
        choice.note(sides[-1], {"rewritten": 0.1, "original": 0.4}[sides[-1]])
    assert sides.count("original") == 1
    assert choice.rewritten_runs == 4
    assert choice.saved == pytest.approx(4 * 0.3)


def test_what_stood_in_the_way(parts: weakref.WeakSet[Part]) -> None:
    kept = Part({"as written: compiling": 4}), Part({"as written: shapes": 2})
    parts.update(kept)
    assert summary("main.py") == (
        "nprewrite: 1 part still being compiled in the background: a run that starts after that is faster "
        "(--wait waits for it); 1 left alone (nprewrite profile main.py shows why)"
    )


def test_a_run_with_and_without(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("print(6 * 7)\n")
    for options in ([], ["--quiet"], ["--report"]):
        command = [sys.executable, "-m", "nprewrite", "run", *options, "plain.py"]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert ran.stdout == "42\n"
        assert ("plain" in ran.stderr or "__main__" in ran.stderr) == (options == ["--report"])
