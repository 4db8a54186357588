"""The request to a process that runs the user's function."""

from __future__ import annotations

from dataclasses import dataclass

from nprewrite.engine.outcomes import Options
from nprewrite.verification.messages import Source


@dataclass(frozen=True)
class Request:
    """One process's task: a part ("compiled", "profile", "bare") of calls of the function ``name`` of a file.

    ``module`` is the name that the file is imported under, ``root`` the folder in which it is found.
    ``answer`` is the file for the answer, ``folder`` an empty folder.
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
