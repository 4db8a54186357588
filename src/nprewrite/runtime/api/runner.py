"""Running the loops of one step on one backend."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from nprewrite.base.signal_handlers import interrupts
from nprewrite.runtime.api.backend import STEP_ERRORS, Array, Expected, Kernel, StepFunction
from nprewrite.runtime.api.boxes import ScalarBoxes, Scalars
from nprewrite.runtime.api.buffers import RETAINED_BYTES, Workspace
from nprewrite.runtime.api.lanewise import LaneLoop
from nprewrite.runtime.api.loop_arrays import HeldLoop
from nprewrite.runtime.api.numpy_backend import NumpyKernel
from nprewrite.runtime.api.refusal import Unusable, refused_by_step
from nprewrite.runtime.api.repeated import Repeated
from nprewrite.runtime.api.spec import Signature, parts
from nprewrite.runtime.api.whole_arrays import WholeLoop, rotation
from nprewrite.runtime.choosing import tuning
from nprewrite.runtime.choosing.choice import Choice

if TYPE_CHECKING:
    from nprewrite.runtime.torch.kernels import TorchKernel


class Runner:
    """A step's memory and kernel, with what they keep from one loop to the next."""

    def __init__(self, signature: Signature, kernel: Kernel, name: str, iterations: int = 1) -> None:
        """``name`` says how its loops run; each call runs so many ``iterations``."""
        self.name = name
        self._signature = signature
        self._kernel = kernel
        self._iterations = iterations
        self._free: list[Workspace] = []

    def run(
        self,
        arguments: Mapping[str, Any],
        trips: range,
        scalars: Scalars | None,
        constants: Sequence[Array],
        *,
        tune: bool,
    ) -> tuple[Any, ...]:
        """Run the loop, write the state to the user's arrays and return ``Loop.results``.

        Raises ``Refused`` before anything of the user's is written.
        """
        # Taken out while in use: another thread, or a loop that computes a scalar, gets one of its own.
        workspace = self._free.pop() if self._free else Workspace()
        try:
            loop, results = self._compute(arguments, trips, scalars, constants, workspace, tune=tune)
            # Last: until here an error leaves the user's arrays as they were, if it does not end the program.
            loop.store()
            return results
        finally:
            workspace.trim(RETAINED_BYTES)
            self._free = [workspace]

    @property
    def torch_operations(self) -> tuple[str, ...]:
        """What its graphs call torch for."""
        return self._kernel.torch_operations

    def hold(self, arguments: Mapping[str, Any], constants: Sequence[Array]) -> HeldLoop:
        """A loop that can be looked at between two iterations. Raises ``Refused``."""
        return HeldLoop(self._signature, arguments, constants, self._kernel)

    def repeated(
        self, arguments: Mapping[str, Any], constants: list[Array], choice: Choice | None
    ) -> Repeated | None:
        """How calls run that are like this one, which has run; None where they are looked at anew."""
        return None

    def _compute(
        self,
        arguments: Mapping[str, Any],
        trips: range,
        scalars: Scalars | None,
        constants: Sequence[Array],
        workspace: Workspace,
        *,
        tune: bool,
    ) -> tuple[LaneLoop | WholeLoop, tuple[Any, ...]]:
        boxes, loop = ScalarBoxes(self._signature, trips, scalars), None
        try:
            loop = self._loop(arguments, workspace)
            loop.run(self._kernel, self._chunk(loop, boxes, constants, tune=tune), boxes, constants)
            return loop, loop.results()
        except BaseException as error:
            if interrupts(error):
                # As in the loop as written, the iterations before it are done.
                if loop is not None:
                    loop.stop()
                raise
            if not isinstance(error, STEP_ERRORS):
                raise
            raise refused_by_step(error) from error

    def _loop(self, arguments: Mapping[str, Any], workspace: Workspace) -> LaneLoop | WholeLoop:
        if self._signature.lanewise:
            return LaneLoop(self._signature, arguments, workspace)
        return WholeLoop(self._signature, arguments, workspace, lends=self._kernel.only_reads)

    def _chunk(
        self, loop: LaneLoop | WholeLoop, scalars: ScalarBoxes, constants: Sequence[Array], *, tune: bool
    ) -> int:
        return self._iterations


class CompiledRunner(Runner):
    """Runs the step through torch.compile; lanewise steps run several iterations a call."""

    def __init__(
        self, signature: Signature, kernel: TorchKernel, function: StepFunction, machine: str
    ) -> None:
        super().__init__(signature, kernel, "compiled")
        self._graphs = kernel
        self._key = tuning.key(function, signature, machine)
        self._chosen = tuning.remembered(self._key)
        self._default = tuning.default_chunk(function)

    def repeated(
        self, arguments: Mapping[str, Any], constants: list[Array], choice: Choice | None
    ) -> Repeated | None:
        """How calls run that are like this one."""
        signature = self._signature
        read = [arguments[slot.name].shape for slot in signature.inputs + signature.written]
        stored = [arguments[slot.name].shape for slot in signature.written]
        fixed = [(1,) for _ in signature.scalars] + [each.shape for each in constants]
        call = self._graphs.fitting((*fixed, *read, *stored))
        return None if call is None else Repeated(signature, call, arguments, constants, choice)

    def _chunk(
        self, loop: LaneLoop | WholeLoop, scalars: ScalarBoxes, constants: Sequence[Array], *, tune: bool
    ) -> int:
        if not isinstance(loop, LaneLoop) or not self._signature.chunked:
            return 1
        if self._chosen is None and tune:
            self._chosen = tuning.best_chunk(
                lambda chunk: self._time(loop, chunk, scalars, constants), scalars.trips
            )
            tuning.remember(self._key, self._chosen)
        return self._chosen or self._default

    def _time(self, loop: LaneLoop, chunk: int, scalars: ScalarBoxes, constants: Sequence[Array]) -> float:
        boxes = scalars.fill(0, chunk)
        targets = [buffer.copy() for buffer in loop.targets]
        sources = targets[: len(loop.sources)]
        started = time.perf_counter()
        self._kernel.run(chunk, boxes, constants, loop.inputs, sources, targets)
        return time.perf_counter() - started


def looped_runner(function: StepFunction, signature: Signature) -> Runner:
    """A runner through Numba, many iterations in a call.

    Raises ``Unusable`` for a step that the lowering does not follow.
    """
    if find_spec("numba") is None:
        raise Unusable("Numba is missing", "Numba is not installed; pip install nprewrite[native]")
    from nprewrite.runtime.numba.loop_of_step import ITERATIONS, LoopKernel

    turned = rotation(signature) if signature.rotates else []
    scalars = len(parts(signature.scalars))
    kernel = LoopKernel(function, Expected(signature), turned, scalars)
    return Runner(signature, kernel, "compiled", ITERATIONS)


def numpy_runner(function: StepFunction, signature: Signature) -> Runner:
    """A runner that needs no torch."""
    return Runner(signature, NumpyKernel(function, Expected(signature)), "numpy")


@dataclass(eq=False)
class NotCompiled(Exception):
    """The step runs in NumPy; ``everywhere`` where that holds for all steps."""

    reason: str
    detail: str
    everywhere: bool = False


def compiled_runner(function: StepFunction, signature: Signature) -> Runner:
    """A runner through torch.compile. Raises ``NotCompiled`` where torch is missing or lacks a dtype."""
    if find_spec("torch") is None:
        text = "torch is missing; steps run in NumPy; pip install nprewrite[torch]"
        raise NotCompiled("torch is missing", text, everywhere=True)
    from nprewrite.runtime.torch import kernels, machine, tensors

    unsupported = signature.dtypes - tensors.SUPPORTED
    if unsupported:
        names = ", ".join(sorted(map(str, unsupported)))
        text = f"torch.compile does not compute with {names} as NumPy does; the step runs in NumPy"
        raise NotCompiled("dtype", text)
    kernel = kernels.TorchKernel(function, Expected(signature), lanewise=signature.lanewise)
    return CompiledRunner(signature, kernel, function, machine.description())
