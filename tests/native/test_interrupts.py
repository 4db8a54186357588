"""Signals while compiled loops run: handlers run between two iterations, and may end the loop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")

CHILD = """
import os, signal, sys, threading, traceback
import numpy as np
from nprewrite.runtime import native

signal.signal(signal.SIGINT, signal.default_int_handler)

{head}

@native
def f(x, n):
{body}

f.waits = False
x = np.zeros({shape})
f(x, 0)
assert f.runs["compiled"] == 1, f.runs
x[:] = 0
# The loop announces itself in memory that both processes see.
shared = np.memmap(sys.argv[1], np.float64, "r+", shape=x.shape).view(np.ndarray)
shared[:] = 0
{call}
"""
RAISES = """
try:
    f(shared, 10**15)
except KeyboardInterrupt as error:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1]
    print(last.name, last.line, error.__context__, shared[1] - shared[2], flush=True)
"""
WHILE = """
    k = 0
    while n > 0:
        k += 1
        x[1] += 1
        x[2] += 1
    return k
"""
RANGE = """
    s = 0.0
    for i in range(n):
        s = s * 0.5 + i
        x[1] += 1
        x[2] += 1
    return s
"""
NESTED = """
    for i in range(n):
        for j in range(7):
            for k in range(j, 20, 3):
                x[1] += 1
                x[2] += 1
"""
LONG_INNER = """
    for i in range(min(n, 3)):
        for j in range(n, 0, -3):
            if x[1] < 0:
                break
            x[1] += 1
            x[2] += 1
        else:
            x[3] = 1
"""
UNKNOWN_STEP = """
    s = int(x[5]) + 1
    for i in range(0, n, s):
        x[1] += 1
        x[2] += 1
"""
SHORT_ROWS = """
    m = int(x[5]) + 5
    for i in range(n):
        for j in range(m):
            for k in range(j, m):
                x[1] += 1
                x[2] += 1
"""
UNKNOWN_ROWS = """
    m = int(x[5]) + 3000
    for i in range(n):
        for j in range(m):
            for k in range(m):
                x[1] += 1
                x[2] += 1
"""
ARRAYS = """
    y = np.zeros(16)
    for i in range(n):
        y = np.sqrt(y * 0.5 + 1.0)
        x[1] += 1
        x[2] += 1
    return y[0]
"""
ZIPPED = """
    while n > 0:
        for a, b in zip(x[8:], x[16:]):
            x[1] += 1 + a * b
            x[2] += 1 + a * b
"""


def _child(
    path: Path,
    body: str,
    call: str,
    numbers: list[int],
    head: str = "",
    shape: tuple[int, ...] = (64,),
    elements: Sequence[int] = (1, 3),
) -> str:
    """What a child prints that gets signals: the first once its loop runs, the next once `x[3]` is set.

    Where ``elements`` are all the same, each signal is for another loop, and what a loop has set is reset.
    """
    script, memory = path / "child.py", path / "shared"
    script.write_text(CHILD.format(head=head, body=body.strip("\n"), call=call, shape=shape))
    memory.write_bytes(bytes(8 * 64))
    deadline = time.monotonic() + 120

    def wait_for(element: int, *, is_zero: bool) -> None:
        while (memory.read_bytes()[8 * element : 8 * element + 8] == bytes(8)) != is_zero:
            if child.poll() is not None or time.monotonic() > deadline:
                return
            time.sleep(0.01)

    environment = {**os.environ, "NPREWRITE_CACHE_DIR": str(path)}
    command = [sys.executable, str(script), str(memory)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            for element, number in zip(elements, numbers, strict=False):
                wait_for(element, is_zero=False)
                child.send_signal(number)
                if elements[0] == elements[1]:
                    wait_for(element, is_zero=True)
            return child.communicate(timeout=120)[0]
        finally:
            child.kill()


BODIES = [
    WHILE,
    RANGE,
    NESTED,
    LONG_INNER,
    UNKNOWN_STEP,
    SHORT_ROWS,
    UNKNOWN_ROWS,
    ARRAYS,
    ZIPPED,
]


def test_ctrl_c_ends_a_loop_between_two_iterations(tmp_path: Path) -> None:
    """One child runs all loops, one after the other: importing and compiling take most of the time."""
    head = "".join(f"@native\ndef f{k}(x, n):{body}" for k, body in enumerate(BODIES))
    call = f"""
for g in ({", ".join(f"f{k}" for k in range(len(BODIES)))}):
    g.waits = False
    g(np.zeros(64), 0)
    assert g.runs["compiled"] == 1, g.runs
    told = "not interrupted"
    try:
        g(shared, 10**15)
    except KeyboardInterrupt as error:
        frames = traceback.extract_tb(error.__traceback__)
        told = f"{{frames[-1].name}}|{{frames[-1].line}}|{{error.__context__}} {{shared[1] - shared[2]}}"
    shared[:] = 0
    print(told, flush=True)
"""
    count = len(BODIES)
    told = _child(tmp_path, WHILE, call, [signal.SIGINT] * count, head, elements=[1] * count)
    assert len(told.splitlines()) == count, told
    for k, (said, body) in enumerate(zip(told.splitlines(), BODIES, strict=True)):
        function, line, rest = said.split("|")
        assert (function, rest) == (f"f{k}", "None 0.0"), said
        assert line in [each.strip() for each in body.splitlines()]
        assert line.startswith(("for", "while"))


def test_ctrl_c_ends_a_loop_that_is_loaded_without_numba(tmp_path: Path) -> None:
    _child(tmp_path, WHILE, RAISES, [signal.SIGINT])
    told = _child(tmp_path, WHILE, RAISES + "    print('numba' in sys.modules)\n", [signal.SIGINT])
    ended, uses_numba = told.splitlines()
    assert ended.endswith("None 0.0"), told
    assert uses_numba == "False"


def test_handlers_of_other_signals_run_meanwhile(tmp_path: Path) -> None:
    head = """
seen = []
signal.signal(signal.SIGUSR1, lambda *_: (seen.append(1), shared.__setitem__(3, 1)))
def end(*_):
    raise SystemExit("the handler's own")
signal.signal(signal.SIGTERM, end)
"""
    call = """
try:
    f(shared, 10**15)
except SystemExit as error:
    frames = traceback.extract_tb(error.__traceback__)
    print(error, len(seen), [each.name for each in frames[-2:]], flush=True)
"""
    told = _child(tmp_path, WHILE, call, [signal.SIGUSR1, signal.SIGTERM], head)
    assert told == "the handler's own 1 ['f', 'end']\n"


def test_a_loop_in_another_thread_leaves_signals_to_the_main_thread(tmp_path: Path) -> None:
    head = """
seen = threading.Event()
signal.signal(signal.SIGUSR1, lambda *_: seen.set())
"""
    call = """
thread = threading.Thread(target=f, args=(shared, 10**8))
thread.start()
thread.join()
print(seen.wait(100), f.runs["compiled"], shared[2], flush=True)
"""
    told = _child(tmp_path, RANGE, call, [signal.SIGUSR1], head)
    assert told == "True 2 100000000.0\n"


def test_a_pass_over_lanes_is_not_left_in_the_middle(tmp_path: Path) -> None:
    body = """
    for j in range(n):
        x[:, j % 8] = x[:, j % 8] + 1.0
        x[:, 7 - j % 8] = x[:, 7 - j % 8] - x[:, j % 8]
"""
    call = """
try:
    f(shared, 10**15)
except KeyboardInterrupt:
    print((shared == shared[:1]).all(), f.runs["compiled"], flush=True)
"""
    head = "from nprewrite.runtime import sweep as native"
    told = _child(tmp_path, body, call, [signal.SIGINT], head, (8, 8))
    assert told == "True 2\n"


def test_attributes_are_what_they_are_when_a_loop_is_left(tmp_path: Path) -> None:
    head = """
from types import SimpleNamespace
@native(sets=("me.count",))
def g(x, n, me):
    for i in range(n):
        me.count += 1
        x[1] += 1
me = SimpleNamespace(count=0)
"""
    call = """
g.waits = False
try:
    g(shared, 10**15, me)
except KeyboardInterrupt:
    print(me.count == shared[1] > 0, g.runs["compiled"], flush=True)
"""
    assert _child(tmp_path, WHILE, call, [signal.SIGINT], head) == "True 1\n"
