"""``nprewrite pass``: the passes, and the page of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nprewrite.explaining import meanings
from nprewrite.files.problems import SUCCESS, UsageProblem

if TYPE_CHECKING:
    from rich.table import Table

    from nprewrite.passes.contract import RewritePass


def passes() -> tuple[RewritePass[Any, Any], ...]:
    """The passes in the order in which they run."""
    from nprewrite.engine import pipeline

    return pipeline.PASSES


def find_pass(word: str) -> RewritePass[Any, Any]:
    """The pass with this name or code. Raises UsageProblem that names the nearest."""
    from nprewrite.config.selection import UnknownPass, codes_of

    try:
        codes = codes_of([word])
    except UnknownPass as error:
        raise UsageProblem(str(error)) from error
    for each in passes():
        if each.code in codes:
            return each
    raise UsageProblem(f"{word!r} is how codes begin: name one pass")


def table() -> Table:
    """One line for each pass."""
    from rich.table import Table

    made = Table("CODE", "PASS", "LEVEL", "WHAT IT DOES", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for each in passes():
        made.add_row(each.code, each.name, each.level.name.lower(), each.summary)
    return made


def page(word: str) -> str:
    """The catalogue's page of a pass. Raises UsageProblem."""
    found = find_pass(word)
    text = meanings.page(found.name, "README.md")
    if text is None:
        raise UsageProblem(f"the page of {found.code} ({found.name}) is not part of this installation")
    return text.rstrip()


@click.command("pass")
@click.argument("name", required=False)
def command(name: str | None) -> int:
    """List the passes, or print the page of one: what it does, why, and what it refuses.

    NAME is a name or a code: masked-store, NPR101.
    """
    from nprewrite.cli.console import Console

    console = Console()
    try:
        text = page(name) if name else ""
    except UsageProblem as error:
        raise click.UsageError(str(error)) from error
    if not text:
        console.show(table())
    elif console.terminal:
        from rich.markdown import Markdown

        console.show(Markdown(text))
    else:
        console.line(text)
    return SUCCESS
