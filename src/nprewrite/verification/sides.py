"""The user's module before and after rewriting, as two states of one module.

Both texts are run in the same namespace, one after the other, and each call first restores its side's names.
So a function finds the other functions of its own side, `global` statements start from the same values at
every call, and both sides share the classes of the text before: an instance that the user's cases make fits
both. Rewritten methods are exchanged in those classes. What runs at import runs twice.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from nprewrite.decorated.jitted import Jitted
from nprewrite.verification.labels import told
from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.program import Target

State = dict[str, Any]


def module_name(path: Path) -> tuple[str, Path]:
    """The dotted name under which the user imports a file, and the folder that must be on ``sys.path``."""
    parts, folder = [path.stem], path.absolute().parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


class Sides:
    """The module ``name`` from the file ``path``, with the texts ``before`` and ``after``.

    ``after_path`` is a file that holds ``after``: tracebacks and the decorator look the text up there. Raises
    ``CannotVerify`` where the module cannot be imported or a target is not a function of it.
    """

    def __init__(
        self, name: str, path: str, before: str, after: str, after_path: str, targets: Sequence[Target]
    ) -> None:
        self._path = path
        self.module = _module(name, path)
        self._names: State = vars(self.module)
        self._methods: dict[tuple[type, str], tuple[Any, Any]] = {}
        bare = dict(self._names)
        self._before = self._run(compile(before, path, "exec", dont_inherit=True))
        self._restore(bare)
        self._after = self._run(compile(after, after_path, "exec", dont_inherit=True))
        self._share_classes(targets)
        for key, value in self._before.items():
            if isinstance(value, Jitted):
                self._before[key] = value.original
        self.enter_before()

    @property
    def computes_in_single(self) -> bool:
        """Whether a function of the rewritten module is decorated to compute in single precision."""
        functions = (each for each in self._after.values() if isinstance(each, Jitted))
        return any(each.computes_in_single for each in functions)

    def enter_before(self) -> None:
        """Put the module into its state before rewriting."""
        self._restore(self._before)
        for (owner, attribute), (method, _) in self._methods.items():
            setattr(owner, attribute, method)

    def enter_after(self) -> None:
        """Put the module into its state after rewriting."""
        self._restore(self._after)
        for (owner, attribute), (_, method) in self._methods.items():
            setattr(owner, attribute, method)

    def before(self, name: str) -> Callable[..., Any]:
        """The function ``name`` as written."""
        return self._calling(name, after=False)

    def after(self, name: str) -> Callable[..., Any]:
        """The function ``name`` as rewritten."""
        return self._calling(name, after=True)

    def original(self, name: str) -> Any:
        """The object that ``before`` calls, with the module in its state before rewriting."""
        self.enter_before()
        return self._find(name)

    def rewritten(self, name: str) -> Any:
        """The object that ``after`` calls: a function, or one that the decorator rewrites."""
        self.enter_after()
        return self._find(name)

    def own_arguments(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], *, after: bool
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call, in which functions of the module are those of one side."""
        state = self._after if after else self._before
        own = {key: self._own(value, state) for key, value in kwargs.items()}
        return tuple(self._own(value, state) for value in args), own

    def _calling(self, name: str, *, after: bool) -> Callable[..., Any]:
        enter = self.enter_after if after else self.enter_before
        enter()
        found = self._find(name)

        @functools.wraps(found)
        def call(*args: Any, **kwargs: Any) -> Any:
            enter()
            own_args, own_kwargs = self.own_arguments(args, kwargs, after=after)
            return found(*own_args, **own_kwargs)

        return call

    def _own(self, value: Any, state: State) -> Any:
        """A value for this side: a function of the module becomes this side's function."""
        name = value.__name__ if isinstance(value, FunctionType) else ""
        return state.get(name, value) if self._before.get(name) is value else value

    def _find(self, name: str) -> Any:
        found: Any = self.module
        for part in name.split("."):
            if not hasattr(found, part):
                raise CannotVerify(
                    f"{self._path} defines {name}, but importing it leaves no such name behind"
                )
            found = getattr(found, part)
        if not callable(found):
            raise CannotVerify(f"{name} of {self._path} is not a function once the file is imported")
        return found

    def _restore(self, state: State) -> None:
        self._names.clear()
        self._names.update(state)

    def _run(self, code: CodeType) -> State:
        try:
            exec(code, self._names)
        except (Exception, SystemExit) as error:
            raise CannotVerify(f"{self._path} cannot be imported: {told(error)}") from error
        return dict(self._names)

    def _share_classes(self, targets: Sequence[Target]) -> None:
        for key, after in self._after.items():
            before = self._before.get(key)
            if (
                isinstance(after, type)
                and isinstance(before, type)
                and after.__module__ == self.module.__name__
            ):
                self._after[key] = before
                self._exchange_methods(key, before, after, targets)

    def _exchange_methods(self, name: str, before: type, after: type, targets: Sequence[Target]) -> None:
        for target in targets:
            owner, _, method = target.name.rpartition(".")
            if owner != name or not target.direct or method not in vars(before):
                continue
            old, new = vars(before)[method], vars(after)[method]
            _point_to(new, before)
            self._methods[before, method] = (old.original if isinstance(old, Jitted) else old, new)


def _point_to(method: Any, owner: type) -> None:
    """Let ``super()`` and ``__class__`` in a method mean ``owner``."""
    if isinstance(method, FunctionType) and "__class__" in method.__code__.co_freevars:
        cells = dict(zip(method.__code__.co_freevars, method.__closure__ or (), strict=True))
        cells["__class__"].cell_contents = owner


def _module(name: str, path: str) -> ModuleType:
    package, _, leaf = name.rpartition(".")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise CannotVerify(f"{path} cannot be imported: Python does not import a file of that name")
    module = importlib.util.module_from_spec(spec)
    try:
        parent = importlib.import_module(package) if package else None
    except Exception as error:
        raise CannotVerify(f"the package {package} of {path} cannot be imported: {told(error)}") from error
    sys.modules[name] = module
    if parent is not None:
        setattr(parent, leaf, module)
    return module
