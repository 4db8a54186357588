"""The profile as one self-contained HTML page: the table, a flame graph, and the source with its times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from nprewrite.base.version import VERSION
from nprewrite.explaining.colours import coloured
from nprewrite.profiling import text
from nprewrite.profiling.attribution import function_of
from nprewrite.profiling.profile import Profile, Row
from nprewrite.profiling.source import Source

_HERE = Path(__file__).resolve().parent
_HEAD = ("time", "part", "arrays", "where", "what nprewrite would do", "gain")
_NARROWEST = 0.002
"""Frames with a smaller part of the time are left out of the flame graph."""


def page_of(profile: Profile) -> str:
    """The page; everything from the user's files is escaped."""
    title = escape(f"{profile.program}: {text.seconds(profile.total)}")
    body = "\n".join(
        [
            f"<header><h1>{title}</h1><p>{escape(text.advice(profile))}</p></header>",
            f"<main>\n{_table(profile)}\n<h2>Who called whom</h2>\n{_flames(profile)}",
            *(_source(each, profile) for each in _sources(profile)),
            f"</main>\n<footer>written by nprewrite {escape(VERSION)}</footer>",
        ]
    )
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _table(profile: Profile) -> str:
    head = "".join(f"<th>{each}</th>" for each in _HEAD)
    rows = []
    for row in profile.rows:
        cells = [escape(each) for each in text.cells(row, profile)]
        cells[3] = f'<a href="#{_anchor(row.unit.source, row.unit.line)}">{cells[3]}</a>'
        rows.append("<tr>" + "".join(f"<td>{each}</td>" for each in cells) + "</tr>")
    return f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>'


@dataclass
class _Node:
    seconds: float = 0.0
    children: defaultdict[str, _Node] = field(default_factory=lambda: defaultdict(_Node))


def _flames(profile: Profile) -> str:
    root = _Node()
    for stack, seconds in profile.attribution.stacks.items():
        node = root
        node.seconds += seconds
        for code, _ in reversed(stack.frames):
            node = node.children[function_of(code)]
            node.seconds += seconds
    return f'<div class="flames">{"".join(_flame(root.children, root.seconds, profile.total))}</div>'


def _flame(children: dict[str, _Node], whole: float, total: float) -> Iterator[str]:
    for name, node in sorted(children.items(), key=lambda item: -item[1].seconds):
        if node.seconds < _NARROWEST * total:
            continue
        label = f"{name}: {text.seconds(node.seconds)}, {text.percent(node.seconds, total)}"
        inside = "".join(_flame(node.children, node.seconds, total))
        yield (
            f'<div class="flame" style="width:{100 * node.seconds / whole:.2f}%">'
            f'<span title="{escape(label)}">{escape(name)}</span><div class="inside">{inside}</div></div>'
        )


def _sources(profile: Profile) -> list[Source]:
    paths = dict.fromkeys(row.unit.source.path for row in profile.rows)
    return [profile.attribution.sources[path] for path in paths]


def _source(source: Source, profile: Profile) -> str:
    spent: defaultdict[int, float] = defaultdict(float)
    for unit in profile.attribution.units.values():
        if unit.source is source:
            for line, seconds in unit.lines.items():
                spent[line] += seconds
    rows = [row for row in profile.rows if row.unit.source is source]
    compiled = frozenset[int]().union(*(row.outlook.lines for row in rows))
    refused = _notes(rows)
    most = max(spent.values(), default=0.0) or 1.0
    lines = (
        _line(source, number, line, spent[number], most, number in compiled, refused.get(number, ""))
        for number, line in enumerate(coloured(source.text), start=1)
    )
    legend = "green: would run compiled; red: refused, with the reason"
    head = f'<h2>{escape(source.path)}</h2><p class="faint">{legend}</p>'
    return f'{head}<div class="source">{"".join(lines)}</div>'


def _notes(rows: Iterable[Row]) -> dict[int, str]:
    """For each line on which something is refused, why."""
    found: dict[int, str] = {}
    for row in rows:
        for each in text.in_the_way(row):
            for line in each.lines:
                found.setdefault(line, each.said)
    return found


def _line(
    source: Source, number: int, line: str, seconds: float, most: float, compiled: bool, refused: str
) -> str:
    """A line of the source, which is HTML already."""
    kind = "refused" if refused else "compiled" if compiled else ""
    spent = text.seconds(seconds) if seconds >= 0.005 * most else ""
    why = f'<span class="why">{escape(refused)}</span>' if refused else ""
    return (
        f'<div class="line {kind}" id="{_anchor(source, number)}"><span class="number">{number}</span>'
        f'<span class="time" style="--part:{seconds / most:.3f}">{spent}</span>'
        f"<code>{line or ' '}</code>{why}</div>"
    )


def _anchor(source: Source, line: int) -> str:
    return escape(f"{source.name}-{line}", quote=True)
