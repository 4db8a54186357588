"""The calls to compare, from any of the sources that the user may name."""

from __future__ import annotations

import ast
import inspect
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from nprewrite.base.syntax import expression_tree
from nprewrite.comparison.case import Case
from nprewrite.verification.generated import generated
from nprewrite.verification.labels import describe, shortened, told
from nprewrite.verification.messages import Calls, CasesFile, Recorded, Source
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.program import Target
from nprewrite.verification.recording import restored, saved

OTHER_SOURCES = 'give calls yourself: --call "f(1.0, 3)", --cases FILE.py or --script "python run.py"'

_COLLECT = "__nprewrite_arguments__"


class Functions(Protocol):
    """The module whose functions are called; ``enter_before`` puts it into its state as written."""

    module: ModuleType

    def enter_before(self) -> None: ...
    def before(self, name: str) -> Callable[..., Any]: ...


class Inputs:
    """The cases of one source, with references and notes.

    ``references`` are functions of the cases file to compare with, by name; ``notes`` grows while ``cases``
    is read. Raises ``CannotVerify`` where the source cannot be read.
    """

    def __init__(self, source: Source, sides: Functions, targets: Sequence[Target]) -> None:
        self._source = source
        self._sides = sides
        self._targets = {target.name: target for target in targets}
        self._file = _executed(source.path) if isinstance(source, CasesFile) else {}
        self.references: Mapping[str, Callable[..., Any]] = self._file.get("references", {})
        self.notes: list[str] = []

    def cases(self) -> Iterator[tuple[str, Case]]:
        """Function name and case, one after the other. Raises ``CannotVerify`` where one cannot be made."""
        match self._source:
            case Calls(expressions, names):
                return (self._called(each, names) for each in expressions)
            case CasesFile(path):
                return self._of_file(path)
            case Recorded(folder):
                return self._recorded(Path(folder))
        return self._generated()

    def _called(self, expression: str, names: Mapping[str, int]) -> tuple[str, Case]:
        call = _parsed(expression)
        name = ast.unparse(call.func)
        call.func = ast.copy_location(ast.Name(_COLLECT, ast.Load()), call)
        code = compile(ast.Expression(call), f'--call "{expression}"', "eval", dont_inherit=True)
        self._sides.enter_before()
        # All in one namespace: comprehensions do not see the locals that eval is given.
        namespace = {**vars(self._sides.module), **names, _COLLECT: lambda *a, **k: (a, k)}
        try:
            args, kwargs = eval(code, namespace)
        except Exception as error:
            raise CannotVerify(f'--call "{expression}": its arguments raise {told(error)}') from error
        return name, Case(shortened(expression), args, kwargs)

    def _of_file(self, path: str) -> Iterator[tuple[str, Case]]:
        make = self._file.get("cases")
        if not callable(make):
            raise CannotVerify(f"{path} defines no function cases() that yields the arguments of calls")
        self._sides.enter_before()
        skipped: set[str] = set()
        try:
            for item in make():
                name, case = self._item(path, item)
                if name in self._targets:
                    yield name, case
                elif name not in skipped:
                    skipped.add(name)
                    self.notes.append(f"{path}: cases of {name} are left out; it is not to be compared")
                self._sides.enter_before()
        except CannotVerify:
            raise
        except Exception as error:
            raise CannotVerify(f"cases() of {path} raises {told(error)}") from error

    def _item(self, path: str, item: Any) -> tuple[str, Case]:
        """One thing that ``cases()`` yields: arguments, or ``(function name, arguments)``."""
        named = isinstance(item, tuple | list) and len(item) == 2 and isinstance(item[0], str)
        if named and isinstance(item[1], tuple | list | Case) and self._is_function(item[0]):
            name, arguments = item
        else:
            name, arguments = self._only_target(path), item
        if isinstance(arguments, Case):
            return name, arguments
        if not isinstance(arguments, tuple | list):
            raise CannotVerify(
                f"cases() of {path} yields {shortened(repr(item))}; expected a tuple of arguments, "
                "or (function name, tuple of arguments)"
            )
        return name, Case(describe(name, arguments, {}), tuple(arguments))

    def _is_function(self, name: str) -> bool:
        return name in self._targets or callable(getattr(self._sides.module, name.split(".")[0], None))

    def _only_target(self, path: str) -> str:
        direct = [name for name, target in self._targets.items() if target.direct]
        names = direct if len(direct) == 1 else list(self._targets)
        if len(names) > 1:
            raise CannotVerify(
                f"cases() of {path} yields arguments without a function, and there are several: "
                f"{', '.join(names)}; write FILE::{names[0]}, or yield (function name, arguments)"
            )
        return names[0]

    def _recorded(self, folder: Path) -> Iterator[tuple[str, Case]]:
        for number, path in enumerate(saved(folder), start=1):
            self._sides.enter_before()
            try:
                call = restored(path.read_bytes(), self._sides.module.__name__)
            except Exception as error:  # noqa: BLE001 (classes of the user's are made again here)
                self.notes.append(f"left out: recorded call {number} cannot be restored: {told(error)}")
                continue
            label = describe(call.function, call.args, call.kwargs)
            yield call.function, Case(f"call {number}: {label}", call.args, call.kwargs)

    def _generated(self) -> Iterator[tuple[str, Case]]:
        problems = []
        for name, target in self._targets.items():
            function = self._sides.before(name)
            # Without parameters it is often the program's main function, which has effects but no result.
            if not target.direct and not inspect.signature(function).parameters:
                continue
            try:
                for case in generated(function, name):
                    yield name, case
            except CannotVerify as problem:
                problems.append(str(problem))
        if len(problems) == len(self._targets) or not self._targets:
            raise CannotVerify("\n".join((*problems, OTHER_SOURCES)))
        self.notes += [f"not compared: {problem}" for problem in problems]


def callee(expression: str) -> str:
    """The function that ``--call`` names. Raises ``CannotVerify`` where it is not a call of a name."""
    return ast.unparse(_parsed(expression).func)


def _parsed(expression: str) -> ast.Call:
    """The call of a name that an expression is. Raises ``CannotVerify``."""
    try:
        call = expression_tree(expression.strip())
    except (SyntaxError, ValueError) as error:
        raise CannotVerify(f'--call "{expression}" is no Python expression: {error}') from error
    if not isinstance(call, ast.Call) or not all(map(str.isidentifier, ast.unparse(call.func).split("."))):
        raise CannotVerify(
            f'--call "{expression}": expected a call of a function by its name, as in "f(1.0, 3)", '
            'and of a method as in "Class.method(Class(), 3)"'
        )
    return call


def _executed(path: str) -> dict[str, Any]:
    # At the end: the user's own modules come first, then those next to the cases file.
    sys.path.append(str(Path(path).resolve().parent))
    try:
        return runpy.run_path(path, run_name="nprewrite_cases")
    except (Exception, SystemExit) as error:
        raise CannotVerify(f"{path} cannot be run: {told(error)}") from error
