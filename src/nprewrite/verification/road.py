"""From a file to a report: runs workers, restarts them after a crash, and names the layer at fault."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from nprewrite.comparison.report import CaseReport, Report, Verdict
from nprewrite.verification import child, stages
from nprewrite.verification.child import Limits, Stopped
from nprewrite.verification.conversation import ask
from nprewrite.verification.messages import Begun, Calls, Compared, Finished, Recorded, Request, Source
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.program import Plan
from nprewrite.verification.recorder import NOTES, Order
from nprewrite.verification.recording import saved
from nprewrite.verification.script import script_of
from nprewrite.verification.sides import module_name

_WORKER = "nprewrite.verification.worker"
_RECORDER = "nprewrite.verification.recorder"
_PLOTS = "plots"


@dataclass(frozen=True)
class Task:
    """What to verify: a file with its texts ``before`` and ``after``, and how.

    ``script`` is a command line to record calls from, instead of ``source``.
    """

    path: Path
    before: str
    after: str
    plan: Plan
    source: Source
    stage: str
    limits: Limits
    script: str | None = None
    reference: bool = False
    plot: Path | None = None


@dataclass
class Outcome:
    """The result: the cases by their index, sentences about the whole, and why it could not go on."""

    cases: dict[int, CaseReport] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problem: str | None = None
    met: bool = False
    """Whether what is rewritten ran in some case."""

    @property
    def report(self) -> Report:
        """The cases as a report."""
        return Report(tuple(self.cases[index] for index in sorted(self.cases)))

    @property
    def exit_status(self) -> int:
        """0 same, 3 different, 2 could not be run or compared nothing."""
        status = self.report.exit_status
        return 2 if status == 0 and self.problem is not None else status


def _nothing(_text: str) -> None:
    return None


def verify_file(task: Task, say: Callable[[str], None] = _nothing) -> Outcome:
    """Compare the file before and after rewriting; whatever the user's code does is in the outcome.

    ``say`` is told which case is compared. Raises ``WorkerFault`` where the comparison itself fails.
    """
    outcome = Outcome(notes=list(task.plan.notes))
    with tempfile.TemporaryDirectory(prefix="nprewrite-") as name:
        folder = Path(name)
        try:
            if task.script is not None:
                say(f"running {task.script}")
            request = request_of(task, folder, outcome.notes)
            _compare(request, task.limits, folder, outcome, say)
            _name_layers(request, task.limits, folder, outcome, say)
        except CannotVerify as problem:
            outcome.problem = str(problem)
        if task.plot is not None and outcome.cases:
            _plot(task.plot, folder / _PLOTS, outcome)
    if outcome.problem is None and not outcome.met and not outcome.report.exit_status:
        outcome.problem = "nothing was compared: in no case what is rewritten ran and had an answer"
    return outcome


def _check_calls(task: Task) -> None:
    """Raise ``CannotVerify`` where a call is not one of the functions to compare, before anything is run."""
    if not isinstance(task.source, Calls):
        return
    from nprewrite.verification.inputs import callee

    known = [target.name for target in task.plan.targets]
    for expression in task.source.expressions:
        name = callee(expression)
        if name not in known:
            raise CannotVerify(
                f'--call "{expression}": {name} is not among the functions to compare: {", ".join(known)}'
            )


def request_of(task: Task, folder: Path, notes: list[str]) -> Request:
    """The request to every worker, with the script's calls recorded; ``notes`` receives what that reports.

    Raises ``CannotVerify`` where there is no call of a function to compare.
    """
    _check_calls(task)
    module, root = module_name(task.path)
    after_path = folder / "rewritten" / task.path.name
    after_path.parent.mkdir()
    after_path.write_text(task.after, encoding="utf-8", newline="")
    source = task.source
    if task.script is not None:
        source = _recorded(task, folder / "calls", notes)
    if task.plot is not None:
        (folder / _PLOTS).mkdir()
    return Request(
        str(task.path),
        module,
        str(root),
        task.before,
        task.after,
        str(after_path),
        task.plan.targets,
        source,
        task.stage,
        reference=task.reference,
        plots=str(folder / _PLOTS) if task.plot is not None else None,
    )


def _compare(
    request: Request, limits: Limits, folder: Path, outcome: Outcome, say: Callable[[str], None] = _nothing
) -> None:
    """Compare the cases; one that takes its process down has failed, and the next ones get a new process.

    Raises ``CannotVerify`` and ``WorkerFault``.
    """
    while True:
        begun: Begun | None = None
        try:
            for message in ask(_WORKER, request, limits, folder):
                match message:
                    case Begun():
                        begun = message
                        say(f"case {begun.index + 1}: {begun.function}")
                    case Compared(index, report, met):
                        begun = None
                        outcome.cases[index] = report
                        outcome.met = outcome.met or met
                    case Finished(notes):
                        outcome.notes += notes
            return
        except Stopped as stop:
            if begun is None:
                raise CannotVerify(
                    f"{request.path} cannot be loaded, or its cases cannot be made: {stop}"
                ) from stop
            outcome.cases[begun.index] = CaseReport.failed(begun.function, begun.label, str(stop))
            request = replace(request, first=begun.index + 1)


def _name_layers(
    request: Request, limits: Limits, folder: Path, outcome: Outcome, say: Callable[[str], None]
) -> None:
    """Run the cases that differ at the earlier stages, and name the layer of the first that differs."""
    unnamed = {index for index, case in outcome.cases.items() if case.verdict is Verdict.DIFFERENT}
    for stage in stages.earlier(request.stage):
        if not unnamed:
            return
        here = Outcome()
        again = replace(request, stage=stage, first=0, only=frozenset(unnamed), plots=None)
        _compare(again, limits, folder, here, say)
        differs = {index for index, case in here.cases.items() if case.verdict is Verdict.DIFFERENT}
        _note_layer(outcome, differs, stage)
        unnamed -= differs
    _note_layer(outcome, unnamed, request.stage)


def _note_layer(outcome: Outcome, indices: Iterable[int], stage: str) -> None:
    for index in indices:
        case = outcome.cases[index]
        note = f"introduced by {stages.LAYERS[stage]} (stage {stage})"
        outcome.cases[index] = replace(case, notes=(*case.notes, note))


def _plot(path: Path, folder: Path, outcome: Outcome) -> None:
    """Save a picture of the first case that differs, else of the first case."""
    from nprewrite.verification.plot import plot_difference

    kept = [folder / f"{verdict}.npz" for verdict in (Verdict.DIFFERENT, Verdict.SAME)]
    found = next((each for each in kept if each.exists()), None)
    if found is None:
        outcome.notes.append(f"{path} is not written: no case has two arrays to compare")
        return
    try:
        with np.load(found) as arrays:
            plot_difference(arrays["before"], arrays["after"], path, title=str(arrays["title"]))
    except OSError as error:
        outcome.problem = f"{path} cannot be written: {error.strerror or error}"


def _recorded(task: Task, folder: Path, notes: list[str]) -> Recorded:
    """Run the user's program and record the calls. Raises ``CannotVerify`` where none is."""
    folder.mkdir()
    script = script_of(task.script or "", "--script")
    functions = tuple(target.name for target in task.plan.targets)
    order = Order(script, str(task.path), functions, str(folder))
    ended = None
    try:
        # In NumPy: only the arguments count, and those need no compiling.
        list(child.run_order(_RECORDER, order, folder, task.limits, {"NPREWRITE_DISABLE": "1"}))
    except Stopped as stop:
        ended = f'--script "{task.script}": {stop}'
    if not saved(folder):
        reason = ended or f'--script "{task.script}" calls none of the functions to compare'
        raise CannotVerify(f"{reason}; no call was recorded of {', '.join(functions)}")
    if ended is not None:
        notes.append(f"{ended}; the calls made until then are compared")
    told = folder / NOTES
    if told.exists():
        notes += json.loads(told.read_text(encoding="utf-8"))
    return Recorded(str(folder))
