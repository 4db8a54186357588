"""Source, rewritten text and kernels beside each other, each line with the source's lines it stands for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from html import escape

from nprewrite.explaining.explanation import Explanation
from nprewrite.explaining.running import Graph, Kernel
from nprewrite.explaining.running_text import heading

_LARGE_SHARE = 0.1
"""The share of the time from which on a line is marked."""


def columns(explanation: Explanation) -> str:
    """The columns; without kernels there are two."""
    graphs = explanation.running.compiled.graphs if explanation.running is not None else ()
    shown = [
        _column("Source", _source(explanation), "and its share of the time" if _shares(explanation) else ""),
        _column("Rewritten", _rewritten(explanation)),
    ]
    if graphs:
        shown.append(_column("Kernels", _kernels(explanation, graphs)))
    kind = "columns" if graphs else "columns two"
    return f'<div class="{kind}">\n' + "\n".join(shown) + "\n</div>"


def _column(title: str, lines: Iterator[str], more: str = "") -> str:
    content = "\n".join(lines)
    # The tab key reaches the first line that has counterparts.
    content = content.replace('tabindex="-1"', 'tabindex="0"', 1)
    return (
        f'<section class="column" aria-label="{title}"><h2>{title} <span class="faint">{more}</span></h2>\n'
        f'<div class="lines"><div>\n{content}\n</div></div></section>'
    )


def _line(text: str, number: int | None, stands_for: Collection[int], before: str = "") -> str:
    """One line: its ``number``, then ``before``, then its text."""
    link, kind = "", "line"
    if stands_for:
        numbers = " ".join(map(str, sorted(stands_for)))
        link, kind = f' data-lines="{numbers}" tabindex="-1"', "line linked"
    shown = number if number is not None else ""
    return (
        f'<div class="{kind}"{link}><span class="number">{shown}</span>{before}'
        f"<span>{escape(text)}</span></div>"
    )


def _source(explanation: Explanation) -> Iterator[str]:
    lines = explanation.rewriting.source.splitlines()
    wanted = explanation.lines or range(1, len(lines) + 1)
    linked = _linked(explanation)
    shares = _shares(explanation)
    for number, text in enumerate(lines, start=1):
        if number in wanted:
            yield _line(text, number, {number} & linked, _share(shares, number))


def _linked(explanation: Explanation) -> set[int]:
    """The lines of the source that have a counterpart: a changed line, or a kernel."""
    source = explanation.rewriting.source.splitlines()
    found: set[int] = set()
    for number, text in enumerate(explanation.rewriting.text.splitlines(), start=1):
        line = explanation.user_line(number)
        if line is not None and (line > len(source) or source[line - 1] != text):
            found.add(line)
    graphs = explanation.running.compiled.graphs if explanation.running is not None else ()
    for graph in graphs:
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


def _share(shares: dict[int, float], line: int) -> str:
    if not shares:
        return ""
    share = shares.get(line)
    kind = "share large" if share is not None and share >= _LARGE_SHARE else "share"
    shown = "" if share is None else f"{share:.0%}"
    return f'<span class="{kind}" title="of the time as written">{shown}</span>'


def _rewritten(explanation: Explanation) -> Iterator[str]:
    """The rewritten text; of one function, the lines that stand for it."""
    linked = _linked(explanation)
    for number, text in enumerate(explanation.rewriting.text.splitlines(), start=1):
        line = explanation.user_line(number)
        if explanation.lines is None or line in explanation.lines:
            yield _line(text, number, {line} & linked if line is not None and text.strip() else ())


def _kernels(explanation: Explanation, graphs: Sequence[Graph]) -> Iterator[str]:
    for graph in graphs:
        yield f'<div class="kernel"><h3>{escape(heading(graph))}</h3></div>'
        for kernel in graph.kernels:
            yield from _kernel(explanation, kernel)


def _kernel(explanation: Explanation, kernel: Kernel) -> Iterator[str]:
    library = "" if kernel.code else " (of a library)"
    yield f'<div class="kernel"><code>{escape(kernel.name)}</code>{library}</div>'
    if not kernel.code:
        users = sorted(_users(explanation, kernel.lines))
        yield _line(f"computes the lines {', '.join(map(str, users))}", None, users)
    for each in kernel.code:
        line = explanation.user_line(each.line)
        # The compiler's indentation would take half of the column.
        depth = len(each.text) - len(each.text.lstrip())
        yield _line(" " * (depth // 3) + each.text.lstrip(), line, {line} if line is not None else ())
