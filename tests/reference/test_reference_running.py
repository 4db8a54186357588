"""How a kernel runs: beside other threads of Python, until Ctrl-C, the same on any number of threads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from types import ModuleType

import numpy as np
import pytest

# Hours of work: no point of it ever leaves.
ENDLESS = """
import numpy as np
import nprewrite_reference
zeros = np.zeros(64)
print("started", flush=True)
try:
    nprewrite_reference.mandelbrot(zeros, zeros, 2**31 - 1, 2.0)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

ALL_RESULTS = """
import hashlib
import numpy as np
import nprewrite_reference as kernels
bits = hashlib.sha256()
for real in ("f4", "f8"):
    rng = np.random.default_rng(0)
    x, y = rng.uniform(-2, 2, 301).astype(real), rng.uniform(-2, 2, 150).astype(real)
    u, omega = (rng.standard_normal((150, 300)).astype(real) for _ in range(2))
    z = u + 1j * omega
    points = u.reshape(-1, 3)
    labels = kernels.kmeans_assign(points, points[:7].copy())
    results = [
        *kernels.mandelbrot(x, y, 200, 4.0), *kernels.julia(x, y, -0.8 + 0.156j, 200, 4.0),
        labels, *kernels.kmeans_update(points, labels, 7),
        kernels.kuramoto(u, omega, 0.7), kernels.kuramoto_small_angle(u, omega, 0.7), kernels.jacobi_step(u),
        np.array(kernels.matrix_sum(u)), kernels.masked_store(u, u > 0, omega),
        kernels.complex_multiply_add(z, z, z),
    ]
    for result in results:
        bits.update(result.tobytes())
print(bits.hexdigest())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_a_long_kernel_is_interrupted(kernels: ModuleType) -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "started\n"
            time.sleep(0.3)
            assert child.poll() is None
            child.send_signal(signal.SIGINT)
            # The kernel asks every 50 ms; the rest is for a machine with other work.
            out, _ = child.communicate(timeout=10)
        finally:
            child.kill()
    assert out == "interrupted\n"
    assert child.returncode == 0


def test_other_threads_of_python_run_meanwhile(kernels: ModuleType) -> None:
    zeros = np.zeros(32)
    finished = threading.Event()

    def work() -> None:
        kernels.mandelbrot(zeros, zeros, 400_000, 2.0)
        finished.set()

    thread = threading.Thread(target=work)
    thread.start()
    turns = 0
    while not finished.is_set():
        time.sleep(0.001)
        turns += 1
    thread.join()
    # With the interpreter's lock held this thread would get one turn at the start and one at the end.
    assert turns > 10


def test_the_number_of_threads_changes_no_bit(kernels: ModuleType) -> None:
    def bits(threads: int) -> str:
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        command = [sys.executable, "-c", ALL_RESULTS]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert bits(1) == bits(2) == bits(7) != ""
