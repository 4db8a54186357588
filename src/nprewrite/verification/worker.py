"""The process that runs the user's code: it loads the module before and after, and compares case by case."""

from __future__ import annotations

import functools
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from nprewrite.comparison.case import Case
from nprewrite.comparison.compare import Arrays, compare
from nprewrite.comparison.oracle import oracle_of
from nprewrite.comparison.report import CaseReport
from nprewrite.verification import stages
from nprewrite.verification.conversation import answer
from nprewrite.verification.inputs import Inputs
from nprewrite.verification.messages import Begun, Compared, Finished, Request, private_channel, send
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.program import Target
from nprewrite.verification.sides import Sides
from nprewrite.verification.ways import AS_WRITTEN, refusals, ways_of


class Worker:
    """The work on one request; ``channel`` is where messages go."""

    def __init__(self, request: Request, channel: IO[bytes]) -> None:
        self._request = request
        self._channel = channel
        self._targets = {target.name: target for target in request.targets}
        self._sides = Sides(
            request.module, request.path, request.before, request.after, request.after_path, request.targets
        )
        self._inputs = Inputs(request.source, self._sides, request.targets)
        self._oracle = functools.cache(functools.partial(oracle_of, request.before, request.path))

    def run(self) -> None:
        """Compare the cases of the request. Raises ``CannotVerify`` where no further case can be made."""
        if self._request.reference and not self._inputs.references:
            raise CannotVerify(
                "--reference: the cases file defines no `references`, a dictionary from function names to "
                "the functions to set beside them"
            )
        for index, (name, case) in enumerate(self._inputs.cases()):
            if self._is_wanted(index):
                send(self._channel, Begun(index, name, case.label))
                report, met = self._compared(self._targets[name], case)
                send(self._channel, Compared(index, report, met))
        send(self._channel, Finished(tuple(self._inputs.notes)))

    def _is_wanted(self, index: int) -> bool:
        only = self._request.only
        return index >= self._request.first and (only is None or index in only)

    def _compared(self, target: Target, case: Case) -> tuple[CaseReport, bool]:
        """The report of a case, and whether it compared anything that is rewritten."""
        kept: list[Arrays] = []
        ran = stages.runs()
        before, returned = _watched(self._sides.before(target.name))
        reference = self._inputs.references.get(target.name) if self._request.reference else None
        report = compare(
            target.name,
            case,
            before,
            self._sides.after(target.name),
            single=self._sides.computes_in_single,
            exact=target.exact if self._request.stage == "numpy" else target.exact_compiled,
            oracle=self._oracle(target.name),
            reference=reference,
            keep=kept.append if self._request.plots else None,
        )
        self._save(report, kept)
        shown = {"compiled": "traced"} if self._request.stage == "eager" else {}
        ways = ways_of(stages.runs() - ran, shown) or refusals(self._sides.rewritten(target.name))
        met = not target.loops or any(not way.startswith(AS_WRITTEN) for way in ways)
        notes = [f"ran {way}" for way in ways]
        if target.loops and not ways:
            notes.append("no rewritten loop was reached")
        if returned == [None] and not case.args and not case.kwargs:
            met = False
            notes.append("nothing to compare: it takes no arguments and returns None")
        if self._request.reference and reference is None:
            notes.append(f"the cases file has no reference for {target.name}")
        return replace(report, notes=(*report.notes, *notes)), met

    def _save(self, report: CaseReport, kept: list[Arrays]) -> None:
        """Keep the arrays of the first case of each verdict, for the picture."""
        if not kept or self._request.plots is None:
            return
        path = Path(self._request.plots) / f"{report.verdict}.npz"
        if not path.exists():
            title = f"{report.function}, {report.case}: {kept[0].place}"
            np.savez(path, title=np.array(title), before=kept[0].before, after=kept[0].after)


def _watched(function: Callable[..., Any]) -> tuple[Callable[..., Any], list[None]]:
    """The function, and a list that grows by None whenever it returns None."""
    returned: list[None] = []

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if result is None:
            returned.append(None)
        return result

    return call, returned


def main(request_path: str) -> None:
    """Do what the request in a file asks, and report on standard output."""
    channel = private_channel()
    request: Any = pickle.loads(Path(request_path).read_bytes())
    assert isinstance(request, Request)

    def work() -> None:
        stages.prepare(request.stage)
        Worker(request, channel).run()

    answer(channel, request.root, request.path, work)


if __name__ == "__main__":
    main(sys.argv[1])
