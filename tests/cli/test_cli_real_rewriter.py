"""The command line with the passes themselves."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run

from nprewrite.cli.console import Console
from nprewrite.cli.report import Status
from nprewrite.cli.sarif_report import SarifReport
from nprewrite.engine.outcomes import Outcome, Site
from nprewrite.engine.pipeline import PASSES
from nprewrite.files.work import FileResult

EXAMPLE = """\
import numpy as np


def escape(c_re: np.ndarray, maxiter):
    C = np.linspace(-2, 1, 101, dtype=np.float32) + 1j * np.linspace(-1, 1, 101, dtype=np.float32)[:, None]
    N = np.zeros(C.shape, dtype=int)
    Z = np.zeros(C.shape, np.complex64)
    for n in range(maxiter):
        I = abs(Z) < 2.0  # still inside, größer
        N[I] = n
        Z[I] = Z[I] ** 2 + C[I]
    return Z, N
"""


@pytest.fixture
def example(work: Path) -> Path:
    path = work / "a.py"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


def test_a_file_is_rewritten_once(example: Path, run: Run) -> None:
    ran = run("a.py")
    assert (ran.code, ran.err) == (0, "")
    assert "a.py:10:9 NPR101 rewritten: " in ran.out
    assert "a.py:8:5 NPR601 rewritten: " in ran.out
    text = example.read_text(encoding="utf-8")
    ast.parse(text)
    assert "@npr.step(" in text
    for line in EXAMPLE.splitlines():
        assert line in text or line == "    for n in range(maxiter):"
    again = run("a.py")
    assert again.code == 0
    assert "1 file unchanged" in again.out
    assert example.read_text(encoding="utf-8") == text
    assert run("--check", "a.py").code == 0


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_check_diff_and_file_agree(work: Path, run: Run, newline: str) -> None:
    data = EXAMPLE.replace("\n", newline).encode("utf-8-sig")
    (work / "a.py").write_bytes(data)
    assert run("--check", "a.py").code == 1
    run("a.py", "-o", "b.py")
    difference = subprocess.run(
        [sys.executable, "-m", "nprewrite", "--diff", "a.py"], capture_output=True, check=True
    ).stdout
    filtered = subprocess.run(
        [sys.executable, "-m", "nprewrite", "-"], input=data, capture_output=True, check=True
    ).stdout
    assert (work / "a.py").read_bytes() == data
    run("a.py")
    rewritten = (work / "a.py").read_bytes()
    assert rewritten.startswith(b"\xef\xbb\xbf")
    assert rewritten.count(newline.encode()) == len(rewritten.splitlines())
    assert rewritten == (work / "b.py").read_bytes() == filtered
    (work / "a.py").write_bytes(data)
    subprocess.run(["git", "apply", "--whitespace=nowarn"], input=difference, check=True)
    assert (work / "a.py").read_bytes() == rewritten


def test_passes_can_be_chosen(example: Path, run: Run) -> None:
    codes = {
        site["code"]
        for file in json.loads(run("--check", "--select", "NPR101", "--format=json", "a.py").out)["files"]
        for site in file["sites"]
    }
    assert codes == {"NPR101"}
    ran = run("--check", "--print-between-passes", "--stop-after", "masked-store", "a.py")
    assert "a.py: changed by NPR101 masked-store\n--- a/a.py\n" in ran.out
    assert "NPR601" not in ran.out


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("import numpy as np\n\ndef f(:\n", "a.py:3:7: error: "),
        ("x = 1\nprint 'a'\n", "a.py:2:1: error: Missing parentheses in call to 'print'"),
        ("if 1:\nx = 1\n", "a.py:2:1: error: expected an indented block"),
        ("def f():\n    x = 1\n\ty = 2\n", "a.py:3:"),
        ("return 1 +\n", "a.py:1:"),
        ("x = '", "a.py:1:5: error: unterminated string literal"),
        ("x = " + "9" * 5000, "a.py:1:"),
        ("x = " + "(" * 500 + ")" * 500, "a.py:1:"),
    ],
)
def test_what_does_not_parse(work: Path, run: Run, source: str, place: str) -> None:
    (work / "a.py").write_text(source)
    ran = run("a.py")
    assert ran.code == 2
    assert ran.err.startswith(place)
    assert ran.err.count("\n") == 1
    assert (work / "a.py").read_text() == source


@pytest.mark.parametrize(
    "source",
    [
        "x = " + " + ".join(["a"] * 20_000),
        "x = " + "-" * 100_000 + "1",
        "x = a" + ".b" * 20_000,
        "x = a" + "[0]" * 9999,
    ],
    ids=["sum", "signs", "attributes", "subscripts"],
)
def test_a_deep_expression_is_no_internal_error(work: Path, run: Run, source: str) -> None:
    (work / "a.py").write_text(source)
    ran = run("a.py")
    assert ran.code in (0, 2)
    assert ran.code == 0 or "split its longest expressions into several statements" in ran.err
    assert (work / "a.py").read_text() == source


def test_many_files(work: Path, run: Run) -> None:
    for number in range(12):
        (work / f"m{number:02}.py").write_text(EXAMPLE, encoding="utf-8")
    ran = run(".")
    assert ran.code == 0
    assert "12 files changed" in ran.out
    assert len({(work / f"m{number:02}.py").read_bytes() for number in range(12)}) == 1


def test_rules_of_sarif_have_what_github_requires(capsys: pytest.CaptureFixture[str]) -> None:
    codes = [*(each.code for each in PASSES), "NPR001", "NPR002"]
    sites = tuple(Site(1, 1, code, "", Outcome.REFUSED, "no", "no") for code in codes)
    report = SarifReport(Console())
    report.add(FileResult("a.py", sites=sites), Status.UNCHANGED)
    report.finish(0)
    rules = json.loads(capsys.readouterr().out)["runs"][0]["tool"]["driver"]["rules"]
    assert sorted(rule["id"] for rule in rules) == sorted(codes)
    for rule in rules:
        assert 0 < len(rule["shortDescription"]["text"]) < 256
        assert 0 < len(rule["fullDescription"]["text"]) < 1024
        assert rule["help"]["text"]
        assert "](" not in rule["help"]["markdown"].replace("](http", "")


SIMULATION = """\
import numpy as np

import weather


def main():
    u = weather.read()
    for n, wind in enumerate(weather.winds()):
        print(n)
        u[1:-1] += wind * (u[2:] - u[:-2])
        u = np.where(u > 1, np.exp(1 - u), u)
    weather.write(np.sort(u))
{helper}

main()
"""
HELPER = """

def shifted(u):
    return np.exp(-u) * u + 1
"""


@pytest.mark.parametrize("helper", ["", HELPER])
def test_a_loop_that_only_a_call_can_tell_of_is_left_to_the_decorator(
    work: Path, run: Run, helper: str
) -> None:
    path, text = work / "a.py", SIMULATION.format(helper=helper)
    path.write_text(text)
    ran = run("a.py")
    assert "a.py:8:5 NPR401 deferred" in ran.out
    assert "refused" not in ran.out
    with_import = text.replace("import weather\n", "import weather\nimport nprewrite\n")
    assert path.read_text() == with_import.replace("def main", "@nprewrite.jit\ndef main")
    assert "1 file unchanged" in run("a.py").out
    path.write_text(text)
    assert "1 file unchanged" in run("--level", "exact", "a.py").out
    assert "1 file unchanged" in run("--ignore", "NPR101", "a.py").out


def test_the_decorator_comes_with_what_is_rewritten_in_the_file(work: Path, run: Run) -> None:
    path = work / "a.py"
    path.write_text(SIMULATION.format(helper="").replace("np.sort(u)", "np.real(np.fft.fft(u))"))
    ran = run("a.py")
    assert "a.py:12:27 NPR305 rewritten" in ran.out
    assert "a.py:8:5 NPR401 deferred" in ran.out
    assert "@nprewrite.jit\ndef main" in path.read_text()
    assert "1 file unchanged" in run("a.py").out
