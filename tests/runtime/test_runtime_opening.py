"""Torch's library is opened ahead, by a thread that no call waits for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import deque
from pathlib import Path

import pytest

from nprewrite.runtime.api.refusal import Compilation, Compiling
from nprewrite.runtime.choosing import waiting
from nprewrite.runtime.torch import artifacts, compiler, package
from nprewrite.runtime.torch.jobs import Done, TooLong

SLOW_TO_OPEN = r"""
#include <stdlib.h>
#include <unistd.h>
static int opened = 0;
__attribute__((constructor)) static void wait_for_a_byte(void) {
    char byte;
    opened = read(atoi(getenv("WAITS_FOR")), &byte, 1) == 1;
}
int is_opened(void) { return opened; }
"""

OPENED_IN_A_THREAD = """
import ctypes, os, sys, threading, time
from pathlib import Path

from nprewrite.runtime.torch import package

library = Path(sys.argv[1])
waits_for, tells = os.pipe()
os.environ["WAITS_FOR"] = str(waits_for)
thread = threading.Thread(target=package._open_globally, args=(library,))
thread.start()
while str(library) not in Path("/proc/self/maps").read_text():
    time.sleep(0.001)
assert thread.is_alive()
print("other threads run meanwhile")
threading.Timer(0.2, os.write, (tells, b".")).start()
child = os.fork()
if not child:
    os._exit(0 if ctypes.CDLL(str(library)).is_opened() else 3)
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0
print("a fork has the whole library")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_other_threads_run_while_a_library_is_opened_and_forks_wait(tmp_path: Path) -> None:
    source, library = tmp_path / "slow.c", tmp_path / "slow.so"
    source.write_text(SLOW_TO_OPEN)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    # With the interpreter's lock held while it opens, nobody would write the byte that it waits for.
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", OPENED_IN_A_THREAD, str(library)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["other threads run meanwhile", "a fork has the whole library"]


ENDED_MEANWHILE = """
import ctypes, os, sys, threading, time
from pathlib import Path

from nprewrite.runtime.torch import package

library = Path(sys.argv[1])
waits_for, tells = os.pipe()
os.environ["WAITS_FOR"] = str(waits_for)
threading.Thread(target=package._open_globally, args=(library,), daemon=True).start()
while str(library) not in Path("/proc/self/maps").read_text():
    time.sleep(0.001)
later = threading.Timer(0.2, lambda: (os.write(1, b"opened, "), os.write(tells, b".")))
later.daemon = True
later.start()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_program_ends_when_a_library_is_open(tmp_path: Path) -> None:
    source, library = tmp_path / "slow.c", tmp_path / "slow.so"
    ends = '__attribute__((destructor)) static void end(void) { write(1, "ended", 5); }'
    source.write_text(f"{SLOW_TO_OPEN}{ends}")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    done = subprocess.run(
        [sys.executable, "-c", ENDED_MEANWHILE, str(library)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "opened, ended")


@pytest.mark.parametrize("needed", [True, False])
def test_a_package_is_found_when_its_libraries_are_open(
    needed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps({"torch_library": needed}))
    begun = compiler._UnderWay(str(path), 1)
    over: list[bool] = []
    monkeypatch.setattr(package, "open_torch_library", lambda: over.append(begun.over))
    compiler._Background()._hear(deque([begun]), Done(0.0, 0.0))
    assert over == [False] * needed
    assert begun.over


@pytest.mark.parametrize("text", [None, "{", '{"library": ""}'])
def test_what_is_not_a_package_is_left_to_the_call_that_loads_it(text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    if text is not None:
        path.write_text(text)
    begun = compiler._UnderWay(str(path), 1)
    compiler._Background()._hear(deque([begun]), Done(0.0, 0.0))
    assert begun.over


def test_nothing_is_opened_for_what_was_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "open_ahead", lambda _: pytest.fail("opened"))
    for answer in (TooLong(1.0), None):
        begun = compiler._UnderWay(os.devnull, 1)
        compiler._Background()._hear(deque([begun]), answer)
        assert begun.over


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("may_be", [True, False])
@pytest.mark.parametrize("needed", [True, False])
def test_a_step_that_may_be_put_off_does_not_wait(
    needed: bool, may_be: bool, waits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, begun = tmp_path / "graph.json", Compilation()
    path.write_text(json.dumps({"torch_library": needed}))
    monkeypatch.setenv("NPREWRITE_WAIT", str(int(waits)))
    waiting.step_asks.set(False)
    monkeypatch.setattr(package, "_opening", lambda: begun)
    loaded: list[Path] = []
    monkeypatch.setattr(artifacts, "_loaded", loaded.append)
    with waiting.putting_off(may_be):
        if needed and may_be and not waits:
            with pytest.raises(Compiling) as raised:
                artifacts._opened(path)
            assert raised.value.compilation is begun
            begun.over = True
        artifacts._opened(path)
    assert loaded == [path]


OPENED_MEANWHILE = """
import os, time
from nprewrite.runtime.torch import package

begun = package._Opening()
child = os.fork()
if not child:
    os._exit(0 if begun.over else 3)
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0 and begun.over
"""


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_a_fork_has_what_was_being_opened() -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", OPENED_MEANWHILE], check=False, timeout=60)
    assert done.returncode == 0
