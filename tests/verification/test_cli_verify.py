"""The command: its exit status, its report, its document, and what is wrong usage."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from road_tools import WAVES

from nprewrite.cli import main
from nprewrite.cli.verify import STAGES
from nprewrite.engine.outcomes import Options, Outcome, Rewriting, Site
from nprewrite.passes.level import Level
from nprewrite.verification import stages


@dataclass(frozen=True)
class Ran:
    """What one run of the command did."""

    code: int
    out: str
    err: str


Verify = Callable[..., Ran]


@pytest.fixture
def waves(tmp_path: Path) -> Path:
    """A program of the user's."""
    path = tmp_path / "waves.py"
    path.write_text(f"{WAVES}\nprint('imported')\n")
    return path


@pytest.fixture
def verify(capfd: pytest.CaptureFixture[str]) -> Verify:
    """Run the command in this process, in NumPy unless a stage is given."""

    def call(*arguments: object) -> Ran:
        words = [str(each) for each in arguments]
        stage = [] if "--stage" in words else ["--stage", "numpy"]
        capfd.readouterr()
        code = main(["verify", *words, *stage])
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


@pytest.fixture
def wrong_rewriter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rewriter that is off by one."""

    def rewrite(text: str, filename: str, options: Options) -> Rewriting:
        line = text.split("\n").index("    x[x > 2] = 0") + 1
        site = Site(line, 5, "NPR101", "masked-store", Outcome.REWRITTEN, "", level=Level.EXACT)
        return Rewriting(text, text.replace("x > 2", "x >= 2"), (site,))

    monkeypatch.setattr("nprewrite.engine.pipeline.rewrite_source", rewrite)


def test_the_same(waves: Path, verify: Verify) -> None:
    before = waves.read_text()
    ran = verify(waves, "--call", "cut(5)", "--call", "damp(Box([1.0, 2.0]), 4)")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines if "same" in line] == ["cut", "damp"]
    assert "ran numpy" in ran.out
    assert "imported" in ran.err
    assert "imported" not in ran.out
    assert waves.read_text() == before


@pytest.mark.usefixtures("wrong_rewriter")
def test_a_difference(waves: Path, verify: Verify) -> None:
    ran = verify(waves, "--call", "cut(5)", "--call", "twice(2)")
    assert ran.code == 3
    assert "different" in ran.out
    assert "result[2]" in ran.out
    assert "introduced by the rewriting (stage numpy)" in ran.out
    assert ran.out.count("same") == 1, "x reaches 2 in the first call only"


def test_a_function_by_name(waves: Path, verify: Verify) -> None:
    assert verify(f"{waves}::cut", "--call", "cut(5)").code == 0
    ran = verify(f"{waves}::cut", "--call", "twice(5)")
    assert ran.code == 2
    assert 'error: --call "twice(5)": twice is not among the functions to compare: cut' in ran.err
    assert verify(f"{waves}::Box.clip", "--call", "Box.clip(Box([1]), 3)").code == 0


def test_cases_and_reference(waves: Path, tmp_path: Path, verify: Verify) -> None:
    cases = tmp_path / "cases.py"
    cases.write_text(
        "from waves import Box\n"
        "def cases():\n    yield 'damp', (Box([0.5, 1.0]), 3)\n    yield 'cut', (4,)\n"
        "references = {'damp': lambda box, n: 1 / 0}\n"
    )
    ran = verify(waves, "--cases", cases)
    assert ran.code == 0
    assert "reference" not in ran.out
    asked = verify(waves, "--cases", cases, "--reference")
    assert asked.code == 0
    assert "the cases file has no reference for cut" in asked.out
    cases.write_text("def cases():\n    yield 'cut', (4,)\n")
    missing = verify(waves, "--cases", cases, "--reference")
    assert missing.code == 2
    assert "the cases file defines no `references`" in missing.err


def test_generated_arguments(tmp_path: Path, verify: Verify) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "import numpy as np\nimport numpy.typing as npt\n\n"
        "def f(x: npt.NDArray[np.float64], n: int):\n    for k in range(n):\n"
        "        m = x < 3\n        x[m] = x[m] / 2 + 1.6\n    return x\n"
    )
    ran = verify(path)
    assert ran.code == 0
    assert ran.out.count("f(x=float64[") == ran.out.count(" same ") > 20


def test_the_document(waves: Path, verify: Verify) -> None:
    ran = verify(waves, "--call", "cut(5)", "--format", "json")
    document = json.loads(ran.out)
    assert (document["exit"], document["same"], document["stage"]) == (0, True, "numpy")
    assert (document["notes"], document["problem"]) == ([], None)
    [case] = document["cases"]
    assert (case["function"], case["case"], case["verdict"], case["judged"]) == (
        "cut",
        "cut(5)",
        "same",
        "exact",
    )
    failed = verify(waves, "--call", "cut(", "--format", "json")
    assert failed.code == 2
    document = json.loads(failed.out)
    assert (document["exit"], document["same"], document["cases"]) == (2, False, [])
    assert "is no Python expression" in document["problem"]
    assert "is no Python expression" in failed.err


@pytest.mark.usefixtures("wrong_rewriter")
def test_a_picture(waves: Path, tmp_path: Path, verify: Verify) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "where.png"
    assert verify(waves, "--call", "cut(5)", "--plot", picture).code == 3
    assert picture.read_bytes().startswith(b"\x89PNG")
    nowhere = verify(waves, "--call", "cut(5)", "--plot", tmp_path / "gone" / "where.png")
    assert nowhere.code == 3
    assert "cannot be written: No such file or directory" in nowhere.err
    assert "different" in nowhere.out


def test_nothing_is_compared(waves: Path, tmp_path: Path, verify: Verify) -> None:
    plain = tmp_path / "plain.py"
    plain.write_text("def f(x):\n    return x\n")
    for arguments, message in [
        ((plain,), "nothing in .* is rewritten"),
        ((f"{waves}::untouched",), "nothing in untouched is rewritten"),
        ((waves, "--call", "damp(Box([]), 3)"), "nothing was compared"),
        ((waves,), "parameter box has no annotation"),
        ((waves, "--cases", tmp_path / "gone.py"), "cannot be run: FileNotFoundError"),
    ]:
        ran = verify(*arguments)
        assert ran.code == 2
        assert re.search(message, ran.err), ran.err


def test_statements_outside_of_loops(tmp_path: Path, verify: Verify) -> None:
    """The decorator compiles them, so that they are compared; a function of numbers is not."""
    path = tmp_path / "pairs.py"
    path.write_text(
        "import numpy as np\n\n\ndef acc(x, m, g):\n    d = x.T - x\n    r = d * d + g\n"
        "    return (d * r**-1.5) @ m\n\n\ndef double(n):\n    return 2 * n\n"
    )
    ran = verify(path, "--call", "acc(np.linspace(0.0, 1.0, 50)[:, None], np.ones(50), 0.1)")
    assert ran.code == 0, ran.err
    assert "ran numpy" in ran.out
    ran = verify(f"{path}::double", "--call", "double(2)")
    assert ran.code == 2
    assert "nothing in double is rewritten" in ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:\n", ":1:7: error: "),
        (None, "error: no such file or directory"),
    ],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, verify: Verify, text: str | None, message: str) -> None:
    path = tmp_path / "program.py"
    if text is not None:
        path.write_text(text)
    ran = verify(path, "--call", "f(1)")
    assert ran.code == 2
    assert message in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'FILE[::FUNCTION]'"),
        (["a.py", "--call", "f()", "--cases", "b.py"], "--call cannot be combined with --cases: choose one"),
        (["a.py", "--stage", "gpu"], "'gpu' is not one of 'numpy', 'eager', 'inductor'"),
        (["a.py", "--timeout", "soon"], "expected a positive number, not 'soon'"),
        (["a.py", "--memory", "-1"], "expected a positive number, not '-1'"),
        (
            ["a.py", "--reference"],
            "--reference takes its functions from the cases file: give --cases FILE too",
        ),
        (["a.py", "--plot", "where.pdf"], "where.pdf does not end in .png"),
    ],
)
def test_wrong_usage(verify: Verify, arguments: list[str], message: str) -> None:
    ran = verify(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_what_is_missing_is_said_at_once(
    waves: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> None:
        assert name in ("torch", "matplotlib")

    monkeypatch.setattr(importlib.util, "find_spec", find)
    for arguments, extra in [(["--plot", "where.png"], "plot"), (["--stage", "inductor"], "torch")]:
        ran = verify(waves, "--call", "cut(5)", *arguments)
        assert ran.code == 2
        assert f"pip install nprewrite[{extra}]" in ran.err


def test_a_fault_of_nprewrite(waves: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(text: str, filename: str, options: Options) -> Any:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("nprewrite.engine.pipeline.rewrite_source", crash)
    ran = verify(waves, "--call", "cut(5)")
    assert ran.code == 4
    assert "internal error: ZeroDivisionError" in ran.err


def test_a_fault_in_the_process_that_compares(
    waves: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(text: str, filename: str, options: Options) -> Rewriting:
        site = Site(29, 5, "NPR101", "masked-store", Outcome.REWRITTEN, "", level=Level.EXACT)
        return Rewriting(text, "def f(:\n", (site,))

    monkeypatch.setattr("nprewrite.engine.pipeline.rewrite_source", crash)
    ran = verify(waves, "--call", "cut(5)")
    assert ran.code == 4
    assert "internal error: SyntaxError" in ran.err
    assert "Please report it" in ran.err


def test_help_is_light() -> None:
    program = "import sys; from nprewrite.cli import main; main(['verify', '--help']); "
    program += "sys.exit(any(name in sys.modules for name in ('numpy', 'torch', 'nprewrite.verification')))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "exit status" in ran.stdout


def test_the_stages_are_those_of_the_package() -> None:
    assert STAGES == stages.STAGES
