"""What the decorator gains is found out by running the program with it: what is tried, and what is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nprewrite.config import Configurations
from nprewrite.engine.outcomes import Options
from nprewrite.profiling import source
from nprewrite.profiling.attribution import Attribution, Unit
from nprewrite.profiling.outlook import Outlook
from nprewrite.profiling.profile import Profile, Row, with_trials
from nprewrite.profiling.sampling import Samples
from nprewrite.profiling.source import Source
from nprewrite.profiling.text import gain, text_of
from nprewrite.verification.problems import CannotVerify
from nprewrite.watching import trial
from nprewrite.watching.seen import Trial
from nprewrite.watching.timing import Key
from nprewrite.watching.trial import Trials, tried

MODULE = """
import numpy as np

class Field:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)

    def step(self):
        self.u = self.u * 0.5 + self.u * self.u
        return self.u

def total(x):
    return float((x * x).sum())

def unused(x):
    return x + 1.0
"""

PROGRAM = """
import sys
from dataclasses import replace
from pathlib import Path
from fields import Field, total

if __name__ == "__main__":
    field = Field(1000)
    for _ in range(int(sys.argv[1])):
        total(field.step())
    with Path("runs").open("a") as runs:
        runs.write(f"{type(Field.step).__name__} {type(total).__name__}\\n")
    print("done")
    sys.exit(0)
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(trial, "_ROUNDS", 1)
    monkeypatch.setattr(trial, "disturbed", lambda: None)
    (tmp_path / "fields.py").write_text(MODULE)
    (tmp_path / "main.py").write_text(PROGRAM)
    return tmp_path / "fields.py"


def test_each_function_is_tried_by_itself_and_the_program_as_a_whole(
    program: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    functions = {(str(program), name): Options() for name in ("Field.step", "unused")}
    said: list[str] = []
    found = tried("python main.py 3", functions, Configurations(), said.append)
    assert {name for _, name in found.functions} == {"Field.step"}
    assert all(each.original > 0 and each.rewritten > 0 for each in found.functions.values())
    assert found.whole is not None
    assert found.notes == ()
    assert "running main.py with the decorator on Field.step" in said
    # Once as written; each function, and the whole, compiled and measured. What it prints is not shown.
    assert len(Path("runs").read_text().splitlines()) == 1 + 2 * 2
    assert "done" not in "".join(capfd.readouterr())


def test_what_does_not_run_as_written_is_not_tried(program: Path) -> None:
    with pytest.raises(CannotVerify, match="exit status 1"):
        tried("python main.py word", {(str(program), "total"): Options()}, None, lambda _: None)


def test_what_fails_with_the_decorator_is_told(program: Path) -> None:
    check = "    sys.exit('nprewrite.decorated.jitted' in sys.modules)"
    broken = PROGRAM.replace("    sys.exit(0)", check)
    Path("main.py").write_text(broken)
    found = tried("python main.py 3", {(str(program), "total"): Options()}, None, lambda _: None)
    assert found.functions == {}
    assert found.notes == ("not tried with the decorator on total: the process ended with exit status 1",)


@pytest.mark.parametrize(("rewritten", "paid"), [(0.5, True), (0.95, False), (2.0, False)])
def test_what_has_paid(rewritten: float, paid: bool) -> None:
    assert Trial(1.0, rewritten).paid is paid


def test_the_profile_tells_what_was_measured(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (_row(program, "total", 2.0), _row(program, "Field.step", 1.0))
    source = rows[0].unit.source
    units = {each.unit.key: each.unit for each in rows}
    samples = Samples(count=300)
    profile = Profile(
        "main.py",
        "nprewrite run main.py",
        samples,
        Attribution(units, {str(program): source}, 3.0, 3.0, 0.0, {}),
        rows,
    )
    asked: list[str] = []

    def answered(_command: str, functions: dict[Key, Options], *_: object) -> Trials:
        asked.extend(name for _, name in functions)
        return Trials({(str(program), "total"): Trial(2.0, 0.5)}, Trial(3.0, 2.5), ("not tried: Field.step",))

    monkeypatch.setattr("nprewrite.profiling.profile.tried", answered)
    made = with_trials(profile, "python main.py", Configurations(), lambda _: None)
    told = text_of(made)
    assert asked == ["total", "Field.step"]
    assert [gain(each) for each in made.rows] == ["1.5 s, measured", "--try measures it"]
    assert (
        "measured: 3.0 s as written, 2.5 s through nprewrite run, once compiled\nnot tried: Field.step"
        in told
    )
    assert told.endswith(
        "put @nprewrite.jit above `def total` in line 12 of fields.py (saves 1.5 s, measured)"
    )


def test_what_a_script_gains_holds_what_its_functions_gain(program: Path) -> None:
    row = replace(_row(program, source.MODULE, 1.0), measured=3.0)
    assert gain(row) == "3.0 s by nprewrite run, measured"
    assert gain(replace(row, measured=0.0)) == "none, measured"


def _row(path: Path, name: str, seconds: float) -> Row:
    unit = Unit(Source.of(str(path)), name, own=seconds, whole=seconds, weight=seconds)
    unit.covered[str(path), unit.line + 1] = seconds
    return Row(unit, Outlook(deferred=True))
