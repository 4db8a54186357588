"""The options that commands share, as decorators: those that choose passes, and the types of values."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from nprewrite.config.finding import Chosen, Configurations
from nprewrite.config.settings import ACCUMULATE, LEVELS, PRECISIONS

Command = Callable[..., Any]
"""What click calls: it takes the options by name, and returns the exit status."""

FILE = click.Path(readable=False)
"""A path that a shell completes; whether it can be read is found out where it is."""


def reported(*forms: str) -> Callable[[Command], Command]:
    """The form of the report, by default the first of these."""
    text = f"the form of the report (default: {forms[0]})"
    return click.option("--format", type=click.Choice(forms), default=forms[0], help=text)


class Positive(click.ParamType[float]):
    """A positive number."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number; fails for anything else."""
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 0 < number < float("inf"):
            self.fail(f"expected a positive number, not {value!r}", param, ctx)
        return number


_CHOICES = (
    click.option(
        "--level",
        type=click.Choice(LEVELS),
        help="exact: the same bits; rounding: the same function, other rounding (the default); "
        "fast: overflow and NaN corners may be dropped",
    ),
    click.option(
        "--precision",
        type=click.Choice(PRECISIONS),
        help="float32: functions compute in float32 and complex64 (needs --level fast)",
    ),
    click.option(
        "--accumulate",
        type=click.Choice(ACCUMULATE),
        help="with --precision: the dtype in which sums are accumulated (default: float64)",
    ),
    click.option(
        "--keep-output-dtype",
        is_flag=True,
        default=None,
        help="with --precision: results have the dtype that NumPy would give",
    ),
    click.option(
        "--keep-float64",
        multiple=True,
        metavar="NAMES",
        help="with --precision: names of a function that stay in float64 (repeatable)",
    ),
    click.option(
        "--select",
        multiple=True,
        metavar="PASSES",
        help="run only these passes (NPR4: those whose codes begin so; masked-store: by name; repeatable)",
    ),
    click.option("--ignore", multiple=True, metavar="PASSES", help="run all but these passes (repeatable)"),
    click.option(
        "--config", type=FILE, metavar="FILE", help="read [tool.nprewrite] of this file, not of the nearest"
    ),
    click.option("--isolated", is_flag=True, help="read no configuration file"),
)


_AS_GIVEN = ("level", "precision", "accumulate", "keep_output_dtype")


def choosing(command: Command) -> Command:
    """Give a command the options that override a configuration file, and those that name one.

    The command gets what they ask for as ``configurations``.
    """

    @wraps(command)
    def with_configurations(
        *,
        keep_float64: tuple[str, ...],
        select: tuple[str, ...],
        ignore: tuple[str, ...],
        config: str | None,
        isolated: bool,
        **others: Any,
    ) -> Any:
        if config is not None and isolated:
            raise click.UsageError("--config reads a file, --isolated reads none: choose one")
        chosen = Chosen(
            select=_codes("--select", select),
            ignore=_codes("--ignore", ignore),
            keep_float64=_words(keep_float64) if keep_float64 else None,
            **{name: others.pop(name) for name in _AS_GIVEN},
        )
        return command(configurations=Configurations(chosen, config, isolated), **others)

    return with_options(with_configurations, _CHOICES)


def with_options(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """The command with options, which are shown in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def only_one(**given: object) -> None:
    """Raise UsageError where several of these options are given."""
    names = [f"--{name}" for name, value in given.items() if value]
    if len(names) > 1:
        raise click.UsageError(f"{names[0]} cannot be combined with {names[1]}: choose one")


def picture(option: str, path: str | None) -> Path | None:
    """Where to save a picture. Raises UsageError for another form, or where nothing can draw it."""
    if path is None:
        return None
    if not path.lower().endswith(".png"):
        raise click.UsageError(f"{option} writes a PNG file: {path} does not end in .png")
    if importlib.util.find_spec("matplotlib") is None:
        raise click.UsageError(
            f"{option} needs matplotlib, which is not installed: pip install nprewrite[plot]"
        )
    return Path(path)


def _words(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _codes(option: str, values: tuple[str, ...]) -> frozenset[str] | None:
    words = _words(values)
    if values and not words:
        raise click.UsageError(f"{option}: no pass is given")
    if not values:
        return None
    from nprewrite.config.selection import UnknownPass, codes_of

    try:
        return codes_of(words)
    except UnknownPass as error:
        raise click.UsageError(f"{option}: {error}") from error
