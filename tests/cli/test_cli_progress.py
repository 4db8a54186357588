"""The progress bar: on a terminal only, and out of the way of everything else."""

from __future__ import annotations

import io

import pytest
from rich.text import Text

from nprewrite.cli import progress as module
from nprewrite.cli.progress import Passing, Progress

ERASE_LINE = "\x1b[2K"
SHOW_CURSOR = "\x1b[?25h"
LINE_UP = "\x1b[1A"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    monkeypatch.setattr(module, "_INTERVAL", 0.0)
    monkeypatch.setenv("TERM", "xterm")


def test_the_bar_is_drawn_and_taken_away() -> None:
    stream = Terminal()
    bar = Progress(8, stream)
    bar.show(2)
    assert "2/8 files" in Text.from_ansi(stream.getvalue()).plain
    bar.clear()
    assert stream.getvalue().endswith(f"\n{SHOW_CURSOR}\r{LINE_UP}{ERASE_LINE}")
    cleared = stream.getvalue()
    bar.clear()
    assert stream.getvalue() == cleared
    bar.show(5)
    assert "5/8 files" in Text.from_ansi(stream.getvalue()).plain


@pytest.mark.parametrize(
    ("stream", "total", "term"),
    [(io.StringIO(), 8, "xterm"), (Terminal(), 8, "dumb"), (Terminal(), 1, "xterm")],
    ids=["no terminal", "dumb terminal", "one file"],
)
def test_no_bar(stream: io.StringIO, total: int, term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    bar = Progress(total, stream)
    bar.show(1)
    bar.clear()
    assert stream.getvalue() == ""


def test_short_work_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 60.0)
    stream = Terminal()
    Progress(8, stream).show(1)
    assert stream.getvalue() == ""


def test_a_line_passes_on_a_terminal_only() -> None:
    stream = Terminal()
    with Passing(stream) as passing:
        passing.show("case 10: f")
        passing.show("case 11")
    assert stream.getvalue() == "\rcase 10: f\rcase 11   \r       \r"
    quiet = io.StringIO()
    with Passing(quiet) as passing:
        passing.show("case 1")
    assert quiet.getvalue() == ""
