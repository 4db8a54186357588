"""Reading: encodings, line endings, and everything that is not a Python file."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from conftest import Run

from nprewrite.files.problems import FileProblem
from nprewrite.files.source import SIZE_LIMIT, decode

pytestmark = pytest.mark.usefixtures("rewriter")


@pytest.mark.parametrize(
    "data",
    [
        b"old()",
        b"old()\n",
        b"old()\r\n# a\r\n",
        b"old()\r# a\r",
        b"old()\n# a\r\n# b\r# c\n\r",
        b"\x0cold()\n\x0c\n",
        b"# \xc2\x85\xe2\x80\xa8\x1c\x0b\nold()\n",
        b"\xef\xbb\xbfold()\n",
        b"\xef\xbb\xbf# coding: utf-8\r\nold()\r\n",
        b"# -*- coding: latin-1 -*-\ns = '\xe9'\nold()\n",
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\ns = '\x80'\nold()\n",
        b"# coding: latin-1\rs = '\xe9'\rold()\r",
        "# coding: euc-jp\ns = '日本'\nold()\n".encode("euc-jp"),
        "s = '日本'\nold()\n".encode(),
    ],
)
def test_all_other_bytes_survive(work: Path, run: Run, data: bytes) -> None:
    (work / "a.py").write_bytes(data)
    assert run("a.py").code == 0
    assert (work / "a.py").read_bytes() == data.replace(b"old()", b"new()")


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (
            b"x = 1\ny = '\xe9'\n",
            "a.py:2",
            "the file is not valid UTF-8 (byte 0xe9); save it as UTF-8, or name its",
        ),
        (b"x\ry\r\nz\nw = '\xff'\n", "a.py:4", "the file is not valid UTF-8 (byte 0xff)"),
        (b"s = '\xe9'\n# coding: nonsense\n", "a.py:1", "the file is not valid UTF-8 (byte 0xe9)"),
        (b"\xef\xbb\xbfx = 1\ny = '\xe9'\n", "a.py:2", "the file is not valid UTF-8 (byte 0xe9)"),
        (
            "x = 1\n".encode("utf-16"),
            "a.py:1",
            "the file is UTF-16, which Python does not read; save it as UTF-8",
        ),
        (
            b"# coding: ascii\n\ns = '\xe9'\n",
            "a.py:3",
            "the file is not valid ascii, the encoding that it declares",
        ),
        (
            b"# coding: nonsense\n",
            "a.py:1",
            "the encoding declaration cannot be used: unknown encoding: nonsense",
        ),
        (
            b"\n# coding: nonsense\n",
            "a.py:2",
            "the encoding declaration cannot be used: unknown encoding: nonsense",
        ),
        (
            b"# coding: rot13\nbyq()\n",
            "a.py:1",
            "the encoding declaration names rot13, which is not a text encoding",
        ),
        (
            b"#!x\n# coding: base64\n",
            "a.py:2",
            "the encoding declaration names base64, which is not a text encoding",
        ),
        (
            b"# coding: undefined\n",
            "a.py:1",
            "the encoding declaration names undefined, which is not a text encoding",
        ),
        (
            b"\xef\xbb\xbf# coding: latin-1\n",
            "a.py:1",
            "the file starts with a UTF-8 byte order mark but declares",
        ),
        (b"x = 1\n\ny = '\0'\n", "a.py:3", "the file holds a NUL byte, so it is not Python source"),
        (b"x = (1,\ny = 2\n", "a.py:1:5", "'(' was never closed"),
        (
            b"x = 1\nprint 'a'\n",
            "a.py:2:1",
            "Missing parentheses in call to 'print'. Did you mean print(...)? (this l",
        ),
        (
            b"try:\n    x\nexcept A, e:\n    y\n",
            "a.py:3:8",
            "multiple exception types must be parenthesized (this ",
        ),
        (b"x = 0777\n", "a.py:1:5", "leading zeros in decimal integer literals are not permitted"),
    ],
)
def test_what_is_not_python_is_named_with_its_place(
    work: Path, run: Run, data: bytes, place: str, message: str
) -> None:
    (work / "a.py").write_bytes(data)
    (work / "b.py").write_text("old()\n")
    ran = run("a.py", "b.py")
    assert ran.code == 2
    assert ran.err.startswith(f"{place}: error: {message}")
    assert ran.err.count("\n") == 1
    assert (work / "a.py").read_bytes() == data
    assert (work / "b.py").read_text() == "new()\n"


def test_the_hint_on_python_2(work: Path, run: Run) -> None:
    (work / "a.py").write_text("print 'a'\n")
    assert "(this looks like Python 2, which has to be converted to Python 3 first)" in run("a.py").err


def test_a_text_that_does_not_fit_the_encoding(work: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from nprewrite.engine.outcomes import Options, Rewriting

    def rewrite(text: str, filename: str, options: Options) -> Rewriting:
        return Rewriting(text, text + "# 日\n")

    monkeypatch.setattr("nprewrite.engine.pipeline.rewrite_source", rewrite)
    data = b"# coding: latin-1\ns = '\xe9'\n"
    (work / "a.py").write_bytes(data)
    ran = run("a.py")
    assert ran.code == 2
    assert "'\\u65e5' has no place in the file's encoding iso-8859-1; save the file as UTF-8 first" in ran.err
    assert (work / "a.py").read_bytes() == data


def test_an_encoding_that_does_not_keep_bytes() -> None:
    """UTF-7 writes ``<`` bare or encoded; what is read cannot be written back as it was."""
    source = decode(b"# coding: utf-7\nx = 1 +ADw- 2\n")
    assert source.text.endswith("x = 1 < 2\n")
    with pytest.raises(
        FileProblem, match="untouched lines cannot be kept as they are in the file's encoding utf-7"
    ):
        source.encode(source.text + "y\n")


def test_things_that_are_no_files(work: Path, run: Run) -> None:
    (work / "a.py").write_text("old()\n")
    os.mkfifo(work / "pipe.py")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")
        ran = run("pipe.py", "socket.py", "/dev/zero", "gone.py", "a.py/b.py", "a.py")
    assert ran.code == 2
    assert ran.err.splitlines() == [
        "pipe.py: error: this is a named pipe, not a Python file",
        "socket.py: error: this is a socket, not a Python file",
        "/dev/zero: error: this is a character device, not a Python file",
        "gone.py: error: no such file or directory",
        "a.py/b.py: error: the file cannot be read: not a directory",
    ]
    assert (work / "a.py").read_text() == "new()\n"


def test_a_link_to_itself(work: Path, run: Run) -> None:
    (work / "a.py").symlink_to("a.py")
    ran = run("a.py")
    assert ran.code == 2
    assert ran.err.startswith("a.py: error: the file cannot be read: too many levels of symbolic links")


def test_a_directory_where_one_file_is_wanted(work: Path, run: Run) -> None:
    (work / "folder").mkdir()
    ran = run("folder", "-o", "b.py")
    assert ran.code == 2
    assert ran.err == "folder: error: this is a directory, not a Python file\n"


def test_a_huge_file_is_refused_without_reading_it_all(work: Path, run: Run) -> None:
    with open(work / "a.py", "wb") as file:
        file.truncate(50 * 2**20)
    ran = run("a.py")
    assert ran.code == 2
    assert (
        ran.err
        == "a.py: error: the file is larger than 4 MB, the most that nprewrite reads; split the file\n"
    )


def test_the_largest_file(work: Path, run: Run) -> None:
    data = b"old()\n" + b"#" * (SIZE_LIMIT - 7) + b"\n"
    (work / "a.py").write_bytes(data)
    assert run("a.py").code == 0
    assert (work / "a.py").read_bytes() == b"new" + data[3:]


def test_an_empty_file(work: Path, run: Run) -> None:
    (work / "a.py").write_bytes(b"")
    assert run("a.py").code == 0
    assert (work / "a.py").read_bytes() == b""
