"""Running a script or a module as ``python`` does, with the passes applied to it or as it is written.

The program gets its ``sys.argv``, ``sys.path[0]`` and ``__main__``, and ends as it would: exceptions and
exits pass through, and a traceback begins with the program's first frame. Nothing else in the process is
changed, so that signals and forked children work as usual. A spawned child starts a Python of its own, which
runs the files as they are.
"""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from nprewrite.base.allocator import keep_freed_memory
from nprewrite.base.tracebacks import without_own_frames
from nprewrite.files.folders import project_of

if TYPE_CHECKING:
    from nprewrite.config import Configurations
    from nprewrite.loading.finder import Finder


class CannotRun(Exception):
    """The program does not exist or cannot be run."""


@dataclass(frozen=True)
class Program:
    """What to run: a file or a module with its arguments.

    ``packages`` None means the program's project, ``configurations`` None those of its files; ``as_written``
    runs it without the passes.
    """

    name: str
    module: bool
    arguments: tuple[str, ...]
    packages: tuple[str, ...] | None = None
    configurations: Configurations | None = None
    as_written: bool = False

    @property
    def root(self) -> str:
        """The root of its project."""
        folder = os.getcwd() if self.module else os.path.dirname(os.path.abspath(self.name))
        return project_of(os.path.realpath(folder))


def run(program: Program, watched: AbstractContextManager[object] | None = None) -> None:
    """Run the program here, its own statements within ``watched``.

    Raises CannotRun, and what the program raises.
    """
    code, main = _module(program) if program.module else _script(program)
    try:
        with watched or nullcontext():
            exec(code, vars(main))
    except SystemExit:
        raise
    except BaseException as error:
        trace = error.__traceback__
        program_trace = trace.tb_next if trace is not None else None
        if not program.as_written:
            without_own_frames(error.with_traceback(program_trace))
            program_trace = error.__traceback__
        _shorten(program_trace)
        raise


def _script(program: Program) -> tuple[CodeType, ModuleType]:
    path = program.name
    if not os.path.isfile(path):
        what = "it is a directory" if os.path.isdir(path) else "no such file"
        raise CannotRun(f"{path} cannot be run: {what}")
    if not os.access(path, os.R_OK):
        raise CannotRun(f"{path} cannot be run: permission denied")
    sys.argv = [path, *program.arguments]
    path = _told(path)
    folder = os.path.dirname(os.path.realpath(path))
    if not sys.flags.safe_path:
        sys.path[0] = folder
    finder = _finder(program, folder)
    loader = SourceFileLoader("__main__", path)
    main = _main({"__file__": path, "__loader__": loader, "__spec__": None, "__package__": None})
    return _code(loader, finder, main), main


def _told(path: str) -> str:
    """The path of a script that Python tells it: nothing is left out, and `/` as the folder gives two."""
    if sys.platform == "win32":
        return os.path.abspath(path)
    return path if os.path.isabs(path) else f"{os.getcwd()}{os.sep}{path}"


def _module(program: Program) -> tuple[CodeType, ModuleType]:
    sys.argv = ["-m", *program.arguments]
    if not sys.flags.safe_path:
        sys.path[0] = os.getcwd()
    finder = _finder(program, os.getcwd())
    spec = _spec(program.name)
    assert isinstance(spec.loader, SourceFileLoader)
    sys.argv[0] = spec.loader.path
    names = {"__file__": spec.origin, "__cached__": spec.cached, "__loader__": spec.loader}
    main = _main({**names, "__spec__": spec, "__package__": spec.parent})
    return _code(spec.loader, finder, main), main


def _finder(program: Program, folder: str) -> Finder | None:
    """The finder of what is rewritten; None where the program runs as it is written. Raises CannotRun."""
    if program.as_written:
        return None
    # A program that runs as written pays for nothing of this.
    from nprewrite.config import ConfigurationProblem, Configurations
    from nprewrite.loading.finder import install

    keep_freed_memory()
    try:
        return install(program.configurations or Configurations(), folder, program.packages)
    except ConfigurationProblem as problem:
        raise CannotRun(str(problem)) from problem


def _spec(name: str) -> ModuleSpec:
    """The spec of a module, or of a package's ``__main__``. Raises CannotRun."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
            if spec is None:
                raise CannotRun(f"{name} is a package without __main__, and cannot be run")
    except ModuleNotFoundError as error:
        # A package above the program may itself fail to import something: that is its error, not ours.
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        spec = None
    if spec is None:
        raise CannotRun(f"no module named {name}")
    if not isinstance(spec.loader, SourceFileLoader):
        raise CannotRun(f"{name} is not a module of Python source")
    return spec


def _code(loader: SourceFileLoader, finder: Finder | None, main: ModuleType) -> CodeType:
    """The program's rewritten code, whether or not the finder has prepared the loader; or its own."""
    try:
        if finder is None:
            code = loader.get_code(loader.name)
        else:
            from nprewrite.loading.script import code_of

            code = code_of(loader, finder, main)
    except SyntaxError as error:
        _shorten(None)
        raise error from None
    assert code is not None
    return code


def _main(names: dict[str, Any]) -> ModuleType:
    """A new ``__main__`` in place of ours."""
    main = ModuleType("__main__")
    # In Python's own order.
    own = {"__annotations__": {}, "__builtins__": builtins, "__file__": None, "__cached__": None}
    vars(main).update({**own, **names})
    sys.modules["__main__"] = main
    return main


def _shorten(program: TracebackType | None) -> None:
    """Make the traceback that ends the process begin where the program begins.

    The program has ended; what it set as ``sys.excepthook`` is called by the hook set here.
    """
    hook = sys.excepthook

    def show(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
        hook(kind, error.with_traceback(program), program)

    sys.excepthook = show
