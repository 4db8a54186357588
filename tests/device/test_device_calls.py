"""Calls on a device give what NumPy gives, where the caller expects it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import device_programs as programs
import numpy as np
import pytest

import nprewrite
from nprewrite.base import forks

torch = pytest.importorskip("torch")

from nprewrite.runtime.device import devices as devices  # noqa: E402
from nprewrite.runtime.device import private  # noqa: E402


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are compiled however little they have to do."""
    monkeypatch.setattr(importlib.import_module("nprewrite.runtime.api.step_runs"), "MINIMUM_WORK", 0)


def numbers(n: int = 40, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(n)


def on_cpu(function: Any, **options: Any) -> Any:
    return nprewrite.jit(device="cpu", on_fallback="raise", **options)(function)


def test_numpy_in_gives_numpy_out_and_changes_the_argument(compiling: None) -> None:
    jitted = on_cpu(programs.smooth)
    before, after = numbers(), numbers()
    expected = programs.smooth(before, 5)
    jitted(numbers(), 5)
    found = jitted(after, 5)
    assert found is after
    np.testing.assert_allclose(after, before, rtol=1e-14)
    assert "compiled on cpu" in str(jitted.report())
    assert expected is before
    assert "320 bytes copied to the device, 320 bytes back; 0 values" in str(jitted.report())


def test_constructors_under_names_of_their_own_make_arrays_there() -> None:
    jitted = on_cpu(programs.summed)
    for _ in range(2):
        np.testing.assert_array_equal(jitted(numbers()), programs.summed(numbers()))
    assert "392 bytes copied to the device, 24 bytes back; 0 values" in str(jitted.report())


def test_a_lanewise_loop_asks_once_a_chunk_whether_to_stop(compiling: None) -> None:
    jitted = on_cpu(programs.mandelbrot)
    C = (numbers(64) + 1j * numbers(64, 1)).astype(np.complex64)
    expected = programs.mandelbrot(C, 20)
    jitted(C, 20)
    np.testing.assert_array_equal(jitted(C, 20), expected)
    assert "2 values read one by one" in str(jitted.report())


def test_a_loop_that_the_array_ends_reads_one_number_an_iteration(compiling: None) -> None:
    jitted = on_cpu(programs.settled)
    expected = programs.settled(numbers(12), 0.01)
    for _ in range(2):
        found = jitted(numbers(12), 0.01)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert "compiled on cpu" in str(jitted.report())


def test_reductions_of_a_loop_run_on_the_device_as_written() -> None:
    given = numbers(500), np.abs(numbers(500, 1)), np.linspace(0.0, 1.0, 6)
    jitted = on_cpu(programs.profile)
    np.testing.assert_allclose(jitted(*given), programs.profile(*given), rtol=1e-13)
    report = str(jitted.report())
    assert "ran 1 x as written: arrays on a device" in report
    assert "arrays on a device" in report


def test_single_precision_holds_from_the_first_call_on() -> None:
    jitted = on_cpu(programs.weighted, level="fast", precision="float32")
    for _ in range(2):
        found = jitted(numbers(), {"weight": 0.3})
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, programs.weighted(numbers(), {"weight": 0.3}), rtol=1e-5)
    assert "the last call on cpu" in str(jitted.report())


def test_tensors_in_give_tensors_out_without_a_copy() -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.spread)
    x, y = numbers(), numbers(seed=1)
    expected = programs.spread(x, y)
    for _ in range(2):
        found = jitted(torch.from_numpy(x), torch.from_numpy(y))
    assert found.keys() == expected.keys()
    for name, each in expected.items():
        assert isinstance(found[name], torch.Tensor)
        np.testing.assert_allclose(found[name].numpy(), each, rtol=1e-14)
    # Only the weights, which NumPy makes, go there.
    assert "320 bytes copied to the device, 0 bytes back" in str(jitted.report())


def test_a_tensor_is_changed_in_place(compiling: None) -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.smooth)
    expected = programs.smooth(numbers(), 5)
    tensor = torch.from_numpy(numbers())
    found = jitted(tensor, 5)
    assert found.data_ptr() == tensor.data_ptr()
    np.testing.assert_allclose(tensor.numpy(), expected, rtol=1e-14)


def test_products_of_matrices_are_multiplied_as_written() -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.products)
    A, x = numbers(80 * 80).reshape(80, 80), numbers(80, seed=1)
    expected = programs.products(A, x, 0.5)
    tensors = torch.from_numpy(A), torch.from_numpy(x)
    for _ in range(2):
        found = jitted(*tensors, 0.5)
    assert "NPR304" in str(jitted.report())
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-10)


def test_a_tensor_and_numpy_arrays_give_tensors() -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.spread)
    found = jitted(torch.from_numpy(numbers()), numbers(seed=1))
    assert isinstance(found["larger"], torch.Tensor)


def test_numpy_numbers_come_back_as_numpy_gives_them() -> None:
    jitted = on_cpu(programs.spread)
    expected = programs.spread(numbers(), numbers(seed=1))
    found = jitted(numbers(), numbers(seed=1))
    assert {name: type(each) for name, each in found.items()} == {
        name: type(each) for name, each in expected.items()
    }


@pytest.mark.parametrize("function", [programs.spread, programs.energy])
def test_placement_is_followed_without_values(function: Any) -> None:
    """Everything is made where the arguments lie: a tensor of another device would raise."""
    x = torch.empty(40, dtype=torch.float64, device="meta")
    second: Any = torch.empty_like(x) if function is programs.spread else 2.0
    found = nprewrite.jit(on_fallback="raise")(function)(x, second)
    results = found.values() if isinstance(found, dict) else [found]
    assert {each.device.type for each in results} == {"meta"}


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_what_a_step_makes_lies_where_its_arrays_are(device: str, compiling: None) -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.bordered)
    found = jitted(torch.from_numpy(numbers()).to(device))
    assert {each.device.type for each in found} == {device}
    assert f"1 x compiled on {device}" in str(jitted.report())
    if device == "cpu":
        for each, expected in zip(found, programs.bordered(numbers()), strict=True):
            np.testing.assert_allclose(each.numpy(), expected, rtol=1e-12)


def test_a_loop_stays_on_the_device(compiling: None) -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.smooth)
    tensor = torch.empty(40, dtype=torch.float64, device="meta")
    assert jitted(tensor, 5) is not None
    assert "1 x compiled on meta" in str(jitted.report())


def test_a_value_that_is_not_there_is_an_error() -> None:
    jitted = nprewrite.jit()(programs.decided)
    with pytest.raises(
        nprewrite.DeviceError, match=r"device_programs.py:\d+: `decided`: the values of an array"
    ):
        jitted(torch.empty(40, device="meta"))


def test_functions_pass_device_arrays_on() -> None:
    helper = on_cpu(programs.inner)
    outer = on_cpu(_calls_inner)
    _calls_inner.__globals__["helper"] = helper
    np.testing.assert_allclose(outer(numbers()), np.cos(numbers()) * 2 + 1, rtol=1e-14)
    assert "320 bytes copied to the device, 320 bytes back" in str(outer.report())


def _calls_inner(x: Any) -> Any:
    return helper(x) + 1  # type: ignore[name-defined]  # noqa: F821


def test_objects_keep_their_arrays_in_numpy() -> None:
    field, other = programs.Field(numbers()), programs.Field(numbers())
    expected = programs.Field.advance(other, 0.1)
    found = on_cpu(programs.Field.advance)(field, 0.1)
    assert type(field.u) is np.ndarray
    assert (found, field.calls) == (pytest.approx(expected, rel=1e-14), 1)
    np.testing.assert_allclose(field.u, other.u, rtol=1e-14)


@pytest.mark.parametrize("way", ["context", "default"])
def test_torch_s_default_device_decides(way: str) -> None:
    jitted = nprewrite.jit()(programs.inner)
    if way == "context":
        with torch.device("meta"), pytest.warns(nprewrite.NprewriteWarning, match="on the device 'meta'"):
            found = jitted(numbers())
    else:
        torch.set_default_device("meta")
        try:
            with pytest.warns(nprewrite.NprewriteWarning, match="on the device 'meta'"):
                found = jitted(numbers())
        finally:
            torch.set_default_device(None)
    # Its values cannot come back: NumPy gave them.
    np.testing.assert_allclose(found, np.cos(numbers()) * 2)


def test_the_environment_decides_for_files_and_steps() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import numpy as np, nprewrite, device_programs\n"
        "jitted = nprewrite.jit(device_programs.inner)\n"
        "print(jitted(np.zeros(3)).tolist()); print(jitted.report())"
    )
    environment = {**os.environ, "NPREWRITE_DEVICE": "cpu"}
    command = [sys.executable, "-c", code, os.path.dirname(__file__)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300)
    assert ran.stdout.startswith("[2.0, 2.0, 2.0]")
    assert "24 bytes copied to the device, 24 bytes back" in ran.stdout


def test_run_puts_the_steps_of_a_script_on_the_device(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\n\n\n"
        "def smooth(u: np.ndarray, steps: int):\n"
        "    u = np.asarray(u, np.float64)\n"
        "    v = np.zeros((1500, 1500))\n"
        "    v += 1.5\n"
        "    for _ in range(3):\n"
        "        v[1:-1] = (v[:-2] + v[2:]) / 2 + 1\n"
        "    return v\n\n\n"
        "if __name__ == '__main__':\n"
        "    print(smooth(np.zeros(2), 3)[5, 5])\n"
        "    import gc\n"
        "    from nprewrite.runtime.api.step import Step\n"
        "    print(*[each.runs for each in gc.get_objects() if type(each) is Step])\n"
    )
    command = [sys.executable, "-m", "nprewrite", "run", "--device", "cpu", str(script)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert ran.stdout.startswith("4.5\n")
    assert "'compiled on cpu': 1" in ran.stdout


def test_a_step_in_a_rewritten_file_runs_on_the_device(
    monkeypatch: pytest.MonkeyPatch, compiling: None
) -> None:
    import nprewrite.runtime as npr

    @npr.step(state={"u": "float64"}, compile=True)
    def step(u: Any) -> Any:
        return (np.concatenate([u[:1], (u[:-2] + u[2:]) / 2, u[-1:]]),)

    monkeypatch.setattr(devices, "default", "cpu")
    u, v = numbers(), numbers()
    for _ in (loop := step.over(range(3), u=u)):
        raise AssertionError("the loop runs as written")
    assert loop.finished
    for _ in range(3):
        v[1:-1] = (v[:-2] + v[2:]) / 2
    np.testing.assert_allclose(u, v, rtol=1e-14)
    assert step.runs["compiled on cpu"] == 1


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_without_cuda_the_cpu_computes_and_says_so() -> None:
    jitted = nprewrite.jit(device="cuda")(programs.inner)
    with pytest.warns(nprewrite.NprewriteWarning, match=r"`inner` is computed on the CPU: .*CUDA.*doctor"):
        found = jitted(numbers())
    np.testing.assert_allclose(found, np.cos(numbers()) * 2)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", nprewrite.NprewriteWarning)
        jitted(numbers())
    assert not told


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_without_cuda_it_raises_where_that_was_asked_for() -> None:
    jitted = nprewrite.jit(device="cuda", on_fallback="raise")(programs.inner)
    with pytest.raises(nprewrite.DeviceError, match="CUDA"):
        jitted(numbers())


def test_a_fork_of_a_process_with_torch_computes_on_the_cpu_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forks, "lacks_threads", lambda: True)
    jitted = nprewrite.jit(device="meta")(programs.inner)
    message = r"`inner` is computed on the CPU: the process is a fork of one that has torch; .*'spawn'"
    with pytest.warns(nprewrite.NprewriteWarning, match=message):
        found = jitted(numbers())
    np.testing.assert_array_equal(found, programs.inner(numbers()))
    with pytest.raises(nprewrite.DeviceError, match=r"torch.set_num_threads\(1\)"):
        nprewrite.jit(programs.inner)(torch.zeros(3))


def test_cuda_that_the_parent_has_used_is_not_for_a_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(private, "is_in_bad_fork", lambda: True)
    jitted = nprewrite.jit(device="cuda")(programs.inner)
    with pytest.warns(nprewrite.NprewriteWarning, match=r"`inner` is computed on the CPU: .*used CUDA"):
        found = jitted(numbers())
    np.testing.assert_array_equal(found, programs.inner(numbers()))


@pytest.mark.parametrize("made", [np.asarray, torch.from_numpy])
def test_numbers_are_text_keys_and_rounded_as_numpy_s(made: Any) -> None:
    jitted = nprewrite.jit(device="cpu", on_fallback="raise")(programs.told)
    for _ in range(2):
        assert jitted(made(numbers())) == programs.told(numbers())


@pytest.mark.parametrize("function", [programs.typed, programs.bytes_of])
def test_what_takes_only_numpy_s_arrays_is_computed_on_the_cpu(function: Any) -> None:
    with pytest.warns(nprewrite.NprewriteWarning, match=r"is computed on the CPU: .*(NumPy|DeviceArray)"):
        found = nprewrite.jit(device="cpu")(function)(numbers())
    np.testing.assert_array_equal(found, function(numbers()))
    with pytest.raises(nprewrite.DeviceError, match=r"NumPy|DeviceArray"):
        nprewrite.jit()(function)(torch.from_numpy(numbers()))


@pytest.mark.parametrize("function", [programs.nearest, programs.forced])
def test_tensors_that_become_arrays_in_the_function(function: Any) -> None:
    jitted = nprewrite.jit(on_fallback="raise")(function)
    expected = function(torch.from_numpy(numbers()))
    for _ in range(3):
        found = jitted(torch.from_numpy(numbers()))
        assert type(found) is type(expected)
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-14)


def test_gradients_of_array_code_with_stores_and_selects() -> None:
    def masked(x: Any, w: Any) -> Any:
        y = np.where(x > 0, np.sqrt(np.abs(x) + 1), x**3)
        y[1:] = x[1:] * w[:-1]
        return np.sum(y * np.linspace(0.5, 1.0, 6)) / np.max(np.abs(w))

    given = [torch.from_numpy(numbers(6, seed)).requires_grad_() for seed in (3, 4)]
    jitted = nprewrite.jit(on_fallback="raise")(masked)
    for _ in range(2):
        assert torch.autograd.gradcheck(jitted, given)


def test_gradients_of_what_was_overwritten_are_an_error() -> None:
    def overwritten(x: Any) -> Any:
        y = x * 2
        y[1:] = y[1:] * y[:-1]
        return np.sum(y)

    x = torch.from_numpy(numbers(6)).requires_grad_()
    found = nprewrite.jit(on_fallback="raise")(overwritten)(x)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        found.backward()


def test_an_unknown_device_is_named() -> None:
    with pytest.raises(nprewrite.DeviceError, match="'gpu' is not a torch device"):
        nprewrite.jit(device="gpu", on_fallback="raise")(programs.inner)(numbers())


def test_an_unknown_mode_is_an_error() -> None:
    with pytest.raises(ValueError, match="mode is one of None, reduce-overhead"):
        nprewrite.jit(mode="fastest")


def test_tensors_on_several_devices_are_an_error() -> None:
    here, there = torch.zeros(3), torch.zeros(3, device="meta")
    with pytest.raises(nprewrite.DeviceError, match=r"`spread`: .*several devices \(cpu, meta\).*Tensor.to"):
        nprewrite.jit()(programs.spread)(here, there)


def test_a_dtype_that_numpy_lacks_is_an_error() -> None:
    with pytest.raises(nprewrite.DeviceError, match=r"torch.bfloat16"):
        nprewrite.jit()(programs.inner)(torch.zeros(3, dtype=torch.bfloat16))


def test_out_of_memory_is_computed_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    from nprewrite.decorated import device_calls

    def full(*_: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB")

    monkeypatch.setattr(device_calls, "called", full)
    jitted = nprewrite.jit(device="cpu")(programs.inner)
    with pytest.warns(nprewrite.NprewriteWarning, match=r"cpu is out of memory \(CUDA out of memory"):
        found = jitted(numbers())
    np.testing.assert_allclose(found, np.cos(numbers()) * 2)
    with pytest.raises(nprewrite.DeviceError, match="out of memory"):
        jitted(torch.zeros(3))


def test_a_loop_over_elements_goes_to_the_cpu() -> None:
    jitted = nprewrite.jit(device="cpu")(programs.by_element)
    with pytest.warns(nprewrite.NprewriteWarning, match="element by element|one by one|one element after"):
        found = jitted(numbers(9000))
    assert found == pytest.approx(programs.by_element(numbers(9000)))


def test_what_the_program_raises_is_raised() -> None:
    def refusing(x: Any) -> Any:
        if x[0] > -100:
            raise KeyError("too large")
        return x

    with pytest.raises(KeyError, match="too large"):
        on_cpu(refusing)(numbers())


def test_arguments_that_share_memory_may_be_read_and_not_changed() -> None:
    base = numbers()
    np.testing.assert_allclose(
        on_cpu(programs.spread)(base[1:], base[:-1])["larger"], np.maximum(base[1:], base[:-1])
    )
    with pytest.raises(nprewrite.DeviceError, match="share memory"):
        on_cpu(_overwrites)(base[1:], base[:-1])


def _overwrites(x: Any, y: Any) -> None:
    x[:] = 2 * y


def test_a_view_of_an_argument_is_returned_as_one() -> None:
    x = numbers()
    found = on_cpu(lambda a: a[3:10:2])(x)
    assert np.shares_memory(found, x)
    np.testing.assert_array_equal(found, x[3:10:2])


def test_gradients_are_those_of_finite_differences() -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.energy)
    x = torch.from_numpy(numbers(8)).requires_grad_()
    for _ in range(2):
        assert torch.autograd.gradcheck(lambda v: jitted(v, 1.7), (x,))


def test_gradients_go_through_a_compiled_loop(compiling: None) -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.relaxed)
    x = torch.from_numpy(numbers(5)).requires_grad_()
    jitted(x, 3)
    assert torch.autograd.gradcheck(lambda v: jitted(v, 3), (x,))
    assert "compiled on cpu" in str(jitted.report())


def test_a_gradient_that_would_be_lost_is_an_error() -> None:
    x = torch.from_numpy(numbers()).requires_grad_()
    with pytest.raises(nprewrite.DeviceError, match=r"gradients flow through becomes a Python number"):
        nprewrite.jit()(programs.decided)(x)
    with torch.no_grad():
        found = nprewrite.jit()(programs.decided)(x)
    np.testing.assert_allclose(found.numpy(), programs.decided(numbers()))


def test_a_leaf_cannot_be_changed_where_gradients_are_wanted() -> None:
    x = torch.from_numpy(numbers()).requires_grad_()
    with pytest.raises(nprewrite.DeviceError, match="leaf Variable that requires grad"):
        nprewrite.jit()(programs.smooth)(x, 2)


def test_a_function_of_tensors_gets_them() -> None:
    jitted = nprewrite.jit(on_fallback="raise")(programs.mixed)
    for _ in range(3):
        found = jitted(torch.from_numpy(numbers()))
        assert isinstance(found, torch.Tensor)
        np.testing.assert_allclose(found.numpy(), np.tanh(numbers()) + 1)
