"""The options of ``nprewrite rewrite``, and what they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from nprewrite.config.finding import Chosen
from nprewrite.config.settings import ACCUMULATE, LEVELS, PRECISIONS

_TIMEOUT = 300.0

COMMANDS = ("bench", "cache", "completion", "doctor", "explain", "pass", "rewrite", "run", "verify")
FORMATS = ("text", "json", "github", "sarif")

_USAGE = """nprewrite [rewrite] [options] PATH [PATH ...]
       nprewrite run [options] SCRIPT | -m MODULE [ARGUMENTS ...]
       nprewrite verify FILE[::FUNCTION] [options]
       nprewrite explain FILE[::FUNCTION] [options]
       nprewrite bench FILE[::FUNCTION] [options]
       nprewrite pass [NAME] | doctor | cache [--clear] | completion SHELL"""

_DESCRIPTION = """\
Rewrite NumPy programs so that their loops of array code run through
torch.compile.

Files are rewritten in place, each completely or not at all; of a notebook
(*.ipynb) the code cells. Directories are searched for *.py and *.ipynb; what
.gitignore names, virtual environments, caches and build output are left out,
and symbolic links inside are not followed. A lone '-'
reads standard input and writes standard output. A path that is named like a
command is written ./rewrite, ./run and so on.

[tool.nprewrite] in the nearest pyproject.toml above a file sets level, select,
ignore, per-file-ignores, exclude, packages, verify, on-fallback, precision,
accumulate, keep-output-dtype and keep-float64; options go before it.
"# nprewrite: off" to "# nprewrite: on" leaves lines alone, and
"# nprewrite: ignore[NPR101]" behind code that line."""

_EPILOG = """\
commands:
  rewrite     rewrite files; the word can be left out
  run         run a program with the passes applied to it, files stay as they are
  verify      run a file before and after rewriting and compare the answers
  explain     show what is known of a file, what each pass changes, what is refused
  bench       measure a file before and after rewriting
  pass        list the passes; with a name or code, print the page of one
  doctor      what this machine has of what compiled code needs
  cache       what is kept on this machine; --clear removes it
  completion  completion for bash, zsh or fish
  Each has its --help.

report:
  For every site one line, then a summary:
    FILE:LINE:COL CODE rewritten|refused[reason]|deferred: why (what would help)
  NPR001 tells of a comment that suppresses nothing, NPR003 of a function that
  another compiler takes (Numba's njit, jax.jit). The report goes to standard
  output, or to standard error when standard output carries the text or the
  diff ('-', '-o -', --diff). Errors in text form always go to standard error.
  The JSON document is described by
  "python -m pydoc nprewrite.cli.json_report".

exit status, the highest that applies:
  0  done, or nothing to do
  1  --check: something would change
  2  wrong usage, or a file could not be read, parsed or written (the others are
     still done)
  4  an internal error: a fault of nprewrite; the file is untouched

examples:
  nprewrite --diff simulation.py    see what would be done
  nprewrite waves.py --observe "python main.py --quick"
                                    run a program once for the types it passes
  nprewrite simulation.py           do it
  nprewrite --check src tests       fail if something is left to do
  nprewrite pass masked-store       what a pass does, and what it refuses
"""


@dataclass(frozen=True)
class Request:
    """A checked command line; its pass codes are known ones."""

    paths: tuple[str, ...]
    output: str | None
    diff: bool
    check: bool
    format: str
    statistics: bool
    chosen: Chosen
    config: str | None
    isolated: bool
    show_settings: bool
    print_between_passes: bool
    stop_after: str | None
    observe: str | None
    timeout: float

    @property
    def reads_standard_input(self) -> bool:
        """Whether the one input is standard input."""
        return self.paths == ("-",)

    @property
    def writes_text_to_standard_output(self) -> bool:
        """Whether the rewritten text goes to standard output."""
        if self.diff or self.check:
            return False
        return self.output == "-" or (self.output is None and self.reads_standard_input)


def parse(arguments: Sequence[str]) -> Request:
    """Read the arguments of ``nprewrite rewrite``. Raises SystemExit after help, version or wrong usage."""
    parser = make_parser()
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_intermixed_args(words[:end])
    options.paths += words[end + 1 :]
    if options.version:
        from nprewrite.cli.version import version

        print(f"nprewrite {version()}")
        raise SystemExit(0)
    message = _contradiction(options)
    if message:
        parser.error(message)
    return Request(
        paths=tuple(options.paths),
        output=options.output,
        diff=options.diff,
        check=options.check,
        format=options.format,
        statistics=options.statistics,
        chosen=chosen(parser, options),
        config=options.config,
        isolated=options.isolated,
        show_settings=options.show_settings,
        print_between_passes=options.print_between_passes,
        stop_after=_pass_code(parser, options.stop_after),
        observe=options.observe,
        timeout=options.timeout or _TIMEOUT,
    )


def make_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(
        prog="nprewrite",
        usage=_USAGE,
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, directories, or '-'")
    add = parser.add_argument
    add("-o", "--output", metavar="FILE", help="write the one rewritten file to FILE ('-': standard output)")
    add("--diff", action="store_true", help="print a unified diff (for git apply, patch -p1), write nothing")
    add("--check", action="store_true", help="write nothing, exit 1 if something would change")
    add_choices(parser)
    add(
        "--observe",
        metavar="COMMAND",
        help="run 'python run.py args' once, and rewrite with the types that it passes to the functions",
    )
    add(
        "--timeout",
        type=positive,
        metavar="SECONDS",
        help=f"time for the command of --observe (default: {_TIMEOUT:g})",
    )
    add("--show-settings", action="store_true", help="print what holds for each PATH, and do nothing")
    add("--format", choices=FORMATS, default="text", help="the form of the report (default: text)")
    add("--statistics", action="store_true", help="count sites by code and verdict in place of listing them")
    add("--print-between-passes", action="store_true", help="report what each pass changed, as a diff")
    add("--stop-after", metavar="PASS", help="run the passes up to this one (its name or code)")
    add("--version", action="store_true", help="print the version")
    return parser


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Add the options that override a configuration file, and those that name one."""
    add = parser.add_argument
    add(
        "--level",
        choices=LEVELS,
        help="exact: the same bits; rounding: the same function, other rounding (the default); "
        "fast: overflow and NaN corners may be dropped",
    )
    add(
        "--precision",
        choices=PRECISIONS,
        help="float32: functions compute in float32 and complex64 (needs --level fast)",
    )
    add(
        "--accumulate",
        choices=ACCUMULATE,
        help="with --precision: the dtype in which sums are accumulated (default: float64)",
    )
    add(
        "--keep-output-dtype",
        action="store_true",
        default=None,
        help="with --precision: results have the dtype that NumPy would give",
    )
    add(
        "--keep-float64",
        action="append",
        metavar="NAMES",
        help="with --precision: names of a function that stay in float64 (repeatable)",
    )
    add(
        "--select", action="append", metavar="CODES", help="run only these passes (NPR101,NPR201; repeatable)"
    )
    add("--ignore", action="append", metavar="CODES", help="run all but these passes (repeatable)")
    add("--config", metavar="FILE", help="read [tool.nprewrite] of this file, not of the nearest")
    add("--isolated", action="store_true", help="read no configuration file")


def chosen(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Chosen:
    """What the options of `add_choices` ask for. Raises SystemExit for wrong usage."""
    if options.config is not None and options.isolated:
        parser.error("--config reads a file, --isolated reads none: choose one")
    return Chosen(
        level=options.level,
        select=_codes(parser, "--select", options.select),
        ignore=_codes(parser, "--ignore", options.ignore),
        precision=options.precision,
        accumulate=options.accumulate,
        keep_output_dtype=options.keep_output_dtype,
        keep_float64=_words(options.keep_float64),
    )


def _contradiction(options: argparse.Namespace) -> str | None:
    """Why the options contradict each other; None when they do not."""
    if not options.paths:
        return "name a file or a directory to rewrite, or '-' for standard input (--help explains)"
    if options.statistics and options.format not in ("text", "json"):
        return "--statistics counts sites in text or JSON, an annotation or a SARIF result stands for one"
    if options.timeout is not None and options.observe is None:
        return "--timeout is the time for the command of --observe: give --observe too"
    if options.observe is not None and "-" in options.paths:
        return "--observe watches the functions of files, and standard input is none"
    if "-" in options.paths and len(options.paths) > 1:
        return "'-' stands for standard input and cannot be combined with other paths"
    if options.output is None:
        return None
    if options.diff or options.check:
        return "-o writes a file, --diff and --check write none: choose one"
    if len(options.paths) > 1:
        return "-o takes the result of one file, and several are given"
    return None


def positive(word: str) -> float:
    """A positive number, the value of an option. Raises ArgumentTypeError."""
    try:
        number = float(word)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a positive number, not {word!r}")
    return number


def _words(values: list[str] | None) -> tuple[str, ...] | None:
    if not values:
        return None
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _codes(parser: argparse.ArgumentParser, option: str, values: list[str] | None) -> frozenset[str] | None:
    if not values:
        return None
    codes = frozenset(code.strip() for value in values for code in value.split(",") if code.strip())
    from nprewrite.cli.catalogue import known_passes, passes

    unknown = sorted(codes - {each.code for each in passes()})
    if unknown or not codes:
        wrong = f"unknown pass code {', '.join(unknown)}" if unknown else "no pass code given"
        parser.error(f"{option}: {wrong}; the passes are: {known_passes()}")
    return codes


def _pass_code(parser: argparse.ArgumentParser, word: str | None) -> str | None:
    if word is None:
        return None
    from nprewrite.cli.catalogue import find_pass
    from nprewrite.files.problems import UsageProblem

    try:
        return find_pass(word).code
    except UsageProblem as error:
        parser.error(f"--stop-after: {error}")
