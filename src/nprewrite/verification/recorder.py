"""The process that runs the user's own program once and records the calls of the functions to compare.

Arguments are copied before each call.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import pickle
import sys
import types
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nprewrite.verification.labels import shortened
from nprewrite.verification.messages import private_channel
from nprewrite.verification.recording import NOT_COPIED, Call, copied, save
from nprewrite.verification.script import Script, enter
from nprewrite.verification.wrapping import run_wrapped

CALLS = 20
"""How many calls of one function are recorded."""
BYTES = 256 << 20
"""How many bytes all recorded calls may take."""
NOTES = "notes.json"


@dataclass(frozen=True)
class Order:
    """What to run, the file and the functions whose calls to record, and where to put them."""

    script: Script
    path: str
    functions: tuple[str, ...]
    folder: str


class Recorder:
    """Keeps the calls, bounded in number and in bytes, and counts what it leaves out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()
        self._seen: set[bytes] = set()
        self._bytes = 0

    def note(self, call: Call) -> None:
        """Keep one call, before it is made."""
        if self._kept[call.function] >= CALLS:
            self._left_out[f"calls of {call.function} after the first {CALLS}"] += 1
            return
        try:
            data = copied(call)
        except NOT_COPIED as error:
            why = shortened(f"{type(error).__name__}: {error}")
            self._left_out[f"calls of {call.function} whose arguments cannot be copied ({why})"] += 1
            return
        digest = hashlib.sha256(data).digest()
        if digest in self._seen:
            self._left_out[f"calls of {call.function} with the same arguments as another"] += 1
            return
        if self._bytes + len(data) > BYTES:
            self._left_out[f"calls of {call.function} beyond {BYTES >> 20} MiB of arguments"] += 1
            return
        self._seen.add(digest)
        self._bytes += len(data)
        self._kept[call.function] += 1
        save(self._folder, self._kept.total(), data)

    def write_notes(self) -> None:
        """Note for the report what was left out."""
        notes = [f"left out: {count} {what}" for what, count in self._left_out.items()]
        (self._folder / NOTES).write_text(json.dumps(notes), encoding="utf-8")


class Recorded:
    """A function, or what its decorators made of it, whose calls are recorded; all else is forwarded."""

    def __init__(self, function: Callable[..., Any], name: str, recorder: Recorder) -> None:
        self.__wrapped__ = function
        self.__doc__ = function.__doc__
        self._name = name
        self._recorder = recorder

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._recorder.note(Call(self._name, self.__wrapped__.__module__, args, kwargs))
        return self.__wrapped__(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__wrapped__, name)

    def __reduce__(self) -> str:
        """Pickled by name, as functions are."""
        return self._name


def main(order_path: str) -> None:
    """Run the program; this process ends as the program's own would have."""
    private_channel()
    order: Order = pickle.loads(Path(order_path).read_bytes())
    recorder = Recorder(Path(order.folder))
    atexit.register(recorder.write_notes)

    def record(_path: str, name: str, function: Callable[..., Any]) -> Recorded:
        return Recorded(function, name, recorder)

    enter(order.script)
    run_wrapped(order.script, {order.path: order.functions}, record)


if __name__ == "__main__":
    main(sys.argv[1])
