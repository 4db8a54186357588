"""What a process that runs the user's function is asked."""

from __future__ import annotations

from dataclasses import dataclass

from nprewrite.engine.outcomes import Options
from nprewrite.verification.messages import Source


@dataclass(frozen=True)
class Request:
    """One process's task: a part ("compiled", "profile", "bare") of calls of the function ``name`` of a file.

    ``module`` is the name the file is imported under, ``root`` the folder that the name is found in.
    ``answer`` is the file that the answer goes to, ``folder`` an empty one.
    """

    part: str
    path: str
    module: str
    root: str
    text: str
    name: str
    source: Source
    options: Options
    answer: str
    folder: str
