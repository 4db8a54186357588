"""What must hold before a step may run in place of the loop as written.

Every guard raises ``Refused`` with a reason in the user's terms; none has side effects.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from types import BuiltinMethodType
from typing import Any

import numpy as np

from nprewrite.base import forks
from nprewrite.runtime.api.refusal import Refused
from nprewrite.runtime.api.spec import Signature, Slot

Array = np.ndarray[Any, Any]

_LONGEST = (1 << 31) - 1

_SAME_TIME = 1 << 10
"""An operation of NumPy on fewer elements takes no less time."""


def trips_of(iterable: object) -> range:
    """The loop's range; refuse anything else, an empty range and one too long to count."""
    if type(iterable) is not range:
        kind = type(iterable).__name__
        raise Refused("not a range", f"the loop runs over {kind}, expected a range; write range(...)")
    if not iterable:
        raise Refused("no iterations", silent=True)
    try:
        len(iterable)
    except OverflowError as error:
        raise Refused(
            "range too long", f"the loop runs over {iterable}, expected fewer iterations"
        ) from error
    return iterable


def work(signature: Signature, arguments: Mapping[str, Any], weight: int) -> int | None:
    """The elements of an iteration times their ``weight``; None where nothing tells how many there are.

    They are those of its largest array: the means of many points are few numbers. What grows (``x - x.T``)
    has as many as the two largest have together, multiplied.
    """
    arrays = [arguments[slot.name] for slot in signature.arrays]
    sizes = [array.size for array in arrays if hasattr(array, "size")]
    # An iteration that takes no arrays makes some of these sizes.
    sizes = sizes or [each for name in signature.sizes if type(each := arguments[name]) is int]
    if not sizes:
        return None
    grows = signature.grows or not arrays
    ordered = sorted(sizes)
    largest, second = ordered[-1], ordered[-2:][0]
    size: int = max(largest, largest * second if grows else 0)
    return size * weight


def work_of(size: int, operations: int) -> int:
    """The work of ``operations`` on so many elements; each has a price of its own too."""
    return (size + 2 * _SAME_TIME) * operations


def check_work(
    trips: range,
    signature: Signature,
    size: int | None,
    small: int,
    least: int,
    *,
    operations: int = 1,
    many: bool = False,
) -> int:
    """Silently refuse a loop whose work, iterations times elements times weight, is less than ``least``.

    A step over whole arrays runs one iteration a call, and a call has a price of its own: some ten
    microseconds, in which NumPy does an operation on ``small`` elements, or more on fewer. Where ``many``
    iterations run in a call, and on a device, few elements count as 2**10, because NumPy takes as long for
    them. Returns the work; where nobody knows it, as much as is needed.
    """
    if size is None:
        return least
    if many:
        size = max(size, _SAME_TIME)
    elif not signature.lanewise and size < small and work_of(size, operations) < small:
        raise Refused("too little work to compile for", silent=True)
    work = len(trips) * size
    if not signature.once and work < least:
        raise Refused("too little work to compile for", silent=True)
    return work


# A private name of NumPy 2.
_error_state = getattr(np._core.umath, "_extobj_contextvar", None)  # type: ignore[attr-defined]
"""Where NumPy keeps what to do about floating-point errors: in an object that is replaced, never changed."""
_harmless: object = None
"""The object that was looked at last, if compiled code may run under it."""


def check_errstate() -> None:
    """Refuse where the user asked NumPy to raise, call, print or log: compiled code does none of these."""
    global _harmless
    state = None if _error_state is None else _error_state.get()
    if state is not None and state is _harmless:
        return
    for kind, action in np.geterr().items():
        if action not in ("ignore", "warn"):
            raise Refused(
                "floating-point errors are watched",
                f"np.seterr({kind}={action!r}) is set, expected 'ignore' or 'warn'; "
                f"run the loop inside np.errstate({kind}='warn')",
            )
    _harmless = state


def check_warnings() -> None:
    """Refuse where the program may see NumPy's warnings as more than lines on stderr.

    Compiled code gives none, and array code words them differently from a loop over numbers.
    """
    global _judged
    if warnings.filters != _judged[0]:
        # Kept in one assignment, because another thread may judge other filters.
        _judged = [*warnings.filters], _action(warnings.filters)
    action = _judged[1]
    if action in _WATCHED:
        raise Refused(f"NumPy's warnings are filtered by {action!r}", silent=True)
    if action != "ignore" and getattr(warnings.showwarning, "__module__", None) != "warnings":
        raise Refused(
            "warnings.showwarning is replaced",
            f"warnings.showwarning is {warnings.showwarning!r}, which may handle NumPy's warnings; "
            "expected Python's own, or warnings.simplefilter('ignore', RuntimeWarning)",
        )
    if action != "ignore" and _are_recorded():
        raise Refused("NumPy's warnings are recorded", silent=True)


def _are_recorded() -> bool:
    """Whether ``warnings.catch_warnings(record=True)`` keeps warnings for the program to read.

    pytest keeps those of every test so, which tells nothing about the program.
    """
    keeps = type(getattr(warnings, "_showwarnmsg_impl", None)) is BuiltinMethodType
    return keeps and "_pytest" not in sys.modules


_WATCHED = frozenset(("always", "all", "error"))

_judged: tuple[Sequence[Any], str] = ([], "default")
"""The filters that were looked at last, and what they do with NumPy's warnings."""


def _action(filters: Sequence[Any]) -> str:
    """What the filters do with NumPy's warnings, ``RuntimeWarning`` and ``ComplexWarning`` among them.

    A filter that applies to some of them counts, whatever those before it let pass.
    """
    for action, message, category, module, line in filters:
        if not issubclass(np.exceptions.ComplexWarning, category):
            continue
        every = message is None and module is None and not line and issubclass(RuntimeWarning, category)
        if every or action in _WATCHED:
            return str(action)
    return "default"


def check_calls(signature: Signature, arguments: dict[str, Any]) -> None:
    """Refuse a function other than the one that the step was made of."""
    for name, function in signature.calls:
        if arguments[name] is not function:
            raise Refused(
                f"function {name}",
                f"{name!r} is {arguments[name]!r}, expected the module's {function.__qualname__}",
            )


def check_sizes(signature: Signature, arguments: Mapping[str, Any]) -> None:
    """Refuse lengths and bounds that are not Python integers, are negative, or exceed what an axis can be."""
    for name in signature.sizes:
        value = arguments[name]
        if type(value) is not int:
            text = f"{name!r} is {value!r} of type {type(value).__name__}, expected a Python int"
            raise Refused(f"type of {name}", text)
        if not 0 <= value <= _LONGEST:
            raise Refused(f"range of {name}", f"{name!r} is {value}, expected a length", silent=True)


def check_arrays(signature: Signature, arguments: dict[str, Any]) -> None:
    """Refuse arrays of another type, dtype, shape or memory layout than the step was made for."""
    for slot in signature.arrays:
        _check_array(slot, arguments[slot.name])
    check_shapes(signature, arguments)
    for slot in signature.state:
        _check_state(slot, arguments[slot.name])
    _check_layouts(signature, arguments)
    check_sharing(signature, arguments)


def check_given(signature: Signature, arguments: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuse inputs of a further iteration that differ in kind or shape from those of the first."""
    for slot in signature.inputs:
        if slot.name not in given:
            continue
        array, before = given[slot.name], arguments[slot.name]
        _check_array(slot, array)
        if array.shape != before.shape:
            text = f"{slot.name!r} has shape {array.shape}, expected {before.shape} as before"
            raise Refused(f"shape of {slot.name}", text)
        for state in signature.state:
            if share(arguments[state.name], array):
                text = f"{state.name!r} and {slot.name!r} may share memory, expected separate memory"
                raise Refused(f"{state.name} and {slot.name} share memory", text)


def check_bounds(signature: Signature, arguments: dict[str, Any]) -> None:
    """Refuse constants outside the interval in which the rewrite is right."""
    for name, low, high in signature.bounds:
        value = arguments[name]
        if not low <= value <= high:
            raise Refused(f"bounds of {name}", f"{name!r} is {value!r}, expected {low!r} to {high!r}")


def _check_array(slot: Slot, array: object) -> None:
    if type(array) is not np.ndarray:
        kind = f"{type(array).__module__}.{type(array).__qualname__}"
        raise Refused(
            f"type of {slot.name}",
            f"{slot.name!r} is {kind}, expected exactly numpy.ndarray; pass np.asarray({slot.name})",
        )
    if array.dtype != slot.dtype or not array.dtype.isnative:
        raise Refused(
            f"dtype of {slot.name}",
            f"{slot.name!r} has dtype {array.dtype.str if not array.dtype.isnative else array.dtype}, "
            f"expected {slot.dtype} in native byte order; convert it with astype, or rewrite for this dtype",
        )
    if not array.flags.aligned:
        # As a field of packed records is, which is no fault of the program's.
        text = f"{slot.name!r} is not aligned, expected an aligned array; copy it"
        raise Refused(f"alignment of {slot.name}", text, silent=True)
    if array.ndim == 0 or array.size == 0:
        raise Refused(
            f"shape of {slot.name}",
            f"{slot.name!r} has shape {array.shape}, expected at least one dimension and one element",
            silent=array.size == 0,
        )


def check_shapes(signature: Signature, arguments: dict[str, Any]) -> None:
    """Refuse arrays without the shapes and numbers of dimensions that the step relies on."""
    every = tuple([slot.name for slot in signature.written + signature.inputs])
    names = every if signature.lanewise else signature.aligned
    for name in names[1:]:
        shape, seen = arguments[names[0]].shape, arguments[name].shape
        if seen != shape:
            text = f"{name!r} has shape {seen}, expected {shape}, the shape of {names[0]!r}"
            raise Refused(f"shape of {name}", text)
    for name, rank in signature.ranks:
        seen = arguments[name].ndim
        if seen != rank:
            text = f"{name!r} has {seen} dimensions, expected {rank}; reshape it"
            raise Refused(f"dimensions of {name}", text)


def _check_state(slot: Slot, array: Array) -> None:
    if not array.flags.writeable:
        raise Refused(f"{slot.name} is read-only", f"{slot.name!r} is read-only, expected a writeable array")
    if may_overlap_itself(array):
        raise Refused(
            f"{slot.name} overlaps itself",
            f"{slot.name!r} has strides {array.strides}, "
            "expected each element to have its own memory; copy it",
        )


def may_overlap_itself(array: Array) -> bool:
    """Whether two elements may lie in the same memory; False only where that is certain."""
    reach = array.itemsize
    for stride, length in sorted(
        (abs(s), n) for s, n in zip(array.strides, array.shape, strict=True) if n > 1
    ):
        if stride < reach:
            return True
        reach += stride * (length - 1)
    return False


_WORK = 1000
"""Steps of the search for a common element: enough to settle it for rows and columns."""


def share(left: Array, right: Array) -> bool:
    """Whether two arrays have an element in common; True where that would take long to find out."""
    if not np.may_share_memory(left, right):
        return False
    try:
        return np.shares_memory(left, right, max_work=_WORK)  # type: ignore[arg-type]  # NumPy's stub
    except np.exceptions.TooHardError:
        return True


def _check_layouts(signature: Signature, arguments: dict[str, Any]) -> None:
    """Refuse arrays whose axes lie in memory in different orders, where new arrays get that of one of them.

    NumPy gives ``x + y`` the order of both, and that of C where they differ.
    """
    for name in (slot.name for slot in signature.carried):
        order = _order(arguments[name])
        if order == sorted(order):
            continue
        for other in (slot.name for slot in signature.arrays):
            array = arguments[other]
            if array.shape == arguments[name].shape and _order(array) != order:
                raise Refused(
                    f"memory layout of {name}",
                    f"the axes of {name!r} lie in memory in another order than those of {other!r}; "
                    f"pass np.ascontiguousarray({name})",
                )


def _order(array: Array) -> list[int]:
    """The axes with more than one element, from the one whose elements are farthest apart in memory."""
    axes = (axis for axis, length in enumerate(array.shape) if length > 1)
    return sorted(axes, key=lambda axis: -abs(array.strides[axis]))


def check_sharing(signature: Signature, arguments: dict[str, Any]) -> None:
    """Refuse a state that shares memory with an array that is read after stores into it."""
    for state, other in signature.separate:
        array = arguments[other]
        if isinstance(array, np.ndarray) and share(arguments[state], array):
            raise shared_memory(state, other)


def shared_memory(one: str, other: str) -> Refused:
    """What is raised where two arrays share memory, of which one is stored into."""
    return Refused(
        f"{one} and {other} share memory",
        f"{one!r} and {other!r} may share memory, expected separate memory; copy one of them",
    )


def check_threads() -> None:
    """Raise ``Refused`` where a compiled kernel may wait for threads that this process does not have."""
    if forks.lacks_threads():
        raise Refused("a fork of a process that has torch", silent=True)
