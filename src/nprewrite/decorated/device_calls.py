"""One call of a function on a device: its arguments go there, its results and changes come back.

NumPy in gives NumPy out; tensors are used where they lie, and then results are tensors.
"""

from __future__ import annotations

import copy
import gc
import types
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch

from nprewrite.base.stand_ins import is_stand_in
from nprewrite.numpy_api.creation import CREATION
from nprewrite.runtime.device.array import DeviceArray, sent
from nprewrite.runtime.device.devices import DeviceProblem, Placement, current
from nprewrite.runtime.device.values import fetched, numpy_dtype, shares, torch_dtype
from nprewrite.runtime.torch.tensors import SUPPORTED

Host = np.ndarray[Any, Any]


def called(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], placement: Placement
) -> Any:
    """Call a function with its arrays on the device.

    Raises ``DeviceProblem`` where it cannot be computed there, and what the function raises. NumPy arrays
    are changed last: until then the call can still be made elsewhere.
    """
    journey = _Journey(placement, _holds((args, kwargs), torch.Tensor))
    there, named = journey.there(args), journey.there(dict(kwargs))
    with placement.active(), torch.set_grad_enabled(journey.differentiated):
        result = _with_device_names(function)(*there, **named)
        journey.end()
        return journey.home(result)


def device_of(values: Any) -> torch.device | None:
    """The device that the tensors among some arguments lie on; None where there are none.

    Raises ``DeviceProblem`` for tensors on several.
    """
    found: set[torch.device] = set()
    for each in _leaves(values, set()):
        if isinstance(each, torch.Tensor | DeviceArray):
            found.add((each.tensor if isinstance(each, DeviceArray) else each).device)
    if len(found) > 1:
        names = ", ".join(sorted(map(str, found)))
        text = f"the arguments lie on several devices ({names}), expected one; move them with Tensor.to"
        raise DeviceProblem("several devices", text)
    return next(iter(found), None)


def stand_in(value: Any) -> Any:
    """For a tensor, a NumPy array of its dtype and shape without memory; other values as they are."""
    if isinstance(value, torch.Tensor):
        return np.broadcast_to(np.empty((), numpy_dtype(value)), tuple(value.shape))
    if isinstance(value, DeviceArray):
        # NumPy computes scalars, not arrays without dimensions.
        return np.broadcast_to(np.zeros((), value.dtype), value.shape) if value.ndim else value.dtype.type(0)
    return value


def _holds(values: Any, *kinds: type) -> bool:
    """Whether values are, or contain, an object of one of the types."""
    return any(isinstance(each, kinds) for each in _leaves(values, set()))


def _leaves(value: Any, seen: set[int]) -> Any:
    if id(value) in seen or is_stand_in(value):
        return
    seen.add(id(value))
    if isinstance(value, list | tuple):
        inner: Any = value
    elif isinstance(value, dict):
        inner = value.values()
    elif _is_plain_object(value):
        # Its attributes: asking for its dictionary would make one, see `own_attributes`.
        inner = gc.get_referents(value)
    else:
        yield value
        return
    for each in inner:
        yield from _leaves(each, seen)


def _is_plain_object(value: Any) -> bool:
    """Whether an object is one of the user's, with attributes that may be arrays."""
    other = (
        type,
        types.ModuleType,
        types.FunctionType,
        types.MethodType,
        torch.Tensor,
        np.ndarray,
        np.generic,
    )
    return bool(type(value).__dictoffset__) and not isinstance(value, other) and not callable(value)


class _Journey:
    """The arrays of one call, on the host and on the device."""

    def __init__(self, placement: Placement, tensors: bool) -> None:
        self._placement = placement
        self._tensors = tensors
        self.differentiated = False
        self._known: dict[int, tuple[Any, Any]] = {}
        self._hosts: list[tuple[Host, DeviceArray, int]] = []
        self._objects: list[tuple[Any, Any]] = []
        self._sharing = False
        self._returned: dict[int, tuple[Any, Any]] = {}

    def there(self, value: Any) -> Any:
        """A value with its arrays on the device; what was one object stays one object."""
        if id(value) in self._known:
            return self._known[id(value)][1]
        made = self._made_there(value)
        self._known[id(value)] = value, made
        return made

    def _made_there(self, value: Any) -> Any:
        if type(value) is np.ndarray and value.dtype in SUPPORTED:
            return self._sent(value)
        if isinstance(value, np.ndarray):
            text = f"an argument has dtype {value.dtype}, which torch does not compute with as NumPy does"
            raise DeviceProblem("dtype", text)
        if isinstance(value, torch.Tensor):
            numpy_dtype(value)
            self.differentiated |= value.requires_grad and torch.is_grad_enabled()
            return DeviceArray(value)
        if isinstance(value, list | tuple | dict):
            return _mapped(self.there, value)
        if _is_plain_object(value) and _holds(value, np.ndarray, torch.Tensor):
            return self._object(value)
        return value

    def _sent(self, array: Host) -> DeviceArray:
        self._sharing |= any(np.may_share_memory(array, other) for other, _, _ in self._hosts)
        made = sent(array, self._placement)
        self._hosts.append((array, made, made.tensor._version))
        return made

    def _object(self, value: Any) -> Any:
        made = copy.copy(value)
        self._known[id(value)] = value, made
        for name, each in vars(value).items():
            vars(made)[name] = self.there(each)
        self._objects.append((value, made))
        return made

    def end(self) -> None:
        """Copy back what has changed in the user's arrays and objects."""
        changed = [each for each in self._hosts if each[1].tensor._version != each[2]]
        if changed and self._sharing:
            # On the device a store through one of them is not seen through the other.
            raise DeviceProblem("shared memory", "two arguments may share memory, and one is changed")
        for host, array, _ in changed:
            np.copyto(host, fetched(array))
        for value, made in self._objects:
            now = {name: self.home(each) for name, each in vars(made).items()}
            vars(value).clear()
            vars(value).update(now)
        for value, made in list(self._known.values()):
            self._end_container(value, made)

    def _end_container(self, value: Any, made: Any) -> None:
        if isinstance(value, list):
            value[:] = [self.home(each) for each in made]
        elif isinstance(value, dict):
            now = _mapped(self.home, made)
            value.clear()
            value.update(now)

    def home(self, value: Any) -> Any:
        """A result as the caller gets it; an argument that is returned is the caller's own object."""
        for before, made in self._known.values():
            if made is value:
                return before
        if id(value) not in self._returned:
            self._returned[id(value)] = value, self._made_home(value)
        return self._returned[id(value)][1]

    def _made_home(self, value: Any) -> Any:
        if isinstance(value, DeviceArray):
            return value.tensor if self._tensors else self._fetched(value)
        if isinstance(value, list | tuple | dict):
            return _mapped(self.home, value)
        if isinstance(value, types.GeneratorType):
            raise DeviceProblem("generator", "a function that yields arrays runs on after its call")
        if _is_plain_object(value) and _holds(value, DeviceArray):
            for name, each in list(vars(value).items()):
                object.__setattr__(value, name, self.home(each))
        return value

    def _fetched(self, array: DeviceArray) -> Any:
        for host, sent_there, _ in self._hosts:
            if shares(array.tensor, sent_there.tensor):
                return _view(host, array, sent_there)
        # NumPy's result without dimensions is a scalar.
        return fetched(array)[()]


def _mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """A container like this one, of what ``change`` makes of each item."""
    if isinstance(value, dict):
        return {key: change(each) for key, each in value.items()}
    made = [change(each) for each in value]
    return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)


def _view(host: Host, array: DeviceArray, of: DeviceArray) -> Host:
    """The part of the user's array that a result is a view of."""
    tensor, base = array.tensor, of.tensor
    if not host.flags.c_contiguous or tensor.dtype != base.dtype:
        raise DeviceProblem(
            "a view is returned", "the result is a view of an argument that is not contiguous"
        )
    strides = [stride * host.itemsize for stride in tensor.stride()]
    return np.lib.stride_tricks.as_strided(
        host.reshape(-1)[tensor.storage_offset() :], tuple(tensor.shape), strides
    )


def _with_device_names(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with constructors of NumPy that make arrays on the device."""
    names = dict(function.__globals__)
    for name, each in list(names.items()):
        made = getattr(each, "__name__", None) if callable(each) else None
        if each is np:
            names[name] = _NUMPY_THERE
        elif made in CREATION and getattr(np, made) is each:
            names[name] = getattr(_NUMPY_THERE, made)
    there = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    there.__kwdefaults__ = function.__kwdefaults__
    return there


class _NumpyThere:
    """NumPy with constructors that make arrays on the device; other functions dispatch on their arrays."""

    def __getattr__(self, name: str) -> Any:
        made = CREATION.get(name)
        there = _CONSTRUCTORS.get(made.device) if made is not None else None
        return partial(there, name) if there is not None else getattr(np, name)


def _made(name: str, *args: Any, **kwargs: Any) -> Any:
    """A filled array, made on the device with the dtype and value that NumPy gives it, and no host memory."""
    like, placement = getattr(np, name), current()
    shape, *rest = args if args else (kwargs["shape"],)
    further = {key: each for key, each in kwargs.items() if key != "shape"}
    # One element shows the dtype and the value; NumPy itself checks the arguments.
    one = like((1,), *rest, **further)
    if placement is None or one.dtype not in SUPPORTED or kwargs.get("order", "C") != "C":
        return like(*args, **kwargs)
    lengths = np.broadcast_to(np.empty((), bool), shape).shape
    tensor = torch.empty(lengths, dtype=torch_dtype(one.dtype), device=placement.device)
    return DeviceArray(tensor if name == "empty" else tensor.fill_(one.item()))


def _taken(name: str, *args: Any, **kwargs: Any) -> Any:
    """An array made of one on the device, or of a list of such; other values as in ``_sent_there``."""
    value, *rest = args or [None]
    if not isinstance(value, DeviceArray):
        if isinstance(value, list | tuple) and _holds(value, DeviceArray):
            return np.stack(value).astype(*rest, **kwargs) if rest or kwargs else np.stack(value)
        return _sent_there(name, *args, **kwargs)
    dtype = np.dtype(rest[0] if rest else kwargs.get("dtype") or value.dtype)
    if name == "array" and kwargs.get("copy", True):
        return value.astype(dtype) if dtype != value.dtype else value.copy()
    return value if dtype == value.dtype else value.astype(dtype)


def _sent_there(name: str, *args: Any, **kwargs: Any) -> Any:
    """An array that NumPy makes, sent to the device."""
    made, placement = getattr(np, name)(*args, **kwargs), current()
    supported = isinstance(made, np.ndarray) and made.dtype in SUPPORTED
    return sent(made, placement) if supported and placement is not None else made


_CONSTRUCTORS: dict[str, Callable[..., Any]] = {"made": _made, "taken": _taken, "sent": _sent_there}
"""How NumPy's constructors make arrays on the device of the call that is running."""
_NUMPY_THERE = _NumpyThere()
