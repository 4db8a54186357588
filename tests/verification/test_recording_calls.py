"""A recorded call meets the same memory when it is replayed."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest

from nprewrite.verification.recording import NOT_COPIED, Call, copied, restored


def replayed(*args: Any, **kwargs: Any) -> Call:
    return restored(copied(Call("f", "__main__", args, kwargs)), "waves")


def views() -> dict[str, np.ndarray[Any, Any]]:
    base = np.arange(24.0).reshape(4, 6)
    fortran = np.asfortranarray(base)
    frozen = base.copy()
    frozen.flags.writeable = False
    return {
        "whole": base,
        "slice": base[1:, ::2],
        "reversed": base[::-1, ::-1],
        "transposed": base.T,
        "fortran": fortran,
        "fortran slice": fortran[1:3, 1:],
        "broadcast": np.broadcast_to(base[0], (3, 6)),
        "0-d": base[2, 3, ...],
        "empty": base[4:],
        "parts": base.view(complex)[1:].imag,
        "swapped": base.astype(">f4")[1:],
        "read-only": frozen,
        "read-only view": frozen[1:],
        "bytes": np.frombuffer(bytes(range(16)), "u1"),
        "objects": np.array([None, "text"], object)[1:],
        "dates": np.array(["2020-01-01", "2021-01-01"], "M8[D]")[::-1],
    }


@pytest.mark.parametrize("name", views())
def test_values_layout_and_flags(name: str) -> None:
    array = views()[name]
    again = replayed(array).args[0]
    assert np.array_equal(again, array)
    assert (again.dtype, again.shape, again.strides) == (array.dtype, array.shape, array.strides)
    assert again.flags.writeable == array.flags.writeable


def test_a_view_that_is_writeable_though_its_owner_is_not() -> None:
    owner = np.zeros(4)
    view = owner[1:]
    owner.flags.writeable = False
    again, first = replayed(owner, view).args
    assert (again.flags.writeable, first.flags.writeable) == (False, True)
    first[0] = 5
    assert again.tolist() == [0, 5, 0, 0]


def test_shared_memory_stays_shared() -> None:
    a = np.zeros(10)
    left, right, same = replayed(a[1:], a[:-1], [a]).args
    left[:] = 1
    assert right.tolist() == [0, *[1] * 8]
    assert np.shares_memory(left, same[0])
    assert a.tolist() == [0] * 10


def test_the_same_object_stays_the_same() -> None:
    a = np.zeros(3)
    first, second = replayed(a, {"key": a}).args
    assert first is second["key"]


class Box:
    """Stands for a class of the program that was recorded."""


def test_classes_of_the_program_are_looked_up_in_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    waves = types.ModuleType("waves")
    waves.Box = type("Box", (), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "waves", waves)
    again = restored(copied(Call("f", __name__, (Box(),), {})), "waves")
    assert type(again.args[0]) is waves.Box


@pytest.mark.parametrize(
    "value", [(k for k in "ab"), sys.stdout, lambda: None], ids=["generator", "file", "lambda"]
)
def test_what_cannot_be_copied(value: Any) -> None:
    with pytest.raises(NOT_COPIED):
        copied(Call("f", "waves", (value,), {}))
