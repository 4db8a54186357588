"""An import under way when a signal handler raises goes on to its end, and nobody sees it before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from nprewrite.runtime.api.importing import import_whole, imported

# Goes on only when Ctrl-C has reached the function that waits for this import, however busy the machine is.
# The signal is sent again while it has not arrived: Python loses one that comes just before a lock is taken.
SLOW = """
import signal, sys, threading, time
from nprewrite.runtime.api.importing import do_whole
main = threading.main_thread().ident
frame = sys._current_frames()[main]
while frame.f_code is not do_whole.__code__:
    frame = frame.f_back
while not frame.f_locals["interrupted"].is_set():
    if not signal.getsignal(signal.SIGINT).arrived:
        signal.pthread_kill(main, signal.SIGINT)
    time.sleep(0.01)
whole = True
"""


class CtrlCOnce:
    """A handler that raises for the first signal alone."""

    arrived = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if not self.arrived:
            self.arrived = True
            raise KeyboardInterrupt


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def ctrl_c_once() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, CtrlCOnce())
    yield
    signal.signal(signal.SIGINT, before)


def forget(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Take modules out again when the test is over."""
    for name in names:
        monkeypatch.setitem(sys.modules, name, sys)
        del sys.modules[name]


@pytest.mark.usefixtures("ctrl_c_once")
def test_an_interrupted_import_is_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "slow_one.py").write_text(SLOW)
    (folder / "second_one.py").write_text("")
    forget(monkeypatch, "slow_one", "second_one")
    with pytest.raises(KeyboardInterrupt):
        import_whole("slow_one", "second_one")
    assert sys.modules["slow_one"].whole
    assert imported("second_one") is None
    import_whole("slow_one", "second_one")
    assert imported("second_one") is not None


def test_errors_are_those_of_the_import(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "wrong_one.py").write_text("1 / 0")
    forget(monkeypatch, "wrong_one")
    with pytest.raises(ZeroDivisionError):
        import_whole("wrong_one")
    with pytest.raises(ModuleNotFoundError):
        import_whole("not_there_at_all")


def test_a_module_under_way_is_not_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "waited_for.py").write_text(
        "import threading\nstarted, go_on = [threading.Event() for _ in 'ab']\n"
    )
    (folder / "under_way.py").write_text("from waited_for import *\nstarted.set()\ngo_on.wait()\n")
    forget(monkeypatch, "under_way", "waited_for")
    import waited_for  # type: ignore[import-not-found]

    thread = threading.Thread(target=import_whole, args=["under_way"])
    thread.start()
    waited_for.started.wait()
    assert "under_way" in sys.modules
    assert imported("under_way") is None
    waited_for.go_on.set()
    thread.join()
    assert imported("under_way") is sys.modules["under_way"]


def test_no_threads_at_the_end(folder: Path) -> None:
    """Python 3.12 and later start none in functions that run at exit."""
    (folder / "late_one.py").write_text("print('late')")
    program = "import atexit\nfrom nprewrite.runtime.api.importing import import_whole\n"
    program += "atexit.register(import_whole, 'late_one')\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("late\n", "")


PROGRAM = """
import os, signal, sys, threading, time
import numpy as np
import nprewrite.runtime as npr

@npr.step(constants={"a": "float64"}, state={"x": "float64"}, compile=True)
def decay(a, x):
    # Eigenvalues are torch's own.
    return (x * a + 0.0 * np.linalg.eigvalsh(x[:2, None] * x[:2])[0],)

def run(x):
    for n in decay.over(range(100), a=0.5, x=x):
        x[...] = x * 0.5
    return x

def interrupt():
    while "MODULE" not in sys.modules:
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    run(np.ones(100_000))
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(np.array_equal(run(np.ones(100_000)), np.full(100_000, 0.5**100)), dict(decay.runs))
"""


@pytest.mark.parametrize("module", ["torch", "torch._ops"])
def test_a_program_goes_on_after_ctrl_c(tmp_path: Path, module: str) -> None:
    """A second import of torch in one process fails or crashes where the first was broken off."""
    pytest.importorskip("torch")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("MODULE", module)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "interrupted\nTrue {'compiled': 1}\n"
