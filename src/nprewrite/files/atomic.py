"""Writing a file so that it always holds the old bytes or the new ones, never a mixture.

The new bytes go to a temporary file in the same directory, reach the disk, and take the old file's
place in one step. What hangs on the old file is kept: a symbolic link stays (its target is replaced),
mode, extended attributes and, where permitted, the owner are carried over. A file with several hard links is
refused: replacing it would break the links, and writing into it could leave half a file.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys

from nprewrite.files.problems import FileProblem, Problem, system_reason
from nprewrite.files.source import kind

_CHANGED = (
    "the file changed on disk while it was being rewritten; it was left as it is now, run nprewrite again"
)
_ANY_WRITER = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def write_file(path: str, data: bytes, *, expected: bytes | None = None, mode: int = 0o666) -> None:
    """Give the file ``path`` the contents ``data``.

    With ``expected`` the file must still hold those bytes. ``mode`` is the mode of a new file, before
    the umask; a file that exists keeps its own. Raises FileProblem, the file then holds its old bytes.
    """
    target = os.path.realpath(path)
    try:
        old = _inspect(target)
        if expected is not None:
            _require_contents(target, old, expected)
        _replace(target, data, old, mode)
    except OSError as error:
        raise FileProblem(Problem(f"the file cannot be written: {system_reason(error)}")) from error


def _inspect(target: str) -> os.stat_result | None:
    """The state of the file that would be replaced, None when there is none. Raises FileProblem."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return None
    strange = kind(old.st_mode)
    if strange:
        raise FileProblem(Problem(f"the file cannot be written: it is {strange}"))
    if old.st_nlink > 1:
        raise FileProblem(
            Problem(
                f"the file has {old.st_nlink} hard links, and replacing it would separate them; "
                "write elsewhere with -o, or make it a file of its own first"
            )
        )
    # The directory decides whether a file can be replaced, so the file's own wish has to be asked for.
    if not old.st_mode & _ANY_WRITER or not os.access(target, os.W_OK):
        raise FileProblem(
            Problem(f"the file is read-only (mode {stat.S_IMODE(old.st_mode):04o}); make it writable first")
        )
    return old


def _require_contents(target: str, old: os.stat_result | None, expected: bytes) -> None:
    if old is None:
        raise FileProblem(Problem("the file was removed while it was being rewritten; nothing was written"))
    with open(target, "rb") as file:
        if file.read(len(expected) + 1) != expected:
            raise FileProblem(Problem(_CHANGED))


def _replace(target: str, data: bytes, old: os.stat_result | None, mode: int) -> None:
    directory = os.path.dirname(target)
    temporary = os.path.join(directory, f".nprewrite-{os.urandom(8).hex()}.tmp")
    try:
        _fill(temporary, target, data, old, mode)
        _require_state(target, old)
        os.replace(temporary, target)
    finally:
        # The name is gone once the file has taken the target's place.
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    _sync_directory(directory)


def _fill(temporary: str, target: str, data: bytes, old: os.stat_result | None, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o600 if old else mode)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        if old:
            _copy_metadata(target, descriptor, old)
        os.fsync(descriptor)


def _copy_metadata(target: str, descriptor: int, old: os.stat_result) -> None:
    """Owner first, since a change of owner clears mode bits; then attributes and access lists; then mode."""
    if sys.platform == "win32":
        return
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, -1, old.st_gid)
        with contextlib.suppress(OSError):
            os.fchown(descriptor, old.st_uid, -1)
    _copy_attributes(target, descriptor)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _copy_attributes(target: str, descriptor: int) -> None:
    """Copy extended attributes, but for those that only the system may set."""
    if sys.platform != "linux":
        return
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = os.listxattr(target)
    for name in names:
        with contextlib.suppress(OSError):
            os.setxattr(descriptor, name, os.getxattr(target, name))


def _require_state(target: str, old: os.stat_result | None) -> None:
    """Check right before the replacement that the file is still the one that was compared."""
    try:
        now = os.stat(target)
    except FileNotFoundError:
        now = None
    if _state(now) != _state(old):
        raise FileProblem(Problem(_CHANGED))


def _state(status: os.stat_result | None) -> tuple[int, ...] | None:
    names = ("st_dev", "st_ino", "st_size", "st_mtime_ns", "st_ctime_ns", "st_nlink")
    return None if status is None else tuple(getattr(status, each) for each in names)


def _sync_directory(directory: str) -> None:
    """Make the new name durable where directories can be opened; the contents are whole either way."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
