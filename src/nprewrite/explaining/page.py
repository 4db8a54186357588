"""The explanation as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nprewrite.base.version import VERSION
from nprewrite.explaining.columns import columns
from nprewrite.explaining.explanation import Explanation
from nprewrite.explaining.meanings import meaning
from nprewrite.explaining.running_text import bare_summary, fusion, heading, summary

_HERE = Path(__file__).resolve().parent


def page_of(explanation: Explanation) -> str:
    """The page; everything from the user's file is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    rendering = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    rendering.globals |= {
        "meaning": meaning,
        "heading": heading,
        "fusion": fusion,
        "bare_summary": bare_summary,
    }
    return rendering.get_template("page.html").render(
        name=explanation.path + (f"::{explanation.function}" if explanation.function else ""),
        explanation=explanation,
        running=explanation.running,
        introduction=_introduction(explanation),
        columns=columns(explanation),
        version=VERSION,
        style=Markup((_HERE / "page.css").read_text(encoding="utf-8")),
        script=Markup((_HERE / "page.js").read_text(encoding="utf-8")),
    )


def _introduction(explanation: Explanation) -> Iterator[str]:
    yield explanation.counts
    if explanation.running is not None:
        yield f"ran: {'; '.join(explanation.running.calls)}"
        yield summary(explanation.graphs)
    yield (
        "Lines with a mark at the left have counterparts: point at one, or go to it with Tab and the arrow "
        "keys."
    )
