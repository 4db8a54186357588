"""The command: usage, exit status, and one real measurement of each kind, in NumPy."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_tools import PROGRAM

from nprewrite.cli import main

Bench = Callable[..., tuple[int, str, str]]


@pytest.fixture
def waves(tmp_path: Path) -> Path:
    """A program of the user's."""
    path = tmp_path / "waves.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def bench(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Run the command in this process; nothing is compiled in its children."""
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")

    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main(["bench", *map(str, arguments)])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return call


def test_a_measurement(waves: Path, tmp_path: Path, bench: Bench) -> None:
    before = waves.read_text()
    file = tmp_path / "figures.json"
    code, out, err = bench(
        f"{waves}::damp", "--call", "damp(np.ones(n) * n, 4)", "--sizes", "100,10", "--json", file
    )
    assert code == 0
    assert waves.read_text() == before
    assert "damp: damp(np.ones(n) * n, 4), n = 10: first call, empty caches" in err
    assert "It ran as written: NPREWRITE_DISABLE is set." in out
    assert "at every size measured" in out or "from about n =" in out
    told = json.loads(file.read_text())
    assert [each["size"] for each in told["measurements"]] == [10, 100]
    for each in told["measurements"]:
        sides = each["sides"]
        assert sides["as written"]["steady"]["count"] == each["rounds"] >= 7
        assert 0 < sides["rewritten"]["steady"]["lower"] <= sides["rewritten"]["steady"]["upper"]
        assert len(sides["rewritten"]["cold"]) >= 3


def test_a_compiled_measurement(
    waves: Path, tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.delenv("NPREWRITE_DISABLE")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "own"))
    file = tmp_path / "figures.json"
    # No time decides: its types are in the text, so that no decorator lets the two versions take turns, and
    # compiling may take as long as it does.
    waves.write_text(f"{PROGRAM}\nfrom nprewrite.runtime.choosing import budget\nbudget.SECONDS = 600.0\n")
    code, out, _ = bench(waves, "--call", "settle(20000, 100)", "--json", file)
    assert code == 0
    assert "It ran compiled." in out
    (one,) = json.loads(file.read_text())["measurements"]
    rewritten = one["sides"]["rewritten"]
    assert all(min(rewritten[each]) > 0 for each in ("cold", "warm"))
    assert rewritten["steady"]["median"] > 0
    assert one["import_torch"] > 0
    assert not (tmp_path / "own").exists(), "the caches of this machine stay as they are"


def test_cases_one_of_which_raises(waves: Path, tmp_path: Path, bench: Bench) -> None:
    cases = tmp_path / "cases.py"
    cases.write_text("def cases():\n    yield 'fails', (3,)\n")
    code, out, _ = bench(waves, "--cases", cases)
    assert code == 2
    assert "not measured: fails as written raises ArithmeticError: on purpose" in out


@pytest.mark.parametrize(
    ("what", "call", "message"),
    [
        ("", "untouched(1)", "untouched is not among the functions to compare: damp, settle, fails"),
        ("::untouched", "untouched(1)", "nothing in untouched is rewritten"),
        ("", "damp(", "is no Python expression"),
        ("", "damp(missing)", "its arguments raise NameError"),
    ],
)
def test_what_cannot_be_measured(waves: Path, bench: Bench, what: str, call: str, message: str) -> None:
    code, out, err = bench(f"{waves}{what}", "--call", call)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "one of --call, --cases and --script is needed"),
        (["--cases", "c.py", "--sizes", "1,2"], "--sizes goes with --call"),
        (["--call", "f(3)", "--sizes", "1,2"], '--call "f(3)" has neither n nor N'),
        (["--call", "f(n)", "--sizes", "1,x"], "expected positive integers with commas between"),
        (["--call", "f(n)", "--sizes", "0,1"], "expected positive integers with commas between"),
        (
            ["--call", "f(n)", "--sizes", "1", "--threads", "1"],
            "--sizes cannot be combined with --threads",
        ),
        (["--call", "f(1)", "--png", "where.pdf"], "where.pdf does not end in .png"),
        (["--call", "f(1)", "--timeout", "soon"], "expected a positive number"),
    ],
)
def test_wrong_usage(bench: Bench, arguments: list[str], message: str) -> None:
    code, out, err = bench("a.py", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_missing_matplotlib_is_said_at_once(
    waves: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    code, _, err = bench(waves, "--call", "damp(np.ones(3), 1)", "--png", "a.png")
    assert code == 2
    assert "pip install nprewrite[plot]" in err


def test_help_is_light() -> None:
    program = "import sys; from nprewrite.cli import main; main(['bench', '--help']); "
    program += "heavy = ('numpy', 'torch', 'matplotlib', 'nprewrite.verification', 'nprewrite.benching'); "
    program += "sys.exit(any(name in sys.modules for name in heavy))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "break-even" in ran.stdout.lower()
