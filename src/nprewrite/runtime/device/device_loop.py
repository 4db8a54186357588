"""The loop of a step on a device: its arrays stay there, and come back once. Imports torch.

Iterations make new tensors, which torch's allocator places where old ones were; the state is stored into the
user's arrays at the end. The scalars of all iterations are sent before the loop. A lanewise step that may
stop early asks once a chunk whether any lane still runs: the only value that the loop reads from the device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from nprewrite.base.errors import summary
from nprewrite.runtime.api import guards
from nprewrite.runtime.api.backend import STEP_ERRORS, Expected, StepFunction
from nprewrite.runtime.api.boxes import ScalarBoxes, Scalars, box_constants
from nprewrite.runtime.api.buffers import split
from nprewrite.runtime.api.numbers import Conversation
from nprewrite.runtime.api.refusal import Refused, refused_by
from nprewrite.runtime.api.spec import Signature, Slot
from nprewrite.runtime.api.whole_arrays import rotation
from nprewrite.runtime.choosing import tuning
from nprewrite.runtime.device import private
from nprewrite.runtime.device.array import DeviceArray, sent
from nprewrite.runtime.device.devices import Placement, current
from nprewrite.runtime.device.made_there import making_on
from nprewrite.runtime.device.values import copied, shares, value_of
from nprewrite.runtime.torch.graph import LANEWISE_OPTIONS, POWERS_OPTIONS, iterations
from nprewrite.runtime.torch.tensors import dtype_name

Tensor = Any


_CUDA_GRAPHS = "triton.cudagraphs"


class DeviceKernel:
    """A step compiled for tensors where they lie, for each number of iterations."""

    def __init__(
        self, function: StepFunction, signature: Signature, device: torch.device, mode: str | None
    ) -> None:
        self._function = making_on(device, function)
        self._signature = signature
        self._expected = Expected(signature)
        self._lanewise = signature.lanewise
        self._mode = private.list_mode_options(mode) if mode is not None else {}
        # Tensors on "meta" have no values: there is nothing to compile, but shapes and places to follow.
        self._backend = "eager" if device.type == "meta" else "inductor"
        self._compiled: dict[tuple[int, bool], Any] = {}
        self.graphs_skipped = 0
        """How often torch.compile was asked for CUDA graphs and made none; only its log says why."""

    def loop(
        self, arguments: Mapping[str, Any], trips: range, scalars: Scalars | None, placement: Placement
    ) -> tuple[Any, ...]:
        """Run a whole loop, store the state and return ``Loop.results``.

        ``arguments`` are ``checked``. Raises ``Refused`` before anything of the user's is written.
        """
        constants = box_constants(self._signature, dict(arguments))
        chunk = tuning.default_chunk(self._function) if self._signature.chunked else 1
        try:
            loop = DeviceLoop(self._signature, arguments, placement)
            loop.run(self, chunk, trips, scalars, constants)
            results = loop.results()
            # Last: until here an error leaves the user's arrays as they were.
            loop.store()
        except torch.OutOfMemoryError as error:
            if current() is not None:
                # The rest of the call lies on the device too, where the loop as written needs as much memory.
                raise
            text = f"{placement.device} is out of memory ({str(error).strip().splitlines()[0]})"
            raise Refused("out of memory", text) from error
        return results

    def run(self, size: int, tensors: Sequence[Tensor]) -> list[Tensor]:
        """The values after ``size`` iterations, in the order of the step's results.

        Raises what torch.compile raises, and ``Unusable`` for results that differ from their declarations.
        """
        graphs = bool(self._mode.get(_CUDA_GRAPHS)) and not _differentiated(tensors)
        if (size, graphs) not in self._compiled:
            self._compiled[size, graphs] = self._new(size, graphs=graphs)
        compiled = self._compiled[size, graphs]
        results = list(self._replayed(compiled, tensors) if graphs else compiled(*tensors))
        first = len(tensors) - len(self._expected.sources)
        same = [a.shape == b.shape for a, b in zip(results, tensors[first:], strict=False)]
        self._expected.check([dtype_name(each.dtype) for each in results], same)
        return results

    def _replayed(self, compiled: Any, tensors: Sequence[Tensor]) -> list[Tensor]:
        """The results of a CUDA graph, copied out of its own memory: its next run reads and writes that."""
        before = _skipped()
        torch.compiler.cudagraph_mark_step_begin()
        results = [each.clone() for each in compiled(*tensors)]
        self.graphs_skipped += _skipped() - before
        return results

    def _new(self, size: int, *, graphs: bool) -> Any:
        function = iterations(self._function, self._expected, size, copies=not self._lanewise)
        if self._backend == "eager":
            return torch.compile(function, fullgraph=True, backend=self._backend)
        options = dict(LANEWISE_OPTIONS if self._lanewise else POWERS_OPTIONS) | self._mode
        if not graphs:
            options.pop(_CUDA_GRAPHS, None)
        return torch.compile(function, fullgraph=True, options=options)


class DeviceLoop:
    """One loop of a step over arrays on a device; NumPy's arrays are sent there first."""

    def __init__(self, signature: Signature, arguments: Mapping[str, Any], placement: Placement) -> None:
        self._signature = signature
        self._arguments = arguments
        self._placement = placement
        self.arrays = {slot.name: self._on_device(arguments[slot.name]) for slot in signature.arrays}
        self._inputs = [part for slot in signature.inputs for part in self._parts(slot)]
        self._sources = [part for slot in signature.written for part in self._parts(slot)]
        self._owners = [slot.name for slot in signature.written for _ in slot.parts]
        self._rotation = rotation(signature) if signature.rotates else list(range(len(self._owners)))
        self._further: Sequence[Tensor] = ()

    def run(
        self,
        kernel: DeviceKernel,
        chunk: int,
        trips: range,
        scalars: Scalars | None,
        constants: Sequence[np.ndarray[Any, Any]],
    ) -> None:
        """Run all iterations: ``chunk`` in a call, those left over one by one. Raises ``Refused``."""
        fixed = [copied(each, self._placement) for each in constants]
        if isinstance(scalars, Conversation):
            self._run_while(kernel, scalars, fixed)
            return
        host = ScalarBoxes(self._signature, trips, _here(scalars))
        boxes = [copied(each, self._placement) for each in host.fill(0, len(trips))]
        first = 0
        while first < len(trips):
            size = chunk if len(trips) - first >= chunk else 1
            now = [box[first : first + size] for box in boxes]
            self._take(self._ran(kernel, size, (*now, *fixed, *self._inputs, *self._sources)))
            first += size
            if self._signature.live and size == chunk and not value_of(DeviceArray(self._further[-1].any())):
                return

    def _run_while(self, kernel: DeviceKernel, conversation: Conversation, fixed: Sequence[Tensor]) -> None:
        """Run iterations for as long as the numbers that they give say so, which are read from the device."""
        host = ScalarBoxes(self._signature, conversation.trips, conversation)
        received: tuple[Any, ...] | None = None
        while received is None or conversation.goes_on(received):
            boxes = [copied(each, self._placement) for each in host.fill(0, 1)]
            self._take(self._ran(kernel, 1, (*boxes, *fixed, *self._inputs, *self._sources)))
            received = self._received()

    def _received(self) -> tuple[Any, ...]:
        names = [slot.name for slot in self._signature.out for _ in slot.parts]
        arrays = [DeviceArray(self._further[names.index(name)]) for name in self._signature.received]
        for name, array in zip(self._signature.received, arrays, strict=True):
            if array.ndim:
                raise Refused(f"shape of {name}", f"{name!r} has shape {array.shape}, expected a number")
        return tuple([value_of(array) for array in arrays])

    def results(self) -> tuple[Any, ...]:
        """What the loop carries and leaves behind, then the user's arrays that rotating names stand for."""
        carried = split(self._signature.written, self._sources)
        out = split(
            self._signature.out, self._further[: sum(len(each.parts) for each in self._signature.out)]
        )
        values = [_joined(slot, carried[slot.name]) for slot in self._signature.carried]
        values += [_joined(slot, out[slot.name]) for slot in self._signature.out]
        standing = self._standing()
        return (*values, *[self._arguments[standing[name]] for name, _ in self._signature.rotates])

    def store(self) -> None:
        """Store the state in the user's arrays, wherever they lie."""
        parts = split(self._signature.written, self._sources)
        standing = self._standing()
        # All first: where memory does not suffice for one of them, none is stored.
        values = [_joined(slot, parts[slot.name]) for slot in self._signature.state]
        for slot, value in zip(self._signature.state, values, strict=True):
            self._arguments[standing[slot.name]][...] = value

    def _ran(self, kernel: DeviceKernel, size: int, tensors: Sequence[Tensor]) -> list[Tensor]:
        try:
            return kernel.run(size, tensors)
        except torch.OutOfMemoryError:
            # This is not the step's fault.
            raise
        except STEP_ERRORS as error:
            name = type(error).__name__
            text = f"on {self._placement.device} torch.compile failed: {name}: {summary(error)}"
            raise refused_by(error, f"the step raised {name}", text) from error

    def _take(self, results: list[Tensor]) -> None:
        count = len(self._sources)
        after, self._further = results[:count], results[count:]
        # A store into state broadcasts.
        after = [
            each if each.shape == source.shape else each.expand(source.shape)
            for each, source in zip(after, self._sources, strict=True)
        ]
        self._sources = [after[position] for position in self._rotation]
        self._owners = [self._owners[position] for position in self._rotation]

    def _standing(self) -> dict[str, str]:
        """For each name, the name under which the array that it stands for now was passed."""
        return {name: owners[0] for name, owners in split(self._signature.written, self._owners).items()}

    def _on_device(self, array: Any) -> DeviceArray:
        return array if isinstance(array, DeviceArray) else sent(array, self._placement)

    def _parts(self, slot: Slot) -> list[Tensor]:
        tensor = self.arrays[slot.name].tensor
        # Laid out as an iteration's results are: for other strides another graph would be compiled.
        return [tensor.real.contiguous(), tensor.imag.contiguous()] if slot.is_pair else [tensor]


def checked(signature: Signature, arguments: Mapping[str, Any], placement: Placement) -> dict[str, Any]:
    """The arguments, with numbers as Python or NumPy has them.

    Raises ``Refused`` for arrays that the step was not made for.
    """
    if signature.picks:
        raise Refused("positions", "it picks elements by positions, which a device does not check in time")
    ready = dict(arguments)
    for slot in signature.constants:
        if isinstance(ready[slot.name], DeviceArray):
            ready[slot.name] = value_of(ready[slot.name])
    arrays = [ready[slot.name] for slot in signature.arrays]
    if not any(isinstance(each, DeviceArray) for each in arrays):
        guards.check_arrays(signature, ready)
        return ready
    for slot in signature.arrays:
        _check_array(slot, ready[slot.name])
    guards.check_shapes(signature, ready)
    _check_sharing(signature, ready)
    return ready


def _check_array(slot: Slot, array: Any) -> None:
    if not isinstance(array, DeviceArray | np.ndarray):
        raise Refused(
            f"type of {slot.name}", f"{slot.name!r} is {type(array).__qualname__}, expected an array"
        )
    if array.dtype != slot.dtype:
        text = f"{slot.name!r} has dtype {array.dtype}, expected {slot.dtype}; convert it with astype"
        raise Refused(f"dtype of {slot.name}", text)
    if not array.ndim or not array.size:
        text = f"{slot.name!r} has shape {array.shape}, expected at least one dimension and one element"
        raise Refused(f"shape of {slot.name}", text, silent=not array.size)


def _check_sharing(signature: Signature, arguments: Mapping[str, Any]) -> None:
    for state, other in signature.separate:
        first, second = arguments[state], arguments[other]
        both = isinstance(first, DeviceArray) and isinstance(second, DeviceArray)
        if both and shares(first.tensor, second.tensor):
            raise guards.shared_memory(state, other)


def _here(scalars: Scalars | None) -> Scalars | None:
    """The scalars of an iteration; those taken from arrays become NumPy's numbers."""
    if scalars is None:
        return None
    return lambda n: [value_of(each) if isinstance(each, DeviceArray) else each for each in scalars(n)]


def _differentiated(tensors: Sequence[Tensor]) -> bool:
    """Whether gradients may be asked for: a graph's next run overwrites what they are computed from."""
    return torch.is_grad_enabled() and any(each.requires_grad for each in tensors)


def _skipped() -> int:
    return int(private.counters["inductor"]["cudagraph_skips"])


def _joined(slot: Slot, parts: Sequence[Tensor]) -> DeviceArray:
    # A step may return an array that it was given, or one array twice.
    tensor = torch.complex(*parts) if slot.is_pair else parts[0].clone()
    return DeviceArray(tensor)
