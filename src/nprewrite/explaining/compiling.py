"""Compiling steps under observation. Import this module only where torch is wanted.

The steps are compiled as ``nprewrite.runtime.torch.graph`` compiles them, but in this process, from functions
that know their lines, with Inductor writing down what it does.
"""

from __future__ import annotations

import gc
import logging
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from nprewrite.base.errors import summary
from nprewrite.explaining.kernels import traced
from nprewrite.explaining.places import followed
from nprewrite.explaining.running import Graph
from nprewrite.runtime.api.backend import STEP_ERRORS, Expected
from nprewrite.runtime.api.refusal import Unusable
from nprewrite.runtime.api.spec import Signature, Slot
from nprewrite.runtime.api.step import Step
from nprewrite.runtime.choosing import waiting
from nprewrite.runtime.torch import artifacts, graph, package
from nprewrite.runtime.torch.jobs import Shape
from nprewrite.runtime.torch.package import Package, Plan
from nprewrite.runtime.torch.portable import NotPortable, Portable, pack
from nprewrite.runtime.torch.private import DEBUG_LOGGER, inductor_config

_TENSOR = re.compile(r"\bt(\d+)\b")


class Compiling:
    """Graphs of steps, compiled under observation; ``call`` is the number of the running call, from 1."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shapes: dict[str, list[Shape]] = {}
        self.graphs: list[Graph] = []
        self.call = 1

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A context in which steps are compiled here."""
        # Torch logs the path of its trace, whose files are gone when the command ends.
        logging.getLogger(DEBUG_LOGGER).setLevel(logging.ERROR)
        with patch.object(artifacts, "graph", self.graph):
            yield

    def graph(self, portable: Portable, expected: Expected, shape: Shape) -> Package:
        """Takes the place of ``artifacts.graph``. Raises ``Unusable`` where torch.compile fails."""
        step = _step_of(portable)
        file = step.function.__code__.co_filename
        folder = self._folder / f"graph{len(self.graphs)}"
        tracing = {
            "trace.enabled": True,
            "trace.debug_dir": str(folder),
            "trace.provenance_tracking_level": 1,
        }
        started = time.perf_counter()
        try:
            with inductor_config.patch(tracing), followed([file]), waiting.telling():
                plan, library = graph.compile_graph(step.function, expected, shape)
        except STEP_ERRORS as error:
            text = f"torch.compile failed: {type(error).__name__}: {summary(error)}"
            raise Unusable("torch.compile failed", text) from error
        self._note(step, shape, plan, folder, time.perf_counter() - started)
        path = self._folder / f"graph{len(self.graphs)}.json"
        package.save(plan, library.read_bytes(), path)
        return package.Package(path)

    def _note(self, step: Step, shape: Shape, plan: Plan, folder: Path, seconds: float) -> None:
        earlier = self._shapes.setdefault(step.__name__, [])
        names = _names(step.signature, shape)
        written = sorted(folder.glob("*/*/output_code.py"))
        found = traced(written[-1].parent if written else folder, {step.function.__code__.co_filename})
        self.graphs.append(
            Graph(
                step.__name__,
                shape.size,
                tuple(_arguments(names, shape)),
                self.call,
                _because(shape, earlier, names),
                seconds,
                tuple(_required(plan, names)),
                **vars(found),
            )
        )
        earlier.append(shape)


def _step_of(portable: Portable) -> Step:
    """The step whose function was packed; the original function still has its lines."""
    for each in gc.get_objects():
        if type(each) is Step and _digest(each) == portable.digest():
            return each
    raise LookupError(f"no step has the code of {portable.name}")


def _digest(step: Step) -> str | None:
    try:
        return pack(step.function).digest()
    except NotPortable:
        return None


def _names(signature: Signature, shape: Shape) -> list[str]:
    """The names of a graph's tensors: the step's parameters, then the targets of its results."""
    given = (*signature.scalars, *signature.constants)
    arrays = (*signature.inputs, *signature.written)
    written = [] if shape.in_place else [f"new {name}" for each in signature.written for name in _parts(each)]
    further = (*signature.out, *signature.mask)
    return [
        *(name for slot in given for name in _parts(slot)),
        *signature.sizes,
        *(name for slot in arrays for name in _parts(slot)),
        *written,
        *(name for slot in further for name in _parts(slot)),
    ]


def _parts(slot: Slot) -> list[str]:
    return [f"{slot.name}_re", f"{slot.name}_im"] if slot.is_pair else [slot.name]


def _arguments(names: Sequence[str], shape: Shape) -> Iterator[str]:
    """``Z_re: float32[any]``, with ``any`` for axes of any length."""
    for number, (name, (lengths, dtype)) in enumerate(zip(names, shape.tensors, strict=False)):
        axes = ["any" if (number, axis) in shape.dynamic else str(n) for axis, n in enumerate(lengths)]
        yield f"{name}: {dtype}[{', '.join(axes)}]"


def _because(shape: Shape, earlier: Sequence[Shape], names: Sequence[str]) -> str:
    """Why a further graph was needed."""
    if not earlier:
        return "the first of this step"
    alike = [each for each in earlier if each.size == shape.size]
    if not alike:
        count = "1 iteration" if shape.size == 1 else f"{shape.size} iterations"
        return f"{count} in one call: what is left of the loop, or another number was tried"
    varied = dict.fromkeys(_name(names, number) for number, _ in shape.dynamic)
    return f"other lengths than the graphs before fit; any length fits from here on in {', '.join(varied)}"


def _required(plan: Plan, names: Sequence[str]) -> Iterator[str]:
    """What the graph requires of its arguments besides dtype and rank: relations between lengths."""
    for text in plan.required:
        yield _TENSOR.sub(lambda match: _name(names, int(match.group(1))), text)


def _name(names: Sequence[str], number: int) -> str:
    return names[number] if number < len(names) else f"result {number}"
