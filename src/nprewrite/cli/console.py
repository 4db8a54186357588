"""The two standard streams: the report, the errors, and the text that a user redirects."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

import click

from nprewrite.cli.progress import Progress
from nprewrite.files.problems import system_reason

if TYPE_CHECKING:
    from rich.console import RenderableType

_WIDE = 100_000
"""Columns of a report that no terminal shows: paths stay on their lines."""


class OutputProblem(Exception):
    """Standard output or standard error cannot be written."""


class Console:
    """Prints lines in any terminal encoding; a reader that goes away is not an error.

    ``payload`` is for rewritten text and diffs on standard output; with ``payload_only`` standard output
    carries nothing else, and the report goes to standard error. ``progress`` is set when work begins.
    """

    def __init__(self, *, payload_only: bool = False) -> None:
        self._report = sys.stderr if payload_only else sys.stdout
        self.progress: Progress | None = None
        self._gone: set[TextIO] = set()

    def line(self, text: str) -> None:
        """One line, or several, of the report."""
        self._write(self._report, text + "\n")

    def show(self, what: RenderableType) -> None:
        """A table or a page: as wide as a terminal, and in colours; elsewhere plain, with nothing wrapped."""
        from rich.console import Console as Rich

        rich = Rich(file=self._report, width=None if self.terminal else _WIDE, highlight=False)
        with rich.capture() as captured:
            rich.print(what)
        lines = captured.get().removesuffix("\n").split("\n")
        self.line("\n".join(lines if self.terminal else map(str.rstrip, lines)))

    @property
    def terminal(self) -> bool:
        """Whether a person reads the report as it is written."""
        return self._report.isatty()

    def coloured(self, text: str, colour: str) -> str:
        """Words of the report in a colour, where a terminal shows it that has and wants colours."""
        wanted = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        return click.style(text, fg=colour) if wanted and self.terminal else text

    def error(self, text: str) -> None:
        """A line for standard error."""
        self._write(sys.stderr, text + "\n")

    def payload(self, data: bytes) -> None:
        """Bytes for standard output, as they are."""
        self._write(sys.stdout, data)

    def show_progress(self, done: int) -> None:
        """Draw the progress bar, if there is one."""
        if self.progress:
            self.progress.show(done)

    def clear_progress(self) -> None:
        if self.progress:
            self.progress.clear()

    def _write(self, stream: TextIO, content: str | bytes) -> None:
        """Write, or raise OutputProblem, for example on a full disk."""
        if stream in self._gone:
            return
        self.clear_progress()
        try:
            if isinstance(content, str):
                stream.write(_encodable(content, stream))
            else:
                _write_all(stream, content)
            stream.flush()
        except BrokenPipeError:
            self._abandon(stream)
        except OSError as error:
            self._abandon(stream)
            raise OutputProblem(f"cannot write {stream.name}: {system_reason(error)}") from error

    def _abandon(self, stream: TextIO) -> None:
        """Discard what the stream still holds: flushing it would fail when the interpreter exits."""
        self._gone.add(stream)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _write_all(stream: TextIO, content: bytes) -> None:
    """Write all bytes to a stream that, being unbuffered, may take only a part at a time."""
    while content:
        content = content[stream.buffer.write(content) :]


def _encodable(text: str, stream: TextIO) -> str:
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
