"""The rewriter: text in, text and outcomes out. Nothing here runs the user's code."""

from nprewrite.rewrite.outcomes import (
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
from nprewrite.rewrite.pipeline import rewrite_source

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
