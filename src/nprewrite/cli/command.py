"""The entry point: runs a command and returns its exit status."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING

import click

from nprewrite.base.environment import COMPLETION
from nprewrite.files.problems import FAILURE, SUCCESS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_INTERRUPTED = 128 + signal.SIGINT
_DEFAULT = "rewrite"
_SHOWN = {"--help", "--version"}

COMMANDS = {
    "rewrite": "rewrite files; the word can be left out",
    "run": "run a program with the passes applied to it, files stay as they are",
    "profile": "run a program as it is, and show where nprewrite would make it faster",
    "verify": "run a file before and after rewriting and compare the answers",
    "explain": "show what is known of a file, what each pass changes, what is refused",
    "bench": "measure a file before and after rewriting",
    "build": "compile a program ahead of time, into the cache",
    "pass": "list the passes; with a name or code, print the page of one",
    "doctor": "what this machine has of what compiled code needs",
    "cache": "what is kept on this machine: show it, remove it, carry it to another",
    "completion": "completion for bash, zsh or fish",
}
"""The commands and what they do. Each is ``command`` in a module of its name, imported when it is called."""

_MODULES = {"pass": "catalogue"}
"""Those whose module has another name."""

_HELP = """\
Rewrite NumPy programs so that their loops of array code run through torch.compile.

"nprewrite FILE" is short for "nprewrite rewrite FILE". A path that is named like a command is written
./rewrite, ./run and so on. Each command has its --help.
"""

_EPILOG = """\
\b
exit status, the highest that applies:
  0  done, or nothing to do
  1  --check: something would change
  2  wrong usage, or a file could not be read, parsed or written (the others are
     still done)
  3  verify: the answers differ
  4  an internal error: a fault of nprewrite; the file is untouched

\b
examples:
  nprewrite profile simulation.py      where its time goes, and what could be done
  nprewrite --diff simulation.py       see what would be done
  nprewrite simulation.py              do it
  nprewrite run simulation.py          run it without changing the file
  nprewrite --check src tests          fail if something is left to do
  nprewrite pass masked-store          what a pass does, and what it refuses
"""


class Commands(click.Group):
    """The commands, each imported when it is called; without the name of one, files are rewritten."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"nprewrite.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, none of which is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take arguments that begin with no command for those of rewriting."""
        own = {option for each in self.get_params(ctx) for option in each.opts}
        # A first word that is still being typed may become a command.
        unfinished = ctx.resilient_parsing and not args
        if unfinished or (args and args[0] in own | COMMANDS.keys()):
            return super().parse_args(ctx, args)
        _refuse_misspelt(args[:1])
        return super().parse_args(ctx, [_DEFAULT, *args])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, and what rewriting takes."""
        from click.shell_completion import CompletionItem

        rewriting = self.get_command(ctx, _DEFAULT)
        assert rewriting is not None
        inner = rewriting.make_context(_DEFAULT, [], parent=ctx, resilient_parsing=True)
        found = [*super().shell_complete(ctx, incomplete), *rewriting.shell_complete(inner, incomplete)]
        # First, as files: of what stands before them, click's script for bash offers nothing.
        return found if incomplete.startswith("-") else [CompletionItem(incomplete, type="file"), *found]


def _refuse_misspelt(words: list[str]) -> None:
    """Raise UsageError where the first word is no path, and nearly a command."""
    if not words or not words[0].isidentifier() or os.path.lexists(words[0]):
        return
    import difflib

    near = difflib.get_close_matches(words[0], COMMANDS, 1)
    if near:
        raise click.UsageError(f"{words[0]}: no such file, and no such command; did you mean {near[0]!r}?")


GROUP = click.version_option(package_name="nprewrite", message="nprewrite %(version)s")(
    Commands("nprewrite", help=_HELP, epilog=_EPILOG)
)


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status."""
    if COMPLETION in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(GROUP, {}, "nprewrite", COMPLETION, os.environ[COMPLETION])
    if arguments[:1] == ["run"]:
        # Signals, streams and exceptions are left to the program, which may use click itself.
        return _status(_called(arguments))
    from nprewrite.cli.console import OutputProblem

    try:
        with _termination_as_exit():
            return _status(_called(arguments))
    except OutputProblem as error:
        print(f"nprewrite: error: {error}", file=sys.stderr)
        return FAILURE
    except KeyboardInterrupt:
        print("nprewrite: interrupted; every file is either rewritten or as it was", file=sys.stderr)
        return _INTERRUPTED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else SUCCESS


def _called(arguments: list[str]) -> int | Callable[[], int]:
    """What the command returns: an exit status, or of ``run`` what starts the program."""
    # Not by click's own entry point, which takes interrupts and errors of the system for its own.
    try:
        with GROUP.make_context("nprewrite", arguments) as context:
            returned: int | Callable[[], int] = GROUP.invoke(context)
            return returned
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:
        if not _SHOWN & set(arguments):
            raise
        # The reader of the help has seen enough (| head); flushing the rest would fail again at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SUCCESS


def _status(called: int | Callable[[], int]) -> int:
    return called if isinstance(called, int) else called()


@contextmanager
def _termination_as_exit() -> Iterator[None]:
    """SIGTERM, or a closed terminal, ends the run by an exception, so that temporary files are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = [signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])]
    # A signal that the process was told to ignore (nohup) stays ignored.
    wanted = [number for number in signals if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in wanted:
            signal.signal(number, _exit)
        yield
    finally:
        for number in wanted:
            signal.signal(number, signal.SIG_DFL)


def _exit(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
