"""The explanation as plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nprewrite.engine.outcomes import Site
from nprewrite.engine.wording import NOTHING_HELPS
from nprewrite.explaining.explanation import Explanation, PassChange
from nprewrite.explaining.known import FunctionFacts, NotKnown
from nprewrite.explaining.meanings import meaning
from nprewrite.explaining.running_text import running_sections

_INDENT = "  "


def text_of(explanation: Explanation) -> str:
    """Facts, passes, deferred and refused sites, and what calls showed, in this order."""
    sections = [
        _title(explanation),
        *(_facts(each) for each in explanation.facts),
        _passes(explanation),
        _waiting(explanation),
        _refused(explanation),
        *running_sections(explanation),
    ]
    return "\n\n".join(section for section in sections if section)


def _title(explanation: Explanation) -> str:
    name = f"::{explanation.function}" if explanation.function else ""
    return f"{explanation.path}{name}: {explanation.counts}"


def _facts(facts: FunctionFacts) -> str:
    place = f"lines {facts.lines[0]} to {facts.lines[1]}"
    name = "the module's own statements" if facts.name == "<module>" else facts.name
    legend = " (suggested: by an annotation, a default or a call, so that a guard looks at each call)"
    suggested = any(each.suggested for each in facts.known)
    lines = [f"{name}, {place}", f"{_INDENT}known{legend if suggested else ''}:"]
    width = max((len(each.name) for each in facts.known), default=0)
    for each in facts.known:
        mark = " (suggested)" if each.suggested else ""
        lines.append(f"{_INDENT * 2}line {each.line:>4}  {each.name:<{width}}  {each.type}{mark}")
    lines += [f"{_INDENT * 2}one shape: {', '.join(names)}" for names in facts.same_shape]
    if not facts.known:
        lines.append(f"{_INDENT * 2}nothing")
    if facts.unknown:
        lines += [f"{_INDENT}not known:", *map(_not_known, facts.unknown)]
    return "\n".join(lines)


def _not_known(each: NotKnown) -> str:
    others = f" (and {each.others} more)" if each.others else ""
    return f"{_INDENT * 2}line {each.line:>4}  `{each.expression}`{others}: {each.because}"


def _passes(explanation: Explanation) -> str:
    how = "in the order in which they ran"
    if explanation.running is not None:
        how = f"{how} under nprewrite.jit, for these arguments"
    if not explanation.changes:
        what = explanation.function or "the file"
        return f"passes: none {'changed' if explanation.sites else 'found anything to rewrite in'} {what}"
    return "\n\n".join([f"passes, {how}", *map(_change, explanation.changes)])


def _change(change: PassChange) -> str:
    lines = [f"{change.number}. {change.code} {change.name}"]
    lines += [f"{_INDENT}line {site.line}: {site.message}" for site in change.sites]
    lines += [f"{_INDENT * 2}{line}".rstrip() for line in change.diff.rstrip("\n").splitlines()]
    return "\n".join(lines)


def _waiting(explanation: Explanation) -> str:
    if not explanation.deferred:
        return ""
    lines = ["waiting for the types of a call: the function gets @nprewrite.jit, which rewrites it then"]
    lines += [
        f"{_INDENT}line {each.line}, column {each.column} {each.code} {each.verdict}: {each.message}"
        for each in explanation.deferred
    ]
    return "\n".join(lines)


def _refused(explanation: Explanation) -> str:
    if not explanation.refused:
        return ""
    return "\n".join(["refused", *_refusals(explanation.refused)])


def _refusals(sites: Sequence[Site]) -> Iterator[str]:
    """What is refused: what several passes say of one place once, what a reason means at its first place."""
    groups: dict[tuple[tuple[int, int], str, str, str | None], list[str]] = {}
    for site in sites:
        key = site.place, site.verdict, " ".join(site.message.split()), site.help
        groups.setdefault(key, []).append(site.code)
    reasons = {site.verdict: site.reason for site in sites}
    for ((line, column), verdict, message, help_text), codes in groups.items():
        yield f"{_INDENT}line {line}, column {column} {', '.join(dict.fromkeys(codes))} {verdict}: {message}"
        reason = reasons.pop(verdict, None)
        general = meaning(reason) if reason else None
        if general:
            yield f"{_INDENT * 3}in general: {general}"
        if help_text:
            helping = "" if help_text.startswith(NOTHING_HELPS) else "would help: "
            yield f"{_INDENT * 3}{helping}{help_text}"
