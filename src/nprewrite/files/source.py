"""Reading a file: bytes to text and back, without losing a byte.

The encoding is found as Python finds it (byte order mark, PEP 263 cookie, else UTF-8). Line endings
are never translated.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
import tokenize
from dataclasses import dataclass

from nprewrite.files.problems import FileProblem, Problem, system_reason

# Parsing takes up to 300 bytes of memory for each byte of source, and a file this large is generated data.
SIZE_LIMIT = 4 * 1024 * 1024

_LINE_END = re.compile(rb"\r\n|\r|\n")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
)


@dataclass(frozen=True)
class Source:
    """A file's bytes and the text they stand for."""

    data: bytes
    text: str
    encoding: str

    def encode(self, text: str) -> bytes:
        """``text`` in the file's own encoding.

        Raises FileProblem when the encoding lacks a character, or does not give the file's own bytes back,
        so that untouched lines would change.
        """
        try:
            kept = self.text.encode(self.encoding) == self.data
            encoded = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            character = ascii(error.object[error.start])
            raise FileProblem(Problem(f"{character} has no place in {self._encoding_advice}")) from error
        if not kept:
            raise FileProblem(
                Problem(f"untouched lines cannot be kept as they are in {self._encoding_advice}")
            )
        return encoded

    @property
    def _encoding_advice(self) -> str:
        return f"the file's encoding {self.encoding}; save the file as UTF-8 first"


def kind(mode: int) -> str | None:
    """What something other than a regular file is, in words; None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    return next((name for test, name in _KINDS if test(mode)), "not a regular file")


def read_file(path: str) -> bytes:
    """The bytes of a regular file. Raises FileProblem."""
    try:
        # Checked before opening: opening a pipe waits for a writer, opening a device may act on it.
        strange = kind(os.stat(path).st_mode)
        if strange:
            raise FileProblem(Problem(f"this is {strange}, not a Python file"))
        with open(path, "rb") as file:
            return limited(file.read(SIZE_LIMIT + 1))
    except FileNotFoundError as error:
        raise FileProblem(Problem("no such file or directory")) from error
    except OSError as error:
        raise FileProblem(Problem(f"the file cannot be read: {system_reason(error)}")) from error


def read_standard_input() -> bytes:
    """The bytes of standard input. Raises FileProblem."""
    if sys.stdin is None:
        raise FileProblem(Problem("standard input is closed"))
    try:
        return limited(sys.stdin.buffer.read(SIZE_LIMIT + 1))
    except OSError as error:
        raise FileProblem(Problem(f"standard input cannot be read: {system_reason(error)}")) from error


def limited(data: bytes) -> bytes:
    """``data``, unless it is more than nprewrite reads. Raises FileProblem."""
    if len(data) > SIZE_LIMIT:
        size = f"{SIZE_LIMIT // 2**20} MB"
        raise FileProblem(
            Problem(f"the file is larger than {size}, the most that nprewrite reads; split the file")
        )
    return data


def decode(data: bytes) -> Source:
    """Decode a module as Python would. Raises FileProblem with the line at fault."""
    encoding = _detect(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileProblem(_undecodable(error, encoding)) from error
    except (LookupError, UnicodeError) as error:
        message = f"the encoding declaration names {encoding}, which is not a text encoding"
        raise FileProblem(Problem(message, _cookie_line(data))) from error
    position = text.find("\0")
    if position >= 0:
        line = _line_after(text[:position].encode("utf-8", "surrogatepass"))
        raise FileProblem(Problem("the file holds a NUL byte, so it is not Python source", line))
    return Source(data, text, encoding)


def _detect(data: bytes) -> str:
    lines = iter(data.splitlines(keepends=True)[:2])
    try:
        return tokenize.detect_encoding(lines.__next__)[0]
    except SyntaxError as error:
        _require_utf8_head(data)
        message = _declaration_fault(data, error)
        raise FileProblem(Problem(message, _cookie_line(data))) from error


def _require_utf8_head(data: bytes) -> None:
    """Raise FileProblem if the encoding was not detected because of a byte in the first two lines."""
    head = b"".join(data.splitlines(keepends=True)[:2])
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileProblem(_undecodable(error, "utf-8")) from error


def _undecodable(error: UnicodeDecodeError, encoding: str) -> Problem:
    data, byte = error.object, error.object[error.start]
    line = _line_after(data[: error.start])
    if data.startswith(_UTF16_MARKS):
        return Problem("the file is UTF-16, which Python does not read; save it as UTF-8", line)
    if encoding.startswith("utf-8"):
        return Problem(
            f"the file is not valid UTF-8 (byte 0x{byte:02x}); save it as UTF-8, or name its encoding on "
            "the first line, as in '# coding: latin-1'",
            line,
        )
    return Problem(
        f"the file is not valid {encoding}, the encoding that it declares (byte 0x{byte:02x})", line
    )


def _line_after(head: bytes) -> int:
    return len(_LINE_END.findall(head)) + 1


def _declaration_fault(data: bytes, error: SyntaxError) -> str:
    if data.startswith(codecs.BOM_UTF8):
        return "the file starts with a UTF-8 byte order mark but declares another encoding"
    return f"the encoding declaration cannot be used: {error.msg}"


def _cookie_line(data: bytes) -> int:
    first = data.splitlines()[0]
    return 1 if b"coding" in first else 2
