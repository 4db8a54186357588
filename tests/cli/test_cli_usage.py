"""Wrong usage, help, version, and `nprewrite pass`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from conftest import Run

from nprewrite.cli.command import COMMANDS
from nprewrite.engine import pipeline
from nprewrite.engine.outcomes import Decorated, Options, Rewriting
from nprewrite.passes.level import Level

of_a_file = partial(Options, decorated=Decorated.LOOPS)

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a file or a directory"),
        (["rewrite"], "name a file or a directory"),
        (["-", "a.py"], "cannot be combined with other paths"),
        (["a.py", "b.py", "-o", "c.py"], "several are given"),
        (["a.py", "-o", "b.py", "--check"], "choose one"),
        (["a.py", "-o", "b.py", "--diff"], "choose one"),
        (["--level", "sloppy", "a.py"], "'sloppy' is not one of 'exact', 'rounding', 'fast'"),
        (["--format", "xml", "a.py"], "'xml' is not one of 'text', 'json', 'github', 'sarif'"),
        (["--selec", "NPR101", "a.py"], "No such option '--selec'. (Did you mean one of:"),
        (
            ["--select", "NPR101,NPR999", "a.py"],
            "--select: no pass is called 'NPR999'; nprewrite pass lists them",
        ),
        (
            ["--ignore", "mask-store", "a.py"],
            "--ignore: no pass is called 'mask-store'; did you mean 'masked-store'?",
        ),
        (["--select", "PR", "a.py"], "no pass is called 'PR'"),
        (["--select", ",", "a.py"], "--select: no pass is given"),
        (
            ["--stop-after", "complex-pair", "a.py"],
            "--stop-after: no pass is called 'complex-pair'; did you mean 'complex-pairs'?",
        ),
        (["--stop-after", "NPR", "a.py"], "'NPR' is how codes begin: name one pass"),
        (["pass", "nothing"], "no pass is called 'nothing'; nprewrite pass lists them"),
        (["--exclude", "", "a.py"], "--exclude: '' is not a pattern that could match a path"),
        (["--exit-zero", "a.py"], "--exit-zero is for --check"),
        (["--quiet", "--format", "json", "a.py"], "--quiet leaves the errors of the text report"),
        (["--stdin-filename", "b.py", "a.py"], "give '-' too"),
        (["pass", "one", "two"], "unexpected extra argument (two)"),
    ],
)
@pytest.mark.usefixtures("rewriter")
def test_wrong_usage_exits_2_and_touches_nothing(
    work: Path, run: Run, arguments: list[str], message: str
) -> None:
    (work / "a.py").write_text("old()\n")
    ran = run(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert message in ran.err
    assert (work / "a.py").read_text() == "old()\n"


@pytest.mark.usefixtures("rewriter")
def test_a_mistyped_command_is_named_as_one(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\n")
    ran = run("rewrit", "a.py")
    assert ran.code == 2
    assert ran.err.endswith("Error: rewrit: no such file, and no such command; did you mean 'rewrite'?\n")
    assert (work / "a.py").read_text() == "old()\n"
    assert "command" not in run("rewrite", "rewrit").err
    (work / "rewrit").write_text("old()\n")
    assert run("rewrit").code == 0


def test_help_and_version(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    assert "exit status" in ran.out
    for name in COMMANDS:
        helped = run(name, "--help")
        assert (helped.code, helped.err) == (0, "")
        assert f"Usage: nprewrite {name}" in helped.out
        assert f"  {name} " in ran.out
    version = run("--version")
    assert version.code == 0
    assert version.out.startswith("nprewrite ")


@pytest.mark.usefixtures("rewriter")
def test_the_options_reach_the_rewriter(work: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Options] = []

    def note(text: str, filename: str, options: Options) -> Rewriting:
        assert filename == "a.py"
        seen.append(options)
        return Rewriting(text, text)

    monkeypatch.setattr(pipeline, "rewrite_source", note)
    (work / "a.py").write_text("x = 1\n")
    run("a.py")
    run("a.py", "--level=exact", "--select=NPR101, NPR201", "--ignore", "NPR101", "--ignore=NPR201")
    run("a.py", "--level", "fast", "--select", "NPR101", "--select", "NPR201", "--stop-after", "masked-store")
    run("a.py", "--stop-after", "NPR201")
    run("a.py", "--select", "NPR", "--ignore", "masked-store", "--stop-after", "NPR201")
    run("a.py", "--select", "complex-pairs", "--ignore", "NPR")
    first, second = frozenset({"NPR101"}), frozenset({"NPR201"})
    both = first | second
    assert seen == [
        of_a_file(Level.ROUNDING, None, frozenset(), None),
        of_a_file(Level.EXACT, both, both, None),
        of_a_file(Level.FAST, both, frozenset(), "NPR101"),
        of_a_file(Level.ROUNDING, None, frozenset(), "NPR201"),
        of_a_file(Level.ROUNDING, both, first, "NPR201"),
        of_a_file(Level.ROUNDING, second, first, None),
    ]


@pytest.mark.usefixtures("rewriter")
def test_pass_lists_the_passes(run: Run) -> None:
    assert run("pass").out.splitlines() == [
        "CODE    PASS           LEVEL     WHAT IT DOES",
        "NPR101  masked-store   exact     A store through a mask becomes a full store of a select.",
        "NPR201  complex-pairs  rounding  A complex array becomes two real arrays.",
    ]


@pytest.mark.usefixtures("rewriter")
def test_pass_prints_a_page(run: Run, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = work / "_catalogue" / "masked-store" / "README.md"
    page.parent.mkdir(parents=True)
    page.write_text("# masked-store\n\n`A[m] = v` → a full store\n", encoding="utf-8")
    monkeypatch.setattr("nprewrite.explaining.meanings._PACKAGE", work)
    expected = "# masked-store\n\n`A[m] = v` → a full store\n"
    assert run("pass", "masked-store").out == expected
    assert run("pass", "NPR101").out == expected
    missing = run("pass", "complex-pairs")
    assert missing.code == 2
    assert "the page of NPR201 (complex-pairs) is not part of this installation" in missing.err


def test_every_pass_has_its_page(run: Run) -> None:
    """Of the real passes, in the source tree."""
    assert pipeline.PASSES
    for each in pipeline.PASSES:
        name, code = each.name, each.code
        text = (REPOSITORY / "passes" / name / "README.md").read_text(encoding="utf-8").rstrip() + "\n"
        assert run("pass", name).out == text
        assert run("pass", code).out == text
