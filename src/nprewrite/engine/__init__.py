"""The rewriter: text in, text and outcomes out. Nothing here runs the user's code."""

from nprewrite.engine.outcomes import (
    InternalError,
    Level,
    Options,
    Outcome,
    Reason,
    Rewriting,
    Site,
    SourceProblem,
    Stage,
)
from nprewrite.engine.pipeline import rewrite_source

__all__ = [
    "InternalError",
    "Level",
    "Options",
    "Outcome",
    "Reason",
    "Rewriting",
    "Site",
    "SourceProblem",
    "Stage",
    "rewrite_source",
]
