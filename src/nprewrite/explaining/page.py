"""The explanation as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from nprewrite.engine.outcomes import Outcome, Site
from nprewrite.explaining.columns import columns
from nprewrite.explaining.explanation import Explanation, PassChange
from nprewrite.explaining.known import FunctionFacts
from nprewrite.explaining.meanings import meaning
from nprewrite.explaining.running import Bare, Graph, Running
from nprewrite.explaining.running_text import bare_summary, fusion, heading, summary

_HERE = Path(__file__).resolve().parent


def page_of(explanation: Explanation, version: str) -> str:
    """The page; everything from the user's file is escaped."""
    name = explanation.path + (f"::{explanation.function}" if explanation.function else "")
    body = "\n".join(
        [
            f"<header><h1>{escape(name)}</h1>\n{_introduction(explanation)}</header>",
            "<main>",
            columns(explanation),
            *_sections(explanation),
            "</main>",
            f"<footer>written by nprewrite {escape(version)}</footer>",
        ]
    )
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n"
        f"<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _introduction(explanation: Explanation) -> str:
    outcomes = [site.outcome for site in explanation.sites]
    counts = ", ".join(f"{outcomes.count(each)} {each}" for each in Outcome if each in outcomes)
    lines = [f"sites: {counts or 'none'}"]
    if explanation.running is not None:
        lines.append(f"ran: {'; '.join(explanation.running.calls)}")
        lines.append(summary(explanation.running.compiled.graphs))
    lines.append(
        "Lines with a mark at the left have counterparts: point at one, or go to it with Tab and "
        "the arrow keys."
    )
    return "\n".join(f'<p class="faint">{escape(line)}</p>' for line in lines)


def _sections(explanation: Explanation) -> Iterator[str]:
    running = explanation.running
    if running is not None:
        yield _section("Representation before and after fusion", map(_fusion, running.compiled.graphs))
        yield _section("Graphs", [*map(_graph, running.compiled.graphs), *_steps(running)])
    yield _section("Passes", map(_change, explanation.changes))
    yield _section("Refusals", _refusals(explanation.refused))
    if explanation.deferred:
        yield _section("Waiting for the types of a call", _refusals(explanation.deferred))
    yield _section("Known and not known", map(_facts, explanation.facts))
    if running is not None and running.bare is not None:
        yield _section("As written, under torch.compile alone", [_bare(running.bare)])
    if running is not None and running.notes:
        yield _section("Notes", [_list(running.notes)])


def _section(title: str, parts: Iterator[str] | list[str] | map[str]) -> str:
    content = "\n".join(parts) or '<p class="faint">none</p>'
    return f"<section><h2>{title}</h2>\n{content}\n</section>"


def _list(items: tuple[str, ...] | list[str]) -> str:
    if not items:
        return ""
    return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"


def _fusion(graph: Graph) -> str:
    return (
        f'<details><summary>{escape(heading(graph))}: {fusion(graph)}</summary>\n<div class="pair">'
        f'<div><h3>before</h3><pre tabindex="0">{escape(graph.before)}</pre></div>'
        f'<div><h3>after</h3><pre tabindex="0">{escape(graph.after)}</pre></div></div></details>'
    )


def _graph(graph: Graph) -> str:
    guards = f"<p>guards:</p>{_list(graph.guards)}" if graph.guards else ""
    return (
        f"<details><summary>{escape(heading(graph))}</summary>\n<p>because: {escape(graph.because)}</p>"
        f"<p>arguments (any: an axis of any length):</p>{_list(graph.arguments)}{guards}</details>"
    )


def _steps(running: Running) -> list[str]:
    return [_list(running.compiled.steps)]


def _change(change: PassChange) -> str:
    messages = "; ".join(dict.fromkeys(site.message for site in change.sites))
    lines = "\n".join(map(_diff_line, change.diff.rstrip("\n").splitlines()))
    title = f"{change.number}. {change.code} {change.name}"
    return (
        f"<details><summary><strong>{escape(title)}</strong> {escape(messages)}</summary>\n"
        f'<pre tabindex="0">{lines}</pre></details>'
    )


def _diff_line(line: str) -> str:
    kind = {"+": "added", "-": "removed"}.get(line[:1])
    return f'<span class="{kind}">{escape(line)}</span>' if kind else escape(line)


def _refusals(sites: tuple[Site, ...]) -> list[str]:
    if not sites:
        return []
    rows = "".join(map(_refusal, sites))
    head = "<tr><th>line</th><th>verdict</th><th>why</th><th>in general</th><th>would help</th></tr>"
    return [f'<div class="scroll"><table>{head}{rows}</table></div>']


def _refusal(site: Site) -> str:
    general = (meaning(site.reason) if site.reason else None) or ""
    cells = (str(site.line), f"{site.code} {site.verdict}", site.message, general, site.help or "")
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _facts(facts: FunctionFacts) -> str:
    name = "the module's own statements" if facts.name == "<module>" else facts.name
    known = "".join(
        f"<tr><td>{each.line}</td><td><code>{escape(each.name)}</code></td>"
        f"<td>{escape(each.type)}{' (suggested; a guard looks)' if each.suggested else ''}</td></tr>"
        for each in facts.known
    )
    unknown = "".join(
        f"<tr><td>{each.line}</td><td><code>{escape(each.expression)}</code></td>"
        f"<td>not known: {escape(each.because)}</td></tr>"
        for each in facts.unknown
    )
    shapes = _list([f"one shape: {', '.join(names)}" for names in facts.same_shape])
    head = "<tr><th>line</th><th>name</th><th>type</th></tr>"
    return (
        f"<details><summary>{escape(name)}</summary>\n"
        f'<div class="scroll"><table>{head}{known}{unknown}</table></div>{shapes}</details>'
    )


def _bare(bare: Bare) -> str:
    breaks = [f"break at {each.place}: {each.reason}" for each in bare.breaks]
    recompiled = [f"recompiled: {each}" for each in bare.recompilations]
    return f"<p>{escape(bare_summary(bare))}</p>{_list([*breaks, *recompiled])}"
