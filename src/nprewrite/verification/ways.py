"""How rewritten loops ran in a call, or why they did not, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from nprewrite.decorated.jitted import Jitted
from nprewrite.decorated.original import decorated_by
from nprewrite.engine.outcomes import Outcome

AS_WRITTEN = "as written: "


def ways_of(runs: Counter[str], shown: Mapping[str, str]) -> list[str]:
    """How the loops of one call ran, such as ``compiled`` or ``numpy (3 loops)``; ``shown`` renames ways."""
    ways = [(shown.get(way, way), count) for way, count in sorted(runs.items())]
    return [way if count == 1 else f"{way} ({count} loops)" for way, count in ways]


def refusals(function: object) -> list[str]:
    """Why the decorator left a function as it is for these arguments; empty where it did not."""
    decorated = decorated_by(function)
    if not isinstance(decorated, Jitted):
        return []
    sites = decorated.report().sites
    if any(site.outcome is Outcome.REWRITTEN for site in sites):
        return []
    return [f"{AS_WRITTEN}{site.code} {site.verdict}: {site.message}" for site in sites]
