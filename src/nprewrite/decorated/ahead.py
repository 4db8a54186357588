"""What a function is rewritten to, found out in the background by a process that keeps it in the cache."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from nprewrite.decorated import kept
from nprewrite.decorated.kept import Question
from nprewrite.engine.outcomes import InternalError
from nprewrite.source.problems import SourceProblem
from nprewrite.types.observed import Observed

_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from nprewrite.decorated.ahead import main
main()
"""
_PRIORITY = 19


@dataclass(frozen=True)
class Task:
    """What the process is asked: how to rewrite the function of ``question`` for what calls showed."""

    question: Question
    file: str
    seen: Observed


def begin(task: Task) -> bool:
    """Start the process, which ends by itself; whether it could be asked and started."""
    try:
        data = pickle.dumps(task)
        # A file, not a pipe: the program does not wait until the process reads.
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.seek(0)
            process = subprocess.Popen(
                [sys.executable, "-P", "-W", "ignore", "-c", _START, json.dumps(sys.path)],
                stdin=file,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
    except (pickle.PicklingError, AttributeError, TypeError, OSError):
        # Classes of a script, or of a function, are not found by name elsewhere.
        return False
    # Nobody is going to wait for it, which Popen would complain of.
    process.returncode = 0
    return True


def main() -> None:
    """Answer the task on standard input; the program that asked looks for what is kept."""
    from nprewrite.decorated.rewriting import answered

    if hasattr(os, "nice"):
        os.nice(_PRIORITY)
    task: Task = pickle.load(sys.stdin.buffer)
    # The program meets these too, where it rewrites the function itself, and reports them.
    with contextlib.suppress(SourceProblem, InternalError):
        kept.keep_answer(task.question, task.seen, answered(task.question, task.file, task.seen))
