"""``@nprewrite.jit``: the passes applied to one function, in memory."""

from __future__ import annotations

import ast
import functools
import hashlib
import linecache
import os
import tempfile
import time
import types
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from nprewrite.errors import NprewriteWarning
from nprewrite.facts.steps import step_decorator
from nprewrite.facts.values import Value
from nprewrite.rewrite.outcomes import Level, Options, Outcome, Rewriting, Site, SourceProblem
from nprewrite.rewrite.pipeline import rewrite_source
from nprewrite.runtime import cache
from nprewrite.runtime.step import disabled
from nprewrite.signatures import Signature, signature_of
from nprewrite.syntax.document import Document
from nprewrite.turns import CallClass, Turns, call_class

P = ParamSpec("P")
R = TypeVar("R")

_SIGNATURES = 8
"""Signatures that one function is rewritten for; further ones run as written."""


@dataclass(frozen=True)
class Report:
    """The outcomes for one function, as the command line would print them."""

    filename: str
    sites: tuple[Site, ...]
    turns: tuple[str, ...] = ()
    """For each class of calls, which version is kept and why."""

    def __str__(self) -> str:
        sites = [site.describe(self.filename) for site in self.sites] or ["nothing to rewrite"]
        return "\n".join([*sites, *self.turns])


@dataclass(frozen=True)
class _Version(Generic[P, R]):
    """The function for one signature: what runs, its text, and the outcomes."""

    function: Callable[P, R]
    source: str
    rewriting: Rewriting
    steps: tuple[Any, ...] = ()

    @property
    def compiled_runs(self) -> int:
        """How often a step of this version has run compiled."""
        return sum(step.runs["compiled"] for step in self.steps)


class Jitted(Generic[P, R]):
    """A function whose loops of array code run compiled.

    ``original`` is the function as written, ``source`` the rewritten text (it stands in a real file, so that
    tracebacks and debuggers show it), ``report()`` the outcomes for every site.
    """

    def __init__(self, function: Callable[P, R], options: Options, tune: bool) -> None:
        functools.update_wrapper(self, function)
        self.original = function
        self._options = options
        self._tune = tune
        self._text = _module_text(function)
        self._lines = _lines_of(function, self._text or "")
        self._versions: dict[Signature | None, _Version[P, R]] = {}
        self._turns: dict[CallClass, Turns] = {}
        self._kept: dict[CallClass, Callable[P, R]] = {}
        self._current = self._version(None)
        self._waits = any(site.outcome is Outcome.DEFERRED for site in self._current.rewriting.sites)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the version that is faster for such arguments; at first, the two in turn.

        Where rewriting waited for types, the function is rewritten for these arguments first.
        """
        kind = call_class(args, kwargs)
        kept = self._kept.get(kind)
        return kept(*args, **kwargs) if kept is not None else self._turn(kind, args, kwargs)

    def _turn(self, kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> R:
        """Run the version whose turn it is, and keep one when it is known to be faster."""
        version = self._for_call(args, kwargs) if self._waits else self._current
        self._current = version
        if disabled() or not version.steps:
            # Nothing to compile: the rewritten text is as fast as the original, or the user asked for it.
            return version.function(*args, **kwargs)
        turns = self._turns.setdefault(kind, Turns.of(version.source, kind))
        side = turns.next()
        runs, started = version.compiled_runs, time.perf_counter()
        result = (self.original if side == "original" else version.function)(*args, **kwargs)
        seconds = time.perf_counter() - started
        if side == "rewritten" and version.compiled_runs == runs and turns.kept is None:
            turns.compiled = True
            turns.keep("original")
        elif turns.kept is None:
            turns.record(side, seconds)
        if turns.kept is not None:
            self._kept[kind] = self.original if turns.kept == "original" else version.function
        return result

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Bind to an instance, as a function in a class body does."""
        return self if instance is None else types.MethodType(self, instance)

    def __reduce__(self) -> str:
        """Pickled by name, as functions are."""
        return self.original.__qualname__

    @property
    def source(self) -> str:
        """The rewritten text of the function and its steps, for the last signature called."""
        return self._current.source

    def report(self) -> Report:
        """The outcomes for every site of the function, for the last signature called."""
        turns = tuple(f"{_called_with(kind)}: {each}" for kind, each in self._turns.items())
        return Report(_filename(self.original), self._current.rewriting.sites, turns)

    def _for_call(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> _Version[P, R]:
        signature = signature_of(self.original, args, kwargs)
        if signature is None:
            return self._versions[None]
        if signature not in self._versions and len(self._versions) > _SIGNATURES:
            _warn(self.original, f"called with more than {_SIGNATURES} signatures: this one runs as written")
            return self._versions[None]
        return self._versions.get(signature) or self._version(signature)

    def _version(self, signature: Signature | None) -> _Version[P, R]:
        given = {self.original.__qualname__: dict(signature.values)} if signature is not None else None
        version = self._build(given)
        self._versions[signature] = version
        return version

    def _build(self, given: Mapping[str, Mapping[str, Value]] | None) -> _Version[P, R]:
        name = self.original.__qualname__
        unchanged = Rewriting(self._text or "", self._text or "")
        if self._text is None:
            _warn(self.original, "its source is not available; it runs as written")
            return _Version(self.original, "", unchanged)
        try:
            rewriting = rewrite_source(self._text, _filename(self.original), self._options, given, only=name)
        except SourceProblem as problem:
            _warn(self.original, f"its file cannot be read as Python ({problem}); it runs as written")
            return _Version(self.original, "", unchanged)
        own = tuple(site for site in rewriting.sites if site.line in self._lines)
        rewriting = Rewriting(rewriting.source, rewriting.text, own, rewriting.stages)
        problem_text = _not_buildable(self.original)
        if not rewriting.changed or problem_text is not None:
            if rewriting.changed:
                _warn(self.original, f"{problem_text}; it runs as written")
            return _Version(self.original, _own_source(self._text, name), rewriting)
        built, source, steps = _built(self.original, rewriting.text)
        for step in steps:
            step.tune = step.tune or self._tune
        return _Version(built, source, rewriting, tuple(steps))


@overload
def jit(function: Callable[P, R], /) -> Jitted[P, R]: ...


@overload
def jit(*, level: str = "rounding", tune: bool = False) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...


def jit(
    function: Callable[P, R] | None = None, /, *, level: str = "rounding", tune: bool = False
) -> Jitted[P, R] | Callable[[Callable[P, R]], Jitted[P, R]]:
    """Rewrite a function at import time, or at the first call where argument types are needed.

    ``level`` is "exact", "rounding" or "fast", as on the command line; ``tune=True`` measures how many
    iterations a compiled call should run and remembers the answer for this machine. Raises ``ValueError`` for
    another level and ``TypeError`` for something that is not a Python function.
    """
    if level.upper() not in Level.__members__:
        raise ValueError(f"level is one of exact, rounding, fast, not {level!r}")
    options = Options(level=Level[level.upper()])

    def decorate(target: Callable[P, R]) -> Jitted[P, R]:
        if not isinstance(target, types.FunctionType):
            raise TypeError(
                f"nprewrite.jit takes a Python function, not {target!r}; put it right above `def`"
            )
        return Jitted(target, options, tune)

    return decorate if function is None else decorate(function)


def _called_with(kind: CallClass) -> str:
    """``(float64[2], int, f=float)``, the arguments of a class of calls in a user's terms."""
    return f"called with ({', '.join(_argument(each) for each in kind)})"


def _argument(kind: Any) -> str:
    match kind:
        case (str() as char, int() as rank, int() as magnitude):
            return f"{np.dtype(char)}[{rank} axes, below 2**{magnitude} elements]"
        case (str() as name, inner):
            return f"{name}={_argument(inner)}"
        case int():
            return f"int below 2**{kind}"
    return str(kind.__name__)


def _filename(function: Callable[..., Any]) -> str:
    return function.__code__.co_filename


def _module_text(function: Callable[..., Any]) -> str | None:
    lines = linecache.getlines(_filename(function), function.__globals__)
    return "".join(lines) or None


def _warn(function: Callable[..., Any], text: str) -> None:
    place = f"{_filename(function)}:{function.__code__.co_firstlineno}"
    warnings.warn(f"{place}: `{function.__qualname__}`: {text}", NprewriteWarning, stacklevel=4)


def _not_buildable(function: Callable[..., Any]) -> str | None:
    if function.__code__.co_freevars:
        names = ", ".join(function.__code__.co_freevars)
        return f"it uses variables of the function around it ({names})"
    if "<locals>" in function.__qualname__:
        return "it is defined inside another function"
    return None


def _find(tree: ast.Module, qualname: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    body: list[ast.stmt] = tree.body
    found: ast.stmt | None = None
    for part in qualname.split("."):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        found = next((node for node in reversed(body) if isinstance(node, kinds) and node.name == part), None)
        if found is None:
            return None
        body = found.body
    return found if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef) else None


def _lines_of(function: Callable[..., Any], text: str) -> range:
    """The lines of a function in its file; to its last line with code where the text cannot tell."""
    first = function.__code__.co_firstlineno
    last = max([first, *(line for _, _, line in function.__code__.co_lines() if line)])
    try:
        node = _find(ast.parse(text), function.__qualname__)
    except (SyntaxError, ValueError, RecursionError):
        # Rewriting meets the same problem in the same text, and warns of it.
        return range(first, last + 1)
    end = node.end_lineno if node is not None else None
    return range(first, max(last, end or last) + 1)


def _own_source(text: str, qualname: str) -> str:
    document = Document(text)
    node = _find(document.tree, qualname)
    return document.segment(node) if node is not None else ""


def _built(original: Callable[P, R], text: str) -> tuple[Callable[P, R], str, list[Any]]:
    """The rewritten function, its text and its steps.

    The steps become local names around the function, so that nothing is added to the user's module.
    """
    document = Document(text)
    names = document.names
    node = _find(document.tree, original.__qualname__)
    assert node is not None
    steps = [
        each
        for each in document.tree.body
        if isinstance(each, ast.FunctionDef) and step_decorator(each, names, document.tree)
    ]
    runtime = [
        each
        for each in document.tree.body
        if isinstance(each, ast.Import) and any(alias.name == "nprewrite.runtime" for alias in each.names)
    ]
    source = "\n\n\n".join(_with_decorators(each, document) for each in (*steps, node))
    node.decorator_list = []
    filename = _write(text, Path(_filename(original)).stem)
    collected = ast.Tuple([ast.Name(each.name, ast.Load()) for each in (node, *steps)], ast.Load())
    factory = ast.parse("def factory(): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.body = [*runtime, *steps, node, ast.Return(collected)]
    module = ast.fix_missing_locations(ast.Module([factory], []))
    code = compile(module, filename, "exec", dont_inherit=True, flags=_future_flags(original))
    local: dict[str, Any] = {}
    exec(code, original.__globals__, local)
    function, *found = local["factory"]()
    function.__qualname__ = original.__qualname__
    function.__module__ = original.__module__
    function.__defaults__ = original.__defaults__
    function.__kwdefaults__ = original.__kwdefaults__
    return function, source, found


def _with_decorators(node: ast.FunctionDef | ast.AsyncFunctionDef, document: Document) -> str:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return document.text[document.line_start(first) : document.span(node)[1]]


def _future_flags(function: Callable[..., Any]) -> int:
    """``from __future__`` flags that the function was compiled with."""
    import __future__

    flags = (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    return sum(flag for flag in flags if function.__code__.co_flags & flag)


def _write(text: str, stem: str) -> str:
    """Put the rewritten text into a file of the cache, where tracebacks and debuggers find it."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    folder = cache.directory() / "rewritten"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{stem.strip('<>')}-{digest}.py"
    if not path.exists():
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".py")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(temporary, path)
    return str(path)
