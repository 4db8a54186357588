"""Source, rewritten text and kernels beside each other, each line with the source's lines it stands for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from nprewrite.explaining.colours import coloured
from nprewrite.explaining.explanation import Explanation
from nprewrite.explaining.running import Kernel
from nprewrite.explaining.running_text import heading

_LARGE_SHARE = 0.1
"""The share of the time from which on a line is marked."""


@dataclass(frozen=True)
class Line:
    """One line of a column: its number, its share of the time, and the lines of the source it stands for."""

    text: Markup | str
    number: int | None = None
    stands_for: Collection[int] = ()
    share: str | None = None
    large: bool = False
    heading: bool = False


@dataclass(frozen=True)
class Column:
    """A title, what is said behind it, and the lines."""

    title: str
    more: str
    items: Sequence[Line]


def columns(explanation: Explanation) -> list[Column]:
    """The columns; without kernels there are two."""
    more = "and its share of the time" if _shares(explanation) else ""
    shown = [
        Column("Source", more, [*_source(explanation)]),
        Column("Rewritten", "", [*_rewritten(explanation)]),
    ]
    if explanation.graphs:
        shown.append(Column("Kernels", "", [*_kernels(explanation)]))
    return shown


def _source(explanation: Explanation) -> Iterator[Line]:
    lines = [*map(Markup, coloured(explanation.rewriting.source))]
    wanted = explanation.lines or range(1, len(lines) + 1)
    linked = _linked(explanation)
    shares = _shares(explanation)
    for number, text in enumerate(lines, start=1):
        if number in wanted:
            share = shares.get(number)
            shown = f"{share:.0%}" if share is not None else "" if shares else None
            large = share is not None and share >= _LARGE_SHARE
            yield Line(text, number, {number} & linked, shown, large)


def _linked(explanation: Explanation) -> set[int]:
    """The lines of the source that have a counterpart: a changed line, or a kernel."""
    source = explanation.rewriting.source.splitlines()
    found: set[int] = set()
    for number, text in enumerate(explanation.rewriting.text.splitlines(), start=1):
        line = explanation.user_line(number)
        if line is not None and (line > len(source) or source[line - 1] != text):
            found.add(line)
    for graph in explanation.graphs:
        for kernel in graph.kernels:
            found |= _users(explanation, kernel.lines)
    return found


def _users(explanation: Explanation, lines: Sequence[int]) -> set[int]:
    users = {explanation.user_line(line) for line in lines}
    return {line for line in users if line is not None}


def _shares(explanation: Explanation) -> dict[int, float]:
    """The share of the time as written, by line."""
    profile = explanation.running.profile if explanation.running is not None else None
    if profile is None or not profile.seconds:
        return {}
    return {each.line: each.seconds / profile.seconds for each in profile.lines}


def _rewritten(explanation: Explanation) -> Iterator[Line]:
    """The rewritten text; of one function, the lines that stand for it."""
    linked = _linked(explanation)
    plain = explanation.rewriting.text
    for number, (text, colours) in enumerate(zip(plain.splitlines(), coloured(plain), strict=True), start=1):
        line = explanation.user_line(number)
        if explanation.lines is None or line in explanation.lines:
            yield Line(Markup(colours), number, {line} & linked if line is not None and text.strip() else ())


def _kernels(explanation: Explanation) -> Iterator[Line]:
    for graph in explanation.graphs:
        yield Line(Markup("<h3>{}</h3>").format(heading(graph)), heading=True)
        for kernel in graph.kernels:
            yield from _kernel(explanation, kernel)


def _kernel(explanation: Explanation, kernel: Kernel) -> Iterator[Line]:
    library = "" if kernel.code else " (of a library)"
    yield Line(Markup("<code>{}</code>{}").format(kernel.name, library), heading=True)
    if not kernel.code:
        users = sorted(_users(explanation, kernel.lines))
        yield Line(f"computes the lines {', '.join(map(str, users))}", None, users)
    # The compiler's indentation would take half of the column.
    plain = [(each.text, each.text.lstrip()) for each in kernel.code]
    texts = [" " * ((len(text) - len(bare)) // 3) + bare for text, bare in plain]
    language = "cpp" if kernel.name.startswith("cpp") else "python"
    for each, colours in zip(kernel.code, coloured("\n".join(texts), language), strict=True):
        line = explanation.user_line(each.line)
        yield Line(Markup(colours), line, {line} if line is not None else ())
