"""What the decorator asks of the rewriter; this is imported where no earlier process has the answer."""

from __future__ import annotations

from nprewrite.decorated.kept import Answer, Question
from nprewrite.engine import observation
from nprewrite.engine.outcomes import Outcome, Watched
from nprewrite.engine.pipeline import SERVING_OTHERS, rewrite_source
from nprewrite.passes.small_arrays import SmallArrays
from nprewrite.types.observed import Observed

SMALL_ARRAYS = SmallArrays.code


def watched(question: Question, file: str) -> Watched | None:
    """The text that shows unknown expressions. Raises ``SourceProblem`` and ``InternalError``."""
    asked = question
    return observation.watched(asked.text, file, asked.options, asked.given, asked.qualname, asked.own)


def answered(question: Question, file: str, seen: Observed) -> Answer:
    """What the function is rewritten to. Raises ``SourceProblem`` and ``InternalError``."""
    asked = question
    made = rewrite_source(asked.text, file, asked.options, asked.given, asked.qualname, seen, asked.own)
    done = {each.code for each in made.sites if each.outcome is Outcome.REWRITTEN}
    return Answer(made, SERVING_OTHERS.issuperset(done))
