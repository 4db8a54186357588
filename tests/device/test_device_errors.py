"""What a device cannot do: an error, or the CPU with a warning, and the arguments as they were."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import device_programs as programs
import numpy as np
import pytest

import nprewrite
import nprewrite.runtime as npr

torch = pytest.importorskip("torch")

from nprewrite.decorated import device_calls  # noqa: E402
from nprewrite.runtime.device import device_loop, devices  # noqa: E402

FULL = "CUDA out of memory. Tried to allocate 20.00 GiB.\nSee the documentation."


@pytest.fixture(autouse=True)
def compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are compiled however little they have to do."""
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)


def numbers(n: int = 40, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(n)


def full_after(calls: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that finds the device full after so many calls."""
    left = [calls]

    def counted(*args: Any, **kwargs: Any) -> Any:
        if not left[0]:
            raise torch.cuda.OutOfMemoryError(FULL)
        left[0] -= 1
        return function(*args, **kwargs)

    return counted


PLACES = [
    (device_calls, "sent", 0),
    (device_loop.DeviceKernel, "run", 0),
    (device_loop.DeviceKernel, "run", 3),
    (device_loop, "_joined", 0),
    (device_calls, "fetched", 0),
]


@pytest.mark.parametrize(("where", "name", "calls"), PLACES)
def test_out_of_memory_anywhere_is_computed_on_the_cpu(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, calls: int
) -> None:
    expected = programs.smooth(numbers(), 5)
    monkeypatch.setattr(where, name, full_after(calls, getattr(where, name)))
    given = numbers()
    with pytest.warns(
        nprewrite.NprewriteWarning, match=r"`smooth` is computed on the CPU: .*Tried to allocate"
    ):
        found = nprewrite.jit(device="cpu")(programs.smooth)(given, 5)
    assert found is given
    np.testing.assert_allclose(given, expected, rtol=1e-14)


@pytest.mark.parametrize(("where", "name", "calls"), PLACES)
def test_out_of_memory_is_an_error_where_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, calls: int
) -> None:
    monkeypatch.setattr(where, name, full_after(calls, getattr(where, name)))
    given = numbers()
    with pytest.raises(
        nprewrite.DeviceError, match=r"device_programs.py:\d+: `smooth`: cpu is out of memory"
    ):
        nprewrite.jit(device="cpu", on_fallback="raise")(programs.smooth)(given, 5)
    np.testing.assert_array_equal(given, numbers())


def test_out_of_memory_with_tensors_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    run = device_loop.DeviceKernel.run
    monkeypatch.setattr(device_loop.DeviceKernel, "run", full_after(2, run))
    given = torch.from_numpy(numbers())
    with pytest.raises(nprewrite.DeviceError, match="out of memory"):
        nprewrite.jit()(programs.smooth)(given, 5)
    np.testing.assert_array_equal(given.numpy(), numbers())


@npr.step(state={"u": "float64", "v": "float64"}, compile=True)
def swept(u: Any, v: Any) -> Any:
    return u + v, v * 0.5


@pytest.mark.parametrize(("name", "calls"), [("sent", 1), ("_joined", 1)])
def test_out_of_memory_in_a_step_of_a_file_runs_the_loop_as_written(
    monkeypatch: pytest.MonkeyPatch, name: str, calls: int
) -> None:
    monkeypatch.setattr(devices, "default", "cpu")
    monkeypatch.setattr(device_loop, name, full_after(calls, getattr(device_loop, name)))
    u, v = numbers(), numbers(seed=1)
    loop = swept.over(range(3), u=u, v=v)
    with pytest.warns(nprewrite.NprewriteWarning, match="runs as written: cpu is out of memory"):
        assert list(loop) == [0, 1, 2]
    assert not loop.finished
    np.testing.assert_array_equal(u, numbers())
    np.testing.assert_array_equal(v, numbers(seed=1))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
@pytest.mark.parametrize("way", [["--device", "cuda"], ["--device", "cuda:1"]])
def test_a_program_runs_on_without_cuda_and_says_so(tmp_path: Path, way: list[str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\n\n\n"
        "def smooth():\n"
        "    v = np.ones((1500, 1500))\n"
        "    for _ in range(3):\n"
        "        v[1:-1] = (v[:-2] + v[2:]) / 2 + 1\n"
        "    return v\n\n\n"
        "print(smooth()[5, 5])\n"
    )
    command = [sys.executable, "-m", "nprewrite", "run", *way, str(script)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert ran.stdout == "4.0\n"
    assert "CUDA" in ran.stderr
    assert "it runs on the CPU" in ran.stderr


class Pair:
    """Two arrays, perhaps on two devices."""

    def __init__(self, left: Any, right: Any) -> None:
        self.left, self.right = left, right


def total(pair: Any) -> Any:
    held = pair if isinstance(pair, dict | list) else vars(pair)
    left, right = held if isinstance(held, list) else held.values()
    return left + right


@pytest.mark.parametrize(
    "pair", [lambda a, b: [a, b], lambda a, b: {"a": a, "b": [b]}, Pair, lambda a, b: [Pair(a, b)]]
)
def test_tensors_on_several_devices_are_an_error_wherever_they_are(pair: Callable[..., Any]) -> None:
    here, there = torch.zeros(3), torch.zeros(3, device="meta")
    with pytest.raises(nprewrite.DeviceError, match=r"several devices \(cpu, meta\).*Tensor.to"):
        nprewrite.jit()(total)(pair(here, there))


def test_a_tensor_decides_and_not_the_device_that_was_asked_for() -> None:
    found = nprewrite.jit(device="meta", on_fallback="raise")(programs.inner)(torch.from_numpy(numbers()))
    assert found.device.type == "cpu"
    np.testing.assert_allclose(found.numpy(), np.cos(numbers()) * 2)
