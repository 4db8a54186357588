"""What a pass changed, as a diff, of the whole text or of one function."""

from __future__ import annotations

import difflib

from nprewrite.engine.outcomes import Stage
from nprewrite.files.diff import text_diff


def stage_diff(stage: Stage, path: str, lines: range | None) -> str:
    """The unified diff of a pass; with ``lines``, only of what stands for these lines of the user's text."""
    if lines is None:
        return text_diff(stage.before, stage.after, path)
    return text_diff(stage.before, _only(stage, lines), path)


def _only(stage: Stage, lines: range) -> str:
    """The text after a pass as if it had changed only what stands for these lines."""
    before, after = stage.before.splitlines(keepends=True), stage.after.splitlines(keepends=True)
    pieces: list[str] = []
    for kind, old, old_end, new, new_end in difflib.SequenceMatcher(None, before, after, False).get_opcodes():
        standing = [*stage.origins_before[old:old_end], *stage.origins_after[new:new_end]]
        taken = kind != "equal" and any(line in lines for line in standing)
        pieces += after[new:new_end] if taken else before[old:old_end]
    return "".join(pieces)
