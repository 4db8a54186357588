"""Compiled graphs as packages: loaded and run without torch, on NumPy's arrays."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from runtime_programs import Array

import nprewrite.runtime as npr
from nprewrite.runtime.torch.generated import NotPackaged, operations, taken_apart
from nprewrite.runtime.torch.graph import WHOLE_OPTIONS
from nprewrite.runtime.torch.package import Package, _short_spins, library_of, save
from nprewrite.runtime.torch.packing import packed
from nprewrite.runtime.torch.tensors import dtype_name

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(2, 40, 30))
WIDE = RNG.normal(size=(30, 20))
LARGE = RNG.normal(size=(1 << 20))
NUMBERS = RNG.integers(1, 9, 1 << 16)

WITHOUT_TORCH = """
import sys
from pathlib import Path
import numpy as np
from nprewrite.runtime.torch.package import Package

path = Path(sys.argv[1])
package = Package(path)
given = [*np.load(path.with_suffix(".given.npz")).values()]
assert package.fits(*given)
try:
    for _ in range(2):
        results = package(*given)[2]
    np.savez(path.with_suffix(".found.npz"), *results, *given)
except RuntimeError as error:
    print(error)
assert "torch" not in sys.modules
"""


def tensors_of(arrays: Sequence[Array], dynamic: Sequence[tuple[int, int]]) -> list[torch.Tensor]:
    tensors = [torch.from_numpy(each.copy()) for each in arrays]
    for number, axis in dynamic:
        torch._dynamo.maybe_mark_dynamic(tensors[number], axis)
    return tensors


def made(
    path: Path,
    function: Callable[..., Any],
    *arrays: Array,
    stores: int = 0,
    dynamic: Sequence[tuple[int, int]] = (),
) -> Path:
    """The package of a function, the first ``stores`` of whose results are stored into its last arrays."""

    def step(*tensors: Any) -> Any:
        found = [torch.as_tensor(each) for each in function(*[each.clone().numpy() for each in tensors])]
        for target, value in zip(tensors[len(tensors) - stores :], found, strict=False):
            target.copy_(value)
        rest = found[stores:]
        return tuple([dtype_name(each.dtype) for each in found]), (True,) * stores, tuple(rest)

    torch._dynamo.reset()
    plan, library = packed(step, tensors_of(arrays, dynamic), WHOLE_OPTIONS)
    save(plan, library.read_bytes(), path)
    return path


def found_without_torch(path: Path, *arrays: Array, threads: int = 2) -> list[Array]:
    """The results of a package, of the second call, and the arrays given, in a process without torch."""
    np.savez(path.with_suffix(".given.npz"), *arrays)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, str(path)],
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    if done.stdout:
        raise RuntimeError(done.stdout)
    with np.load(path.with_suffix(".found.npz")) as found:
        return [*found.values()]


@dataclass(frozen=True)
class Program:
    function: Callable[..., tuple[Any, ...]]
    arrays: tuple[Array, ...]
    said: str
    """What is in the text that calls the kernels."""
    torch_library: bool = False


PROGRAMS = {
    "sine": Program(lambda a, b: (np.sin(a) * b,), (A, B), "", torch_library=True),
    "stencil": Program(lambda a: (a[1:-1, 1:-1] + a[:-2, 1:-1] - a[2:, 1:-1],), (A,), ""),
    "reductions": Program(lambda a: (a.sum(axis=0), a.max(), a.mean(axis=1)), (A,), ""),
    "gather": Program(lambda a, i: (a[i] * 2,), (A, RNG.integers(-40, 40, 17)), ""),
    "mm": Program(lambda a, b: (a @ b,), (A, WIDE), "np.matmul("),
    "mm of a transposed matrix": Program(lambda a, b: (a.T @ b + 1,), (A, B), "view("),
    "bmm": Program(
        lambda a, b: (a @ b,), (RNG.normal(size=(5, 6, 7)), RNG.normal(size=(5, 7, 8))), "np.matmul("
    ),
    "addmm": Program(lambda a, b, c: (a @ b + c,), (A, WIDE, RNG.normal(size=20)), "np.add("),
    "bool, complex and integers": Program(
        lambda a, n: (a > 0, n + n.astype(np.uint8), a.astype(np.float32)), (A[0], NUMBERS[:30]), ""
    ),
    "a literal array": Program(lambda a: (a * np.array([1.5, -0.0, np.inf]),), (A[:, :3].copy(),), ""),
    "a complex transform": Program(
        lambda a: (np.fft.ifftn(np.fft.fftn(a + 0j) / 3).real * 2,), (A,), "np.fft.fftn("
    ),
    "transforms of real arrays": Program(
        lambda a: (np.fft.irfft(np.fft.rfft(a) * 3), np.fft.rfft2(a, norm="ortho").imag), (A,), "np.fft.rfft("
    ),
    "a transform along another axis": Program(
        lambda a: (np.fft.fft(a.T + 0j, axis=0, norm="forward")[::2].real + 1,), (A,), "np.fft.fft("
    ),
    "complex arrays": Program(
        lambda a, c: (c * np.exp(c) - a, np.conj(c) / c, abs(c), c.real * c.T.imag.T), (A, A + 1j * B), "exp("
    ),
    "a shift of complex elements": Program(lambda c: (np.roll(c, (3, -1), (0, 1)),), (A + 1j * B,), ":, "),
    "sorts": Program(lambda a: (np.sort(a, axis=0) + 1, np.argsort(a[:, 3])), (A,), "np.argsort("),
    "running sums": Program(
        lambda a: (np.cumsum(a, axis=0) + 1, np.cumsum(a), np.cumprod(a, axis=1)), (A,), "np.cumprod("
    ),
    "a search": Program(lambda a: (np.searchsorted(np.sort(a[0]), a[1]) + 1,), (A,), "np.searchsorted("),
    "linear systems": Program(
        lambda a, b: (np.linalg.solve(a, b) + 1, np.linalg.solve(a, b[:, 0]), np.linalg.inv(a).T * 2),
        (A[:30] + 9 * np.eye(30), B[:30, :4].copy()),
        "np.linalg.solve(",
    ),
    "no inputs": Program(lambda a: (np.full(3, 2.0),), (A,), ""),
    "no elements": Program(lambda a: (np.exp(a), a.sum(axis=0), a[:, 1:]), (np.zeros((0, 3)),), ""),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_runs_without_torch(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    path = made(tmp_path / "a.json", program.function, *program.arrays)
    plan = Package(path).plan
    assert not plan.torch
    assert plan.torch_library == program.torch_library
    assert program.said in plan.text
    wanted = program.function(*program.arrays)
    found = found_without_torch(path, *program.arrays)
    for result, array in zip(found, wanted, strict=False):
        assert (result.shape, result.dtype) == (np.shape(array), np.asarray(array).dtype)
        np.testing.assert_allclose(result, array, rtol=1e-12)
    for given, array in zip(found[len(wanted) :], program.arrays, strict=True):
        assert np.array_equal(given, array)


def test_results_lie_in_memory_of_their_own(tmp_path: Path) -> None:
    package = Package(
        made(tmp_path / "a.json", lambda a: (a * 2, a[::2] + 1, np.array([1.5, 2.5, 3.5]), a.T @ a), A)
    )
    first, second = (package(A)[2] for _ in range(2))
    every = [A, *first, *second]
    assert not any(np.shares_memory(a, b) for n, a in enumerate(every) for b in every[:n])
    for each in first:
        each[...] = 0
    assert package(A)[2][2].tolist() == [1.5, 2.5, 3.5]
    assert all(each.flags.writeable and type(each) is np.ndarray for each in first)


def test_results_may_be_views_of_each_other(tmp_path: Path) -> None:
    def halves(a: Array) -> tuple[Array, ...]:
        whole = np.sqrt(abs(a)) + a.T.mean()
        return whole, whole[1::2, ::-1][:, 3:], whole.ravel(), whole.T

    package = Package(made(tmp_path / "views.json", halves, A))
    results = package(A)[2]
    for one, other in zip(results, halves(A), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    assert all(np.may_share_memory(results[0], each) for each in results[2:])


def test_state_is_stored_in_place(tmp_path: Path) -> None:
    def step(a: Array, u: Array) -> tuple[Array, ...]:
        u[1:-1] = u[:-2] + u[2:] * a
        return u, u.sum()

    path = made(tmp_path / "a.json", step, np.array(0.5), A, stores=1)
    wanted, _ = step(np.array(0.5), A.copy())
    wanted, total = step(np.array(0.5), wanted)
    found, _, after = found_without_torch(path, np.array(0.5), A)
    np.testing.assert_allclose(after, wanted, rtol=1e-14)
    np.testing.assert_allclose(found, total, rtol=1e-12)


@pytest.mark.parametrize("threads", [1, 4])
def test_other_numbers_of_threads_give_the_same(threads: int, tmp_path: Path) -> None:
    path = made(tmp_path / "a.json", lambda a: (np.sqrt(np.abs(a)), a.sum(), a.min()), LARGE)
    wanted = found_without_torch(path, LARGE, threads=torch.get_num_threads())
    found = found_without_torch(path, LARGE, threads=threads)
    assert all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))


class TestDynamic:
    def made(self, path: Path, function: Callable[..., Any], *arrays: Array) -> Package:
        dynamic = [(number, 0) for number in range(len(arrays))]
        return Package(made(path, function, *arrays, dynamic=dynamic))

    def test_equal_lengths(self, tmp_path: Path) -> None:
        package = self.made(tmp_path / "a.json", lambda a, b: (a * 2 + b,), A, B)
        for length in (2, 7, 41, 1000):
            a, b = RNG.normal(size=(2, length, 30))
            assert package.fits(a, b)
            np.testing.assert_allclose(package(a, b)[2][0], a * 2 + b, rtol=1e-14)
        assert not package.fits(A, B[:-1])
        assert not package.fits(A[:, 1:], B[:, 1:])

    def test_transforms(self, tmp_path: Path) -> None:
        def function(a: Array, b: Array) -> tuple[Array, ...]:
            return np.fft.ifft(np.fft.fft(a, axis=0) * b, axis=0).real * 2, np.cumsum(b)

        package = self.made(tmp_path / "a.json", function, A, B)
        assert not package.plan.torch
        for length in (2, 7, 41, 1000):
            a, b = RNG.normal(size=(2, length, 30))
            assert package.fits(a, b)
            for found, wanted in zip(package(a, b)[2], function(a, b), strict=True):
                assert np.array_equal(found, wanted)

    def test_other_ranks(self, tmp_path: Path) -> None:
        package = self.made(tmp_path / "a.json", lambda a: (a + 1,), A[0])
        assert package.fits(A[1])
        assert not package.fits(A)
        assert not package.fits(np.array(1.0))

    def test_minimum_lengths(self, tmp_path: Path) -> None:
        package = self.made(tmp_path / "a.json", lambda a: (a[2:] - a[:-2],), LARGE)
        for length in range(12):
            a = LARGE[:length].copy()
            if package.fits(a):
                assert np.array_equal(package(a)[2][0], a[2:] - a[:-2])
        assert not package.fits(LARGE[:1])
        assert package.fits(LARGE[:11])

    def test_without_torch(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        self.made(path, lambda a, b: (a @ b.T, a.sum(axis=0)), A, B)
        found = found_without_torch(path, A[:9].copy(), B[:9].copy())
        np.testing.assert_allclose(found[0], A[:9] @ B[:9].T, rtol=1e-10)
        np.testing.assert_allclose(found[1], A[:9].sum(axis=0), rtol=1e-10)


def test_a_singular_matrix_raises_what_numpy_raises(tmp_path: Path) -> None:
    package = Package(made(tmp_path / "a.json", lambda a, b: (np.linalg.solve(a, b),), np.eye(3), A[:3]))
    with pytest.raises(np.linalg.LinAlgError):
        package(np.ones((3, 3)), A[:3].copy())


@pytest.mark.parametrize(
    ("function", "operation"),
    [
        (lambda a: (np.linalg.svd(a)[1] * 2,), "linalg_svd"),
        (lambda a: (abs(np.linalg.qr(a)[1]),), "linalg_qr"),
    ],
)
def test_what_has_no_kernel_runs_in_torch(
    function: Callable[..., Any], operation: str, tmp_path: Path
) -> None:
    package = Package(made(tmp_path / "a.json", function, A))
    assert package.plan.torch
    assert any(operation in each for each in package.plan.operations)
    (found,) = package(A)[2]
    assert type(found) is np.ndarray
    np.testing.assert_allclose(found, function(A)[0], rtol=1e-10, atol=1e-10)


def test_an_error_in_a_kernel(tmp_path: Path) -> None:
    path = made(tmp_path / "a.json", lambda n, m: (n // m,), NUMBERS, NUMBERS)
    (found, *_) = found_without_torch(path, NUMBERS, NUMBERS[::-1].copy())
    assert np.array_equal(found, NUMBERS // NUMBERS[::-1])
    zero = np.where(np.arange(NUMBERS.size) == 7, 0, NUMBERS)
    with pytest.raises(RuntimeError, match="floor_divide_0 raised an error"):
        found_without_torch(path, NUMBERS, zero)


@pytest.mark.parametrize("kept", [0, 100, 1000, 8192, -1])
def test_a_library_that_is_not_whole(kept: int, tmp_path: Path) -> None:
    path = made(tmp_path / "a.json", lambda a: (a + 1,), A)
    library_of(path).write_bytes(library_of(path).read_bytes()[:kept])
    with pytest.raises(ValueError, match="not the library that was written"):
        Package(path)


def test_a_plan_that_is_not_whole(tmp_path: Path) -> None:
    path = made(tmp_path / "a.json", lambda a: (a + 1,), A)
    whole = path.read_bytes()
    for kept in (0, 1, 300, len(whole) - 1):
        path.write_bytes(whole[:kept])
        with pytest.raises(json.JSONDecodeError):
            Package(path)


def test_a_missing_library(tmp_path: Path) -> None:
    path = made(tmp_path / "a.json", lambda a: (a + 1,), A)
    library_of(path).unlink()
    with pytest.raises(FileNotFoundError):
        Package(path)


def test_statements_without_words_in_numpy_run_in_torch(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def unknown(*_: Any) -> Any:
        raise NotPackaged("buf0 = 1 < 2")

    monkeypatch.setattr("nprewrite.runtime.torch.packing.NumpyText", unknown)
    package = Package(made(tmp_path / "a.json", lambda a: (a * 2 - 1,), A))
    assert [*package.plan.operations] == ["buf0 = 1 < 2"]
    assert np.array_equal(package(A)[2][0], A * 2 - 1)


def test_the_report_says_what_torch_is_imported_for() -> None:
    declared: dict[str, Any] = {"state": {"a": "float64"}, "compile": True}
    ranked = npr.step(**declared)(lambda a: (np.linalg.inv(a) + np.linalg.qr(a)[1],))
    plain = npr.step(**declared)(lambda a: (np.tanh(a),))
    for step in (ranked, plain):
        a = np.eye(50)
        assert list(step.over(range(1), a=a)) == []
    assert ranked.report()[1] == "`<lambda>` imports torch, for linalg_inv_ex, linalg_check_errors, linalg_qr"
    assert not any("torch" in line for line in plain.report())


def test_threads_soon_sleep_unless_the_user_says_how_they_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    with _short_spins():
        assert int(os.environ["GOMP_SPINCOUNT"])
    assert "GOMP_SPINCOUNT" not in os.environ
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    with _short_spins():
        assert "GOMP_SPINCOUNT" not in os.environ


GENERATED = """
def call(args):
    arg0_1, arg1_1 = args
    args.clear()
    {check}
    buf0 = torch.ops.aten.sort.stable(arg0_1)
    buf1 = buf0[0]
    assert_size_stride_grouped((buf1, arg1_1), ((3, 4), (3,)), ((4, 1), (1,)), 'torch.ops.aten.sort.stable')
    assert_tensor_metadata(buf0, (3, ), (1, ), torch.float64, 'torch.ops.aten.sort.stable')
    return (buf1, )
"""


@pytest.mark.parametrize(
    "check",
    [
        "assert_size_stride(arg0_1, (3, 4), (4, 1), 'input')",
        "assert_size_stride_grouped((arg0_1, arg1_1), ((3, 4), (3,)), ((4, 1), (1,)), 'input')",
    ],
)
def test_checks_as_several_versions_of_torch_write_them(check: str) -> None:
    found = taken_apart(GENERATED.format(check=check))
    assert [ast.unparse(each) for each in found.body[:3]] == [
        "buf0_whole = torch.ops.aten.sort.stable(arg0_1)",
        "buf0 = buf0_whole",
        "del buf0_whole",
    ]
    assert operations(found) == ("sort",)
    sizes = {name: ast.unparse(size) for name, (size, _) in found.layouts.items()}
    assert sizes == {"buf1": "(3, 4)", "arg1_1": "(3,)", "buf0": "(3,)"}


def test_functions_that_a_later_torch_may_call_are_not_packaged() -> None:
    with pytest.raises(NotPackaged, match="`never_seen` in generated code"):
        operations(taken_apart(GENERATED.format(check="never_seen(arg0_1)")))
