"""The programs of this folder and of ``twins/``: what each module gives, and its function with a decorator.

A module has the program as a user writes it, and beside it

- ``ENTRY``: the function or ``Class.method`` that a user would decorate;
- ``RUN``: the function that is called, where it is another than ``ENTRY``;
- ``SIZES``: the arguments of ``setup`` for each scale: "bench", "small", and "stated" where the size that a
  program is known by takes NumPy longer than two seconds;
- ``setup(*size)``: the arguments of the call, a tuple of positional or a dict of keyword arguments.

A twin is small only, and names the program that it looks like in ``TWIN_OF``.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from nprewrite.comparison import Case

FOLDER = Path(__file__).parent
PATHS = {path.stem: path for path in sorted(FOLDER.glob("*/*.py")) if path.parent.name != "twins"}
TWINS = {path.stem: path for path in sorted((FOLDER / "twins").glob("*.py"))}
EVERY = {**PATHS, **TWINS}


@dataclass(frozen=True)
class Program:
    """A program's module, imported anew."""

    module: ModuleType

    @classmethod
    def load(cls, path: Path) -> Program:
        """Import the file; its module is found by ``inspect`` and torch under a name of its own."""
        name = f"program_{path.parent.name}_{path.stem}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return cls(module)

    @property
    def original(self) -> Callable[..., Any]:
        """What is called, as written."""
        found: Callable[..., Any] = getattr(self.module, self._called)
        return found

    def decorated(self, decorator: Callable[[Any], Any]) -> Callable[..., Any]:
        """What is called, with the decorator on ``ENTRY``.

        Where that is a part of what is called, it stands in the module, or in its class, during calls only,
        so that ``original`` stays as it is.
        """
        owner, name = self._owner()
        plain = getattr(owner, name)
        made = decorator(plain)
        if self._called == self.module.ENTRY:
            return made  # type: ignore[no-any-return]

        @functools.wraps(self.original)
        def run(*args: Any, **kwargs: Any) -> Any:
            setattr(owner, name, made)
            try:
                return self.original(*args, **kwargs)
            finally:
                setattr(owner, name, plain)

        return run

    def case(self, scale: str) -> Case:
        """The arguments of the call at one scale; those of "bench" where nothing else is stated."""
        sizes = self.module.SIZES
        size = sizes["bench"] if scale == "stated" and scale not in sizes else sizes[scale]
        arguments = self.module.setup(*size)
        if isinstance(arguments, dict):
            return Case(scale, (), arguments)
        return Case(scale, arguments)

    @property
    def _called(self) -> str:
        called: str = getattr(self.module, "RUN", self.module.ENTRY)
        return called

    def _owner(self) -> tuple[Any, str]:
        *path, name = self.module.ENTRY.split(".")
        return functools.reduce(getattr, path, self.module), name
