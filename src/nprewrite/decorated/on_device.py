"""Calls of a decorated function on a device, or on the CPU where a device is not possible."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

import numpy as np

from nprewrite.base.errors import DeviceError
from nprewrite.base.stand_ins import is_stand_in
from nprewrite.decorated.building import filename
from nprewrite.decorated.observing import on_copies
from nprewrite.decorated.specializations import Specializations
from nprewrite.decorated.versions import Settings, Version
from nprewrite.runtime.api.backend import STEP_ERRORS
from nprewrite.runtime.api.refusal import Place, warn_once
from nprewrite.runtime.device import devices
from nprewrite.runtime.device.devices import DeviceProblem, Placement, Transfers

_OF_TENSORS = frozenset(["numpy", "detach", "cpu", "cuda", "requires_grad_", "backward"])
"""Methods that only a function which handles tensors itself calls."""
_NUMPYS = (np.ndarray, np.generic)


class OnDevice:
    """Where a decorated function computes; see ``nprewrite.jit``."""

    def __init__(self, specializations: Specializations[..., Any], settings: Settings) -> None:
        self._specializations = specializations
        self._original = specializations.original
        self._settings = settings
        self._mixes = uses_tensors(self._original)
        self._asks_for_types = asks_for_types(self._original)
        self.last: tuple[Placement, Transfers] | None = None

    def placement(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Placement | None:
        """The device of a call; None for NumPy's own memory.

        Raises ``DeviceError`` where tensors lie on several devices or have a dtype that NumPy lacks.
        """
        if "torch" not in sys.modules and devices.asked_for(self._settings.device) is None:
            return None
        try:
            return self._placement(args, kwargs)
        except DeviceProblem as problem:
            self._fall_back(problem.reason, problem.detail)
            return None

    def _placement(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Placement | None:
        mode = self._settings.mode
        outer = devices.current()
        if outer is not None:
            return outer
        if "torch" in sys.modules and not self._mixes:
            from nprewrite.decorated import device_calls

            try:
                lies_on = device_calls.device_of((args, dict(kwargs)))
                if lies_on is not None:
                    devices.check_fork()
            except DeviceProblem as problem:
                raise self._error(problem.detail) from None
            if lies_on is not None:
                return Placement(lies_on, mode)
        name = devices.asked_for(self._settings.device)
        return devices.found(name, mode) if name is not None else None

    def call(
        self,
        placement: Placement,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        elsewhere: Callable[[], Any],
    ) -> Any:
        """Call the function on its device; ``elsewhere`` calls it in NumPy's memory, where the device fails.

        Raises ``DeviceError`` where arguments are tensors and the device fails, and what the function raises.
        """
        import torch

        from nprewrite.decorated import device_calls

        self.last = placement, placement.transfers
        try:
            return self._called(placement, args, kwargs)
        except DeviceProblem as problem:
            reason, text = problem.reason, problem.detail
        except torch.OutOfMemoryError as error:
            reason, text = "out of memory", f"{placement.device} is out of memory ({_first_line(error)})"
        except STEP_ERRORS as error:
            if self._is_users(error):
                raise
            reason, text = type(error).__name__, f"{type(error).__name__}: {_first_line(error)}"
        if devices.current() is not None or device_calls.device_of((args, dict(kwargs))) is not None:
            raise self._error(text)
        self._fall_back(reason, text)
        return elsewhere()

    def _called(self, placement: Placement, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        from nprewrite.decorated import device_calls

        if self._asks_for_types:
            raise DeviceProblem(
                "isinstance", "it tests whether something is a NumPy array, and nothing on a device is"
            )
        alike = tuple(device_calls.stand_in(each) for each in args)
        named = {name: device_calls.stand_in(each) for name, each in kwargs.items()}
        version = self._specializations.for_call(alike, named, waits=True)
        assert version is not None
        if isinstance(version, Version):
            # A loop over elements is the processor's.
            version = self._specializations.without_small_arrays(version)
            self._specializations.last = version
            return device_calls.called(version.function, args, kwargs, placement)
        function, version.observer.stand_in = version.function, device_calls.stand_in

        def seen(*args: Any, **kwargs: Any) -> Any:
            return device_calls.called(function, args, kwargs, placement)

        if self._settings.options.computes_in_single:
            # As written the function gives other dtypes. What it raises on copies it will raise again.
            with contextlib.suppress(Exception):
                on_copies(seen, self._specializations.original.__globals__, args, kwargs)
            self._specializations.learn(version)
            return self._called(placement, args, kwargs)
        result = seen(*args, **kwargs)
        self._specializations.learn(version)
        return result

    def report(self) -> tuple[str, ...]:
        """What the last call on a device copied."""
        if self.last is None:
            return ()
        placement, transfers = self.last
        return (f"the last call on {placement.device}: {transfers}",)

    def _fall_back(self, reason: str, text: str) -> None:
        if self._settings.on_fallback == "raise":
            raise self._error(text)
        code = self._original.__code__
        place = Place(filename(self._original), code.co_firstlineno, code)
        warn_once(place, reason, f"`{self._original.__qualname__}` is computed on the CPU: {text}")

    def _error(self, text: str) -> DeviceError:
        place = f"{filename(self._original)}:{self._original.__code__.co_firstlineno}"
        return DeviceError(f"{place}: `{self._original.__qualname__}`: {text}")

    def _is_users(self, error: BaseException) -> bool:
        """Whether the program itself raised, not NumPy or torch under it."""
        from nprewrite.runtime.device.array import DeviceArray

        trace: TracebackType | None = error.__traceback__
        if DeviceArray.__name__ in str(error):
            # Python or a library was given a device's array where it takes only NumPy's.
            return False
        last = ""
        while trace is not None:
            last = trace.tb_frame.f_globals.get("__name__", "")
            trace = trace.tb_next
        return last.partition(".")[0] not in ("nprewrite", "numpy", "torch")


def uses_tensors(function: Callable[..., Any]) -> bool:
    """Whether a function handles tensors itself, and therefore gets its arguments as they are."""
    names, home = {*function.__code__.co_names}, function.__globals__
    found = (home[name] for name in names & home.keys())
    torch = any(not is_stand_in(each) and getattr(each, "__name__", "") == "torch" for each in found)
    return torch or not _OF_TENSORS.isdisjoint(names - home.keys())


def asks_for_types(function: Callable[..., Any]) -> bool:
    """Whether a function may test if its arrays are NumPy's: ``isinstance(x, np.ndarray)``."""
    names = {*function.__code__.co_names}
    return "isinstance" in names and any(map(_is_type_of_several, names))


def _is_type_of_several(name: str) -> bool:
    """Whether the name is that of NumPy's array type, or of a scalar type that has subtypes."""
    found = vars(np).get(name)
    return isinstance(found, type) and issubclass(found, _NUMPYS) and name not in np.sctypeDict


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]
