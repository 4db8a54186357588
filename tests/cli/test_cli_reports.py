"""What is printed, where it goes, and the exit status."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import Run
from rich.table import Table

from nprewrite.cli.console import Console

pytestmark = pytest.mark.usefixtures("rewriter")

ALL = "a = old()\nb = stay()\n    \nc = later()\n"


def test_sites_and_summary_go_to_standard_output(work: Path, run: Run) -> None:
    (work / "a.py").write_text(ALL)
    ran = run("a.py")
    assert ran.code == 0
    assert ran.err == ""
    assert ran.out.splitlines() == [
        "a.py:1:5 NPR101 rewritten: old became new",
        "a.py:2:5 NPR201 refused[dtype-unknown]: the dtype is not known (annotate the parameter)",
        "a.py:4:1 NPR201 deferred: known at the first call",
        "1 file changed; sites: 1 rewritten, 1 refused, 1 deferred",
    ]
    assert (work / "a.py").read_text() == ALL.replace("old()", "new()")


def test_the_word_rewrite_can_be_left_out(work: Path, run: Run) -> None:
    for name, words in {
        "a.py": ("rewrite", "a.py"),
        "b.py": ("b.py",),
        "c.py": ("--level", "fast", "c.py"),
    }.items():
        (work / name).write_text("old()\n")
        assert run(*words).code == 0
        assert (work / name).read_text() == "new()\n"


def test_a_path_named_like_a_command(work: Path, run: Run) -> None:
    (work / "pass").mkdir()
    (work / "pass" / "a.py").write_text("old()\n")
    assert run("./pass").code == 0
    assert (work / "pass" / "a.py").read_text() == "new()\n"


def test_options_may_stand_between_paths(work: Path, run: Run) -> None:
    for name in ("a.py", "b.py", "-c.py"):
        (work / name).write_text("old()\n")
    assert run("a.py", "--check", "b.py").out.count("would change") == 2 + 1
    assert run("--", "-c.py").code == 0
    assert (work / "-c.py").read_text() == "new()\n"


def test_a_second_run_leaves_the_file_alone(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\n")
    run("a.py")
    before = (work / "a.py").stat()
    ran = run("a.py")
    after = (work / "a.py").stat()
    assert ran.out == "1 file unchanged; sites: none\n"
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_check_writes_nothing_and_exits_1(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\n")
    (work / "b.py").write_text("fine()\n")
    ran = run("--check", "a.py", "b.py")
    assert ran.code == 1
    assert "would change a.py\n" in ran.out
    assert "would change b.py" not in ran.out
    assert ran.out.endswith("1 file would change, 1 file unchanged; sites: 1 rewritten\n")
    assert (work / "a.py").read_text() == "old()\n"
    assert run("--check", "b.py").code == 0


def test_diff_goes_to_standard_output_and_the_report_to_standard_error(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\n")
    ran = run("--diff", "a.py")
    assert ran.code == 0
    assert ran.out == "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old()\n+new()\n"
    assert "a.py:1:1 NPR101 rewritten" in ran.err
    assert (work / "a.py").read_text() == "old()\n"
    assert run("--diff", "--check", "a.py").code == 1


def _standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))


def test_standard_input_to_standard_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _standard_input(monkeypatch, b"old()\r\n# end")
    ran = run("-")
    assert ran.code == 0
    assert ran.out == "new()\r\n# end"
    assert "<stdin>:1:1 NPR101 rewritten" in ran.err


def test_a_broken_standard_input_gives_no_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _standard_input(monkeypatch, b"def f(:\n")
    ran = run("rewrite", "-")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("<stdin>:1:7: error: ")


def test_standard_input_with_the_name_of_a_file(
    work: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "pyproject.toml").write_text('[tool.nprewrite]\nexclude = ["b.py"]\n')
    _standard_input(monkeypatch, b"a = old()\n")
    ran = run("-", "--stdin-filename", "a.py")
    assert (ran.code, ran.out) == (0, "a = new()\n")
    assert ran.err.startswith("a.py:1:5 NPR101 rewritten: ")
    _standard_input(monkeypatch, b"a = 1\n")
    ran = run("-", "--stdin-filename", "b.py")
    assert (ran.code, ran.out) == (0, "a = 1\n")
    assert ran.err.startswith(f"b.py: left out, as {work.resolve()}/pyproject.toml excludes it\n")


def test_check_of_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _standard_input(monkeypatch, b"old()\n")
    ran = run("--check", "-")
    assert ran.code == 1
    assert "would change <stdin>" in ran.out
    assert "new()" not in ran.out


def test_output_file(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\n")
    (work / "a.py").chmod(0o755)
    ran = run("a.py", "-o", "b.py")
    assert ran.code == 0
    assert (work / "a.py").read_text() == "old()\n"
    assert (work / "b.py").read_text() == "new()\n"
    assert (work / "b.py").stat().st_mode & 0o100
    assert "a.py:1:1 NPR101 rewritten" in ran.out


def test_output_of_an_unchanged_file_is_written_too(work: Path, run: Run) -> None:
    (work / "a.py").write_text("fine()\n")
    assert run("a.py", "-o", "b.py").code == 0
    assert (work / "b.py").read_text() == "fine()\n"


def test_output_onto_the_input(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\n")
    assert run("a.py", "-o", "./a.py").code == 0
    assert (work / "a.py").read_text() == "new()\n"


def test_output_to_standard_output(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\n")
    ran = run("a.py", "-o", "-")
    assert ran.out == "new()\n"
    assert (work / "a.py").read_text() == "old()\n"
    assert not (work / "-").exists()


def test_output_from_standard_input(work: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _standard_input(monkeypatch, b"old()\n")
    ran = run("-", "-o", "b.py")
    assert ran.code == 0
    assert (work / "b.py").read_text() == "new()\n"
    assert "<stdin>:1:1 NPR101" in ran.out


@pytest.mark.parametrize("target", ["folder", "none/b.py", "/dev/null"])
def test_output_that_cannot_be_written(work: Path, run: Run, target: str) -> None:
    (work / "a.py").write_text("old()\n")
    (work / "folder").mkdir()
    ran = run("a.py", "-o", target)
    assert ran.code == 2
    assert ran.err.startswith(f"{target}: error: the file cannot be written: ")
    assert ran.out == "1 file failed; sites: none\n"


def test_print_between_passes(work: Path, run: Run) -> None:
    (work / "a.py").write_text("x = old()\n")
    ran = run("--print-between-passes", "--check", "a.py")
    assert ran.out.startswith(
        "a.py: changed by NPR101 masked-store\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = old()\n+x = new()\n"
    )


def test_json(work: Path, run: Run) -> None:
    (work / "a.py").write_text(ALL)
    (work / "b.py").write_text("x = (\n")
    (work / "c.py").write_text("crash()\n")
    ran = run("--format", "json", "--print-between-passes", "a.py", "b.py", "c.py")
    report = json.loads(ran.out)
    assert ran.err == ""
    assert ran.code == report["exit"] == 4
    assert report["schema"] == 1
    assert report["summary"] == {
        "files": {"changed": 1, "would-change": 0, "unchanged": 0, "failed": 2},
        "sites": {"rewritten": 1, "refused": 1, "deferred": 1, "unused": 0},
    }
    first, second, third = report["files"]
    assert (first["path"], first["status"]) == ("a.py", "changed")
    assert first["sites"][1] == {
        "line": 2,
        "column": 5,
        "code": "NPR201",
        "pass": "complex-pairs",
        "outcome": "refused",
        "reason": "dtype-unknown",
        "message": "the dtype is not known",
        "help": "annotate the parameter",
        "level": None,
    }
    assert first["sites"][0]["level"] == "exact"
    assert [stage["code"] for stage in first["stages"]] == ["NPR101"]
    assert "+a = new()" in first["stages"][0]["diff"]
    assert second == {"path": "b.py", "status": "failed", "sites": [], "stages": []}
    assert third["status"] == "failed"
    parse, internal = report["errors"]
    assert (parse["path"], parse["line"], parse["column"], parse["kind"]) == ("b.py", 1, 5, "file")
    assert internal["kind"] == "internal"
    assert "ZeroDivisionError" in internal["details"]


def test_github(work: Path, run: Run) -> None:
    (work / "100%,a:b.py").write_text("a = old()\nb = stay()\n")
    (work / "c.py").write_text("x = (\n")
    ran = run("--format", "github", "100%,a:b.py", "c.py")
    assert ran.code == 2
    name = "100%25%2Ca%3Ab.py"
    assert ran.out.splitlines()[:3] == [
        f"::notice file={name},line=1,col=5,title=NPR101 masked-store rewritten::old became new",
        f"::notice file={name},line=2,col=5,title=NPR201 complex-pairs refused[dtype-unknown]"
        "::the dtype is not known (annotate the parameter)",
        "::error file=c.py,line=1,col=5,title=nprewrite::'(' was never closed",
    ]


def test_github_warns_of_what_a_check_fails_for(work: Path, run: Run) -> None:
    (work / "a.py").write_text("b = stay()\na = old()\n")
    levels = [line.split()[0] for line in run("--format", "github", "--check", "a.py").out.splitlines()[:3]]
    assert levels == ["::notice", "::notice", "::warning"]
    assert "::warning" not in run("--format", "github", "--diff", "a.py").err


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert Console().coloured("refused", "yellow") == "\x1b[33mrefused\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Console().coloured("refused", "yellow") == "refused"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert Console().coloured("refused", "yellow") == "refused"


def test_a_table_that_is_piped_is_not_wrapped(capfd: pytest.CaptureFixture[str]) -> None:
    path = f"{'deep/' * 100}a file.py"
    table = Table("PATH", "TEXT", box=None, pad_edge=False)
    table.add_row(path, "[red]is a name[/red] of " + "words " * 50)
    Console().show(table)
    head, row = capfd.readouterr().out.splitlines()
    assert head.split() == ["PATH", "TEXT"]
    assert row.startswith(f"{path}  is a name of words")
    assert row.endswith("words")


def test_quiet(work: Path, run: Run) -> None:
    (work / "a.py").write_text("a = old()\nb = stay()\n")
    (work / "c.py").write_text("x = (\n")
    ran = run("--quiet", "--check", "a.py")
    assert (ran.code, ran.out, ran.err) == (1, "", "")
    ran = run("-q", "a.py", "c.py")
    assert (ran.code, ran.out, ran.err) == (2, "", "c.py:1:5: error: '(' was never closed\n")
    assert (work / "a.py").read_text() == "a = new()\nb = stay()\n"


def test_exit_zero(work: Path, run: Run) -> None:
    (work / "a.py").write_text("a = old()\n")
    assert run("--check", "--exit-zero", "a.py").code == 0
    assert run("--check", "--exit-zero", "a.py", "gone.py").code == 2


def test_github_keeps_an_internal_error_on_one_line(work: Path, run: Run) -> None:
    (work / "c.py").write_text("crash()\n")
    ran = run("--format", "github", "c.py")
    assert ran.code == 4
    line = ran.out.splitlines()[0]
    assert line.startswith(
        "::error file=c.py,title=nprewrite internal error::ZeroDivisionError: division by zero%0A"
    )
    assert "Traceback" in line


def test_a_name_with_control_characters_stays_on_one_line(work: Path, run: Run) -> None:
    (work / "a\n\x1b[31m.py").write_text("old()\n")
    ran = run(".")
    assert ran.out.splitlines()[0] == "a\\n\\x1b[31m.py:1:1 NPR101 rewritten: old became new"


def test_a_name_that_is_not_text(work: Path, run: Run) -> None:
    path = bytes(work) + b"/caf\xe9.py"
    with open(path, "wb") as file:
        file.write(b"old()\n")
    ran = run(".")
    assert ran.out.splitlines()[0] == "caf\\udce9.py:1:1 NPR101 rewritten: old became new"
    assert json.loads(run("--format", "json", ".").out)["files"][0]["path"] == "caf\udce9.py"


def test_no_files_is_said(work: Path, run: Run) -> None:
    ran = run(".")
    assert ran.code == 0
    assert ran.err == "nprewrite: warning: the given directories hold no Python files to rewrite\n"
    assert ran.out == "no files; sites: none\n"


def test_statistics(work: Path, run: Run) -> None:
    (work / "a.py").write_text(ALL)
    (work / "b.py").write_text("stay()\nstay()\n")
    ran = run("--statistics", "a.py", "b.py")
    assert ran.out.splitlines() == [
        "3  NPR201 refused[dtype-unknown]",
        "1  NPR101 rewritten",
        "1  NPR201 deferred",
        "1 file changed, 1 file unchanged; sites: 1 rewritten, 3 refused, 1 deferred",
    ]
    report = json.loads(run("--statistics", "--format=json", "b.py").out)
    assert report["statistics"] == [{"code": "NPR201", "verdict": "refused[dtype-unknown]", "count": 2}]
    assert report["files"][0]["sites"] == []
    assert run("--statistics", "--format=sarif", "b.py").code == 2


def test_sarif(work: Path, run: Run) -> None:
    (work / "a ö.py").write_text(ALL)
    (work / "b.py").write_text("x = (\n")
    ran = run("--format", "sarif", "a ö.py", "b.py")
    log = json.loads(ran.out)
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    assert [rule["id"] for rule in only["tool"]["driver"]["rules"]] == ["NPR101", "NPR201"]
    assert [(result["ruleId"], result["level"]) for result in only["results"]] == [
        ("NPR101", "note"),
        ("NPR201", "warning"),
        ("NPR201", "note"),
    ]
    place = only["results"][1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20%C3%B6.py"
    assert place["region"] == {"startLine": 2, "startColumn": 5}
    (invocation,) = only["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, ran.code)
    (fault,) = invocation["toolExecutionNotifications"]
    assert fault["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
