"""The process that runs the user's own program once and records the calls of the functions to compare.

The functions are wrapped where their definitions are executed, so that calls in the file itself, in modules
that import it, and in the program's main file are all recorded. Arguments are copied before each call.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import hashlib
import importlib.machinery
import json
import pickle
import sys
import types
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

from nprewrite.files.folders import same_file
from nprewrite.verification.labels import shortened
from nprewrite.verification.messages import private_channel
from nprewrite.verification.recording import NOT_COPIED, Call, copied, save
from nprewrite.verification.script import Script, enter, run

CALLS = 20
"""How many calls of one function are recorded."""
BYTES = 256 << 20
"""How many bytes all recorded calls may take."""
NOTES = "notes.json"

# A name in builtins, so that it is known in every module without changing any.
_DECORATOR = "__nprewrite_record__"


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


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads the user's file with its functions wrapped; its bytecode is neither read nor written."""

    functions: tuple[str, ...] = ()

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        return wrapped_code(self.get_data(path), path, self.functions)


class _Finder(MetaPathFinder):
    def __init__(self, order: Order) -> None:
        self._order = order

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or not same_file(spec.origin, self._order.path):
            return None
        loader = _Loader(fullname, spec.origin)
        loader.functions = self._order.functions
        spec.loader = loader
        return spec


def wrapped_code(source: bytes, path: str, functions: Sequence[str]) -> types.CodeType:
    """The code of the user's file with a decorator above all others on each of the functions."""
    tree = ast.parse(source, path)
    for name in functions:
        for node in _definitions(tree, name):
            decorator: ast.expr = ast.Call(ast.Name(_DECORATOR, ast.Load()), [ast.Constant(name)], [])
            node.decorator_list.insert(0, ast.copy_location(decorator, node))
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


def _definitions(tree: ast.Module, name: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    bodies: list[list[ast.stmt]] = [tree.body]
    *owners, last = name.split(".")
    for owner in owners:
        bodies = [
            node.body
            for body in bodies
            for node in body
            if isinstance(node, ast.ClassDef) and node.name == owner
        ]
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for body in bodies for node in body if isinstance(node, kinds) and node.name == last]


def _run_wrapped(order: Order) -> None:
    """Run the program that is the user's file itself."""
    script = order.script.name
    module = types.ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module
    exec(wrapped_code(Path(script).read_bytes(), script, order.functions), vars(module))


def main(order_path: str) -> None:
    """Run the program; this process ends as the program's own would have."""
    private_channel()
    order: Order = pickle.loads(Path(order_path).read_bytes())
    recorder = Recorder(Path(order.folder))
    atexit.register(recorder.write_notes)

    def record(name: str) -> Callable[[Any], Any]:
        return lambda function: Recorded(function, name, recorder) if _is_plain(function) else function

    setattr(builtins, _DECORATOR, record)
    sys.meta_path.insert(0, _Finder(order))
    enter(order.script)
    if not order.script.is_module and same_file(order.script.name, order.path):
        _run_wrapped(order)
    else:
        run(order.script)


def _is_plain(function: object) -> bool:
    """Whether it is called as a function is, unlike static methods, class methods and properties."""
    return callable(function) and not isinstance(function, staticmethod | classmethod | type)


if __name__ == "__main__":
    main(sys.argv[1])
