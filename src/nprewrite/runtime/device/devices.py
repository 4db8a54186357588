"""Which device a call computes on, and what it copies there and back; torch is imported when one is named."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from nprewrite.base import forks
from nprewrite.runtime.api.importing import import_whole, imported
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.device import private
from nprewrite.runtime.device.private import NUMPY

Device = Any
"""A ``torch.device``."""

default: str | None = os.environ.get("NPREWRITE_DEVICE") or None
"""The device of all calls that name none: ``NPREWRITE_DEVICE`` as it was when the program started."""


@dataclass
class Transfers:
    """What one call copied: bytes each way, and values that Python needed to decide something."""

    sent: int = 0
    fetched: int = 0
    values: int = 0
    elements: int = 0
    """Elements taken one by one, which stay on the device."""

    def __str__(self) -> str:
        return (
            f"{self.sent:,} bytes copied to the device, {self.fetched:,} bytes back; "
            f"{self.values} values read one by one"
        )


class Placed:
    """An array in the memory of a device; see ``device_array``."""

    __slots__ = ()
    dtype: Any
    ndim: Any

    def apart(self, others: Sequence[Any]) -> bool:
        """Whether each element lies in memory of its own, apart from all ``others``."""
        raise NotImplementedError


@dataclass(frozen=True)
class Placement:
    """The device of one call, the ``mode`` of torch.compile for its steps, and what it has copied."""

    device: Device
    mode: str | None = None
    transfers: Transfers = field(default_factory=Transfers)

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Within the block, arrays are made on the device and steps run there."""
        before = _current.set(self)
        try:
            with contextlib.ExitStack() as apart:
                # Under a default device torch.compile cannot follow NumPy's operators (torch 2.13).
                for _ in range(private.function_modes()):
                    apart.enter_context(private.pop_mode_temporarily())
                yield
        finally:
            _current.reset(before)


_current: ContextVar[Placement | None] = ContextVar("placement", default=None)


def current() -> Placement | None:
    """The placement of the running call."""
    return _current.get()


def asked_for(own: str | None = None) -> str | None:
    """The name of the device on which NumPy arrays are to be computed; None for NumPy's own memory.

    ``own``, which the decorator names, comes first, then torch's default device (``with torch.device(...)``,
    ``torch.set_default_device``), then ``NPREWRITE_DEVICE``.
    """
    if own is not None:
        return own
    torch = imported("torch")
    # A default device is a mode on this stack; asking torch for the device itself takes ten times as long.
    if torch is not None and private.function_modes():
        name = str(torch.get_default_device())
        return default if name == "cpu" else name
    return default


class DeviceProblem(Refused):
    """A call cannot be computed on its device; ``detail`` says why, and what to do."""


def found(name: str, mode: str | None = None) -> Placement:
    """The placement on a device by its name. Raises ``DeviceProblem`` where there is no such device."""
    try:
        import_whole("torch", NUMPY)
        import torch
    except (ImportError, OSError) as error:
        raise DeviceProblem(
            "torch is missing", f"torch is missing ({error}); pip install nprewrite[torch]"
        ) from None
    try:
        device = torch.device(name)
    except RuntimeError as error:
        text = f"{name!r} is not a torch device ({str(error).splitlines()[0]}), expected for example 'cuda'"
        raise DeviceProblem("no such device", text) from None
    check_fork()
    if device.type == "cuda":
        _check_cuda(device, torch)
    return Placement(device, mode)


def check_fork() -> None:
    """Raise ``DeviceProblem`` in a forked process where torch may wait for threads that it does not have."""
    if forks.lacks_threads():
        raise DeviceProblem("fork", f"the process is a fork of one that has torch; {forks.ADVICE}")


def _check_cuda(device: Device, torch: Any) -> None:
    if private.is_in_bad_fork():
        text = "the process is a fork of one that has used CUDA, which cannot be used here"
        raise DeviceProblem("fork", f"{text}; start it with multiprocessing's 'spawn' or 'forkserver'")
    if not torch.cuda.is_available():
        build = (
            "this build of torch has no CUDA" if torch.version.cuda is None else "torch finds no CUDA device"
        )
        raise DeviceProblem(
            "no CUDA", f"{build}, expected one for device={str(device)!r}; see nprewrite doctor"
        )
    count = torch.cuda.device_count()
    if device.index is not None and device.index >= count:
        text = f"there is no {device}, expected one of {count} CUDA devices"
        raise DeviceProblem("no such device", text)
