"""Writing: what hangs on a file survives, and at no moment is it half written."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from conftest import Run, line_rewriter

from nprewrite.cli import main
from nprewrite.engine.outcomes import Options, Rewriting
from nprewrite.files import atomic
from nprewrite.files.atomic import write_file
from nprewrite.files.problems import FileProblem

pytestmark = pytest.mark.usefixtures("rewriter")

OLD = b"old()\n"
NEW = b"new()\n"


@pytest.fixture
def file(work: Path) -> Path:
    path = work / "a.py"
    path.write_bytes(OLD)
    path.chmod(0o640)
    return path


def test_a_link_stays_and_its_target_is_replaced(work: Path, run: Run) -> None:
    (work / "real").mkdir()
    (work / "real" / "a.py").write_bytes(OLD)
    (work / "link.py").symlink_to("real/a.py")
    (work / "second.py").symlink_to("link.py")
    assert run("second.py").code == 0
    assert os.readlink(work / "second.py") == "link.py"
    assert os.readlink(work / "link.py") == "real/a.py"
    assert (work / "real" / "a.py").read_bytes() == NEW
    assert sorted(os.listdir(work)) == ["link.py", "real", "second.py"]
    assert os.listdir(work / "real") == ["a.py"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664, 0o777, 0o2755])
def test_the_mode_stays(file: Path, run: Run, mode: int) -> None:
    file.chmod(mode)
    assert run("a.py").code == 0
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert file.read_bytes() == NEW


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_the_owner_stays(file: Path, run: Run) -> None:
    os.chown(file, 1234, 5678)
    file.chmod(0o4755)
    assert run("a.py").code == 0
    status = file.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (1234, 5678, 0o4755)


@pytest.mark.skipif(sys.platform != "linux", reason="extended attributes as on Linux")
def test_extended_attributes_stay(file: Path, run: Run) -> None:
    try:
        os.setxattr(file, "user.origin", b"kept")
    except OSError as error:
        pytest.skip(f"this file system has no extended attributes: {error}")
    assert run("a.py").code == 0
    assert os.getxattr(file, "user.origin") == b"kept"


def test_hard_links_are_refused(file: Path, work: Path, run: Run) -> None:
    os.link(file, work / "b.py")
    ran = run("a.py")
    assert ran.code == 2
    assert ran.err == (
        "a.py: error: the file has 2 hard links, and replacing it would separate them; "
        "write elsewhere with -o, or make it a file of its own first\n"
    )
    assert os.path.samefile("a.py", "b.py")
    assert file.read_bytes() == OLD


def test_a_read_only_file_is_refused(file: Path, run: Run) -> None:
    file.chmod(0o444)
    ran = run("a.py")
    assert ran.code == 2
    assert ran.err == "a.py: error: the file is read-only (mode 0444); make it writable first\n"
    assert file.read_bytes() == OLD
    assert run("--check", "a.py").code == 1


def _as_ordinary_user(work: Path, *arguments: str) -> int:
    """The exit status of the command line run by a user whom permissions bind."""
    if os.geteuid() != 0:
        return main(arguments)
    for parent in (work, *work.parents[:2]):
        parent.chmod(parent.stat().st_mode | 0o011)
    child = os.fork()
    if child == 0:
        os.setgid(65534)
        os.setuid(65534)
        os._exit(main(arguments))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_what_permissions_forbid(file: Path, work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("secret.py", "closed/a.py"):
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_bytes(OLD)
    file.chmod(0o666)
    (work / "secret.py").chmod(0o000)
    (work / "closed" / "a.py").chmod(0o666)
    (work / "closed").chmod(0o555)
    work.chmod(0o755)
    code = _as_ordinary_user(work, "secret.py", "closed/a.py")
    (work / "closed").chmod(0o755)
    (work / "secret.py").chmod(0o644)
    assert code == 2
    assert capfd.readouterr().err.splitlines() == [
        "secret.py: error: the file cannot be read: permission denied",
        "closed/a.py: error: the file cannot be written: permission denied",
    ]
    assert (work / "secret.py").read_bytes() == (work / "closed" / "a.py").read_bytes() == OLD
    assert os.listdir(work / "closed") == ["a.py"]


def _meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let something happen to the file while the rewriter is at work."""

    def rewrite(text: str, filename: str, options: Options) -> Rewriting:
        act()
        return line_rewriter(text, filename, options)

    monkeypatch.setattr("nprewrite.engine.pipeline.rewrite_source", rewrite)


def test_a_file_that_changes_meanwhile_is_kept(file: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _meanwhile(monkeypatch, lambda: file.write_bytes(b"mine\n"))
    ran = run("a.py")
    assert ran.code == 2
    assert ran.err.startswith(
        "a.py: error: the file changed on disk while it was being rewritten; it was left"
    )
    assert file.read_bytes() == b"mine\n"
    assert os.listdir(file.parent) == ["a.py"]


def test_a_file_that_is_removed_meanwhile_is_not_brought_back(
    file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _meanwhile(monkeypatch, file.unlink)
    ran = run("a.py")
    assert ran.code == 2
    assert ran.err == "a.py: error: the file was removed while it was being rewritten; nothing was written\n"
    assert os.listdir(file.parent) == []


def test_a_change_while_the_new_bytes_are_written(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        file.write_bytes(b"my()()\n"[:6])
        os.utime(file, ns=(0, 0))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(FileProblem, match="changed on disk"):
        write_file("a.py", NEW, expected=OLD)
    assert file.read_bytes() == b"my()()"
    assert os.listdir(file.parent) == ["a.py"]


STEPS = ("open", "fsync", "fstat", "fchmod", "replace", "stat", "access", "listxattr")


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    "fault",
    [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()],
    ids=["full", "interrupt"],
)
@pytest.mark.parametrize("step", STEPS)
def test_a_fault_at_any_system_call(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str, fault: BaseException, after: bool
) -> None:
    """Whatever call fails, before or after it did its work: old bytes or new ones, nothing left over."""
    real = getattr(os, step)
    met: list[str] = []

    def failing(*arguments: object, **keywords: object) -> object:
        met.append(step)
        if after:
            real(*arguments, **keywords)
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(os, step, failing)
        try:
            write_file("a.py", NEW, expected=OLD)
            failed = False
        except (FileProblem, KeyboardInterrupt):
            failed = True
    assert met
    published = file.read_bytes() == NEW
    assert published or file.read_bytes() == OLD
    assert published or failed
    assert os.listdir(file.parent) == ["a.py"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_an_interrupt_at_any_line(file: Path) -> None:
    """An interrupt is raised before every line that writing a file runs, one after the other."""
    position, outcomes = 0, []
    while True:
        file.write_bytes(OLD)
        interrupted = _interrupt_at(position)
        assert os.listdir(file.parent) == ["a.py"]
        assert file.read_bytes() in ((OLD, NEW) if interrupted else (NEW,))
        outcomes.append(file.read_bytes())
        if not interrupted:
            break
        position += 1
    assert position > 25
    assert outcomes.count(NEW) < position


def _interrupt_at(position: int) -> bool:
    """Write the file with an interrupt before the line number ``position``; whether there was such a line."""
    # In a process of its own: an exception out of a trace function can leave the interpreter's state askew.
    child = os.fork()
    if child == 0:
        os._exit(_write_with_interrupt(position))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 130)
    return code == 130


def _write_with_interrupt(position: int) -> int:
    count = 0

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename != atomic.__file__:
            return None
        if event == "line":
            count += 1
            if count == position + 1:
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        write_file("a.py", NEW, expected=OLD)
    except KeyboardInterrupt:
        return 130
    except BaseException:  # noqa: BLE001 - the parent has to hear of it
        return 1
    return 0


FULL_DISK = """
import resource, sys
from nprewrite.files.atomic import write_file
from nprewrite.files.problems import FileProblem
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_file("a.py", b"x" * 100_000, expected=b"old()\\n")
except FileProblem as error:
    sys.exit(str(error))
"""


def test_a_write_that_the_system_cuts_short(file: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", FULL_DISK], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "the file cannot be written: file too large\n"
    assert file.read_bytes() == OLD
    assert os.listdir(file.parent) == ["a.py"]


STUCK = """
import os, sys, time
from nprewrite.cli import main
from nprewrite.engine import pipeline
from nprewrite.engine.outcomes import Rewriting
pipeline.rewrite_source = lambda text, filename, options: Rewriting(text, "new()\\n")
def fsync(descriptor):
    print("writing", flush=True)
    time.sleep(60)
os.fsync = fsync
sys.exit(main(["a.py"]))
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=str
)
def test_a_signal_in_the_middle(file: Path, number: int, code: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "writing\n"
        assert len(os.listdir(file.parent)) == 2
        process.send_signal(number)
        assert process.wait(20) == code
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
    assert file.read_bytes() == OLD
    assert os.listdir(file.parent) == ["a.py"]


def test_the_last_name_that_fits(work: Path, run: Run) -> None:
    name = "a" * 252 + ".py"
    (work / name).write_bytes(OLD)
    assert run(name).code == 0
    assert (work / name).read_bytes() == NEW


def test_a_reader_never_sees_half_a_file(work: Path) -> None:
    """Another process reads all the while."""
    old, new = b"a" * 3_000_000, b"b" * 2_000_000
    (work / "a.py").write_bytes(old)
    child = os.fork()
    if child == 0:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            data = (work / "a.py").read_bytes()
            if data == new:
                os._exit(0)
            if data != old:
                os._exit(1)
        os._exit(2)
    write_file("a.py", new, expected=old)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_tests_of_ctrl_c_run_where_it_is_ignored() -> None:
    """As in what ``nohup`` and some CI start."""
    itself = f"{__file__}::test_a_signal_in_the_middle"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", itself],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
