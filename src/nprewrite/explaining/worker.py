"""The processes that run the user's function: compiled, line by line, and under torch.compile alone.

Each sends its answer. What the user's code prints goes to standard error.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pickle
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from nprewrite.base.errors import NprewriteWarning
from nprewrite.comparison.case import Case
from nprewrite.decorated import kept
from nprewrite.decorated.jitted import Jitted
from nprewrite.decorated.versions import Settings, Version
from nprewrite.explaining.known import facts_of
from nprewrite.explaining.running import Compiled, Failed, LineTime, Profile, Request
from nprewrite.program.function import Module
from nprewrite.source.document import Document
from nprewrite.source.excerpt import restored
from nprewrite.verification import stages
from nprewrite.verification.inputs import Inputs
from nprewrite.verification.messages import private_channel, send
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.program import Target
from nprewrite.verification.sides import Sides, module_name

_NO_PROFILER = "the line profile needs line_profiler, which is not installed: pip install nprewrite[explain]"


class Work:
    """The function and its calls, in this process."""

    def __init__(self, request: Request) -> None:
        """Raises ``CannotVerify`` where the file, or the calls, cannot be used."""
        self.folder, self.task = request.folder, request.task
        name, text, path = self.task.name, self.task.text, str(self.task.path)
        target = Target(name, direct=True, exact=False, exact_compiled=False, loops=True)
        self._sides = Sides(module_name(self.task.path)[0], path, text, text, path, [target])
        self._inputs = Inputs(self.task.source, self._sides, [target])
        found: Any = self._sides.before(name)
        function = found.__wrapped__
        if not isinstance(function, types.FunctionType):
            raise CannotVerify(f"{name} of {path} is not a plain Python function once it is imported")
        self.function = function
        self.calls: list[str] = []
        self.notes: list[str] = []

    def run(self, function: Callable[..., Any]) -> Iterator[Case]:
        """Call ``function`` with the arguments of each case, and give the case before its call."""
        for _, case in self._inputs.cases():
            yield case
            self._sides.enter_before()
            try:
                function(*case.args, **case.kwargs)
            except Exception as error:  # noqa: BLE001 (the user's code may raise what it likes)
                self.notes.append(f"{case.label} raises {type(error).__name__}: {error}")
            self.calls.append(case.label)
        self.notes += self._inputs.notes
        if not self.calls:
            raise CannotVerify("there is no call to run")


def compiled(work: Work) -> Compiled:
    """Run the calls under the decorator, with everything compiled here."""
    stages.prepare("inductor")
    # What the passes did is told stage by stage, which is not kept.
    kept.READS = False
    jitted = Jitted(work.function, Settings(work.task.options, False, None, "raise", "warn"))
    if importlib.util.find_spec("torch") is None:
        work.notes.append("torch is not installed, so nothing is compiled: pip install nprewrite[torch]")
        for _ in _watched(work, jitted):
            pass
        return _answer(work, jitted.version, ())
    compiling: Any = importlib.import_module("nprewrite.explaining.compiling")
    watch = compiling.Compiling(work.folder)
    with watch.watching():
        for number, _ in enumerate(_watched(work, jitted), start=1):
            watch.call = number
    return _answer(work, jitted.version, tuple(watch.graphs))


def _watched(work: Work, jitted: Jitted[..., Any]) -> Iterator[Case]:
    """The calls, with nprewrite's own warnings as notes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", NprewriteWarning)
        # Where they were recorded, steps would run as written.
        warnings.simplefilter("ignore", RuntimeWarning)
        yield from work.run(jitted)
    for each in caught:
        if issubclass(each.category, NprewriteWarning):
            work.notes.append(" ".join(str(each.message).split()))
        else:
            warnings.showwarning(each.message, each.category, each.filename, each.lineno)


def _answer(work: Work, version: Version[..., Any], graphs: tuple[Any, ...]) -> Compiled:
    steps = tuple(line for step in version.steps for line in step.report())
    qualname, text = work.function.__qualname__, work.task.text
    module = Module(Document(text), version.given, jitted=qualname, observed=version.observed)
    function = next(each for each in module.functions if each.name == qualname)
    made = version.rewriting
    whole = replace(made, source=text, text=restored(made.text, made.source, text))
    return Compiled(whole, facts_of(function), steps, graphs, tuple(work.notes))


def profile(work: Work) -> Any:
    """Time the lines of the function as written."""
    try:
        from line_profiler import LineProfiler
    except ImportError:
        return Failed(_NO_PROFILER)
    profiler = LineProfiler()
    for _ in work.run(profiler(work.function)):
        pass
    stats = profiler.get_stats()
    lines = [
        LineTime(line, hits, time * stats.unit)
        for (file, _, _), times in stats.timings.items()
        if file == work.function.__code__.co_filename
        for line, hits, time in times
    ]
    return Profile(sum(each.seconds for each in lines), tuple(sorted(lines, key=lambda each: each.line)))


def bare(work: Work) -> Any:
    """Run the function as written under torch.compile alone."""
    module: Any = importlib.import_module("nprewrite.explaining.bare")
    watched = module.Watched(work.function)
    for _ in work.run(watched.function):
        pass
    return watched.result()


def main(request_path: str) -> None:
    """Do what the request in a file asks, and send the answer."""
    channel = private_channel()
    request: Any = pickle.loads(Path(request_path).read_bytes())
    assert isinstance(request, Request)
    sys.path.insert(0, str(module_name(request.task.path)[1]))
    sys.argv = [str(request.task.path)]
    part = {"compiled": compiled, "profile": profile, "bare": bare}[request.part]
    try:
        work = Work(request)
        answer = part(work), tuple(work.calls)
    except CannotVerify as problem:
        answer = Failed(str(problem)), ()
    send(channel, answer)
    # Threads that the user's code left behind must not keep the process alive.
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
