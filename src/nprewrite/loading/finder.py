"""The finder: it asks the finders after it, and makes the loader that they return load rewritten text.

Nothing in the import system is replaced. The loader stays the one that was found, so that resources,
``get_source`` and what other hooks do to the tree work as before; only this instance of it gets a
``get_code`` of its own.
"""

from __future__ import annotations

import ast
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from nprewrite.base.code_objects import changed_code
from nprewrite.base.errors import FAULTS, OF_SYNTAX, FallbackError, reported, unheard, warn
from nprewrite.base.syntax import text_tree
from nprewrite.config import Choices, ConfigurationProblem, Configurations
from nprewrite.decorated.lines import Lines
from nprewrite.files.folders import belongs, project_of
from nprewrite.files.problems import FileProblem
from nprewrite.files.source import decode
from nprewrite.loading.apart import Names, apart
from nprewrite.loading.decorating import (
    Home,
    at_home,
    compiled,
    decorated,
    decorated_by_home,
    functions_that_may_compute,
)
from nprewrite.loading.rewriting import rewritten
from nprewrite.loading.store import Entry

NEVER = sys.stdlib_module_names | {"functorch", "nprewrite", "numpy", "torch", "torchgen", "triton"}
"""What is never rewritten: Python's own library, and what rewritten code runs on."""


_WORDS = {
    "rewritten": "rewritten",
    "deferred": "waiting for the types of a call",
    "refused": "left alone",
    "unused": "comments that suppress nothing",
}
"""What is said of the outcomes of sites, the best news first."""
_READ_AGAIN = ".native", ".reduction", ".sweep", "looped=True"
"""What marks loops that Numba compiles from their text."""
_AWAITED = "as written: another process is finding out what it becomes, for later runs"
_NAMES = "<the names that nprewrite added>"
"""A constant that represents the object in the tree until the tree is compiled."""


@dataclass(frozen=True)
class Outcome:
    """What became of one module, in words, the file with its rewritten text, and the names that it added."""

    words: str
    file: str | None = None
    names: Names = field(default_factory=Names, compare=False, repr=False)

    def __str__(self) -> str:
        first = f"{self.words}; its text: {self.file}" if self.file is not None else self.words
        return "\n        ".join([first, *self._ran()])

    def _ran(self) -> Iterator[str]:
        """How the loops of the module's own steps ran, if they did."""
        for each in vars(self.names).values():
            code = getattr(getattr(each, "function", None), "__code__", None)
            if code is not None and each.runs:
                _, _, ways = each.report()[0].partition("` ")
                yield f"line {code.co_firstlineno}: {ways}"


class _Busy(threading.local):
    """The modules that a thread is looking for."""

    def __init__(self) -> None:
        self.names: set[str] = set()


@dataclass(eq=False)
class Finder:
    """Finds what the next finders find, and has ``packages`` and the project at ``root`` rewritten."""

    configurations: Configurations
    packages: set[str] = field(default_factory=set)
    root: str | None = None
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    _busy: _Busy = field(default_factory=_Busy)

    def wants(self, name: str) -> bool:
        """Whether the module may be one to rewrite, judged by its name."""
        if name.partition(".")[0] in NEVER:
            return False
        return self.root is not None or self._names(name)

    def _names(self, name: str) -> bool:
        """Whether a module is one of the packages, or below one of them."""
        return any(name == each or name.startswith(f"{each}.") for each in self.packages)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """What the next finders find, with its loader prepared; None for modules that are not rewritten."""
        searching = self._busy.names
        if not self.wants(fullname) or fullname in searching:
            return None
        # Another finder that asks all finders itself would come back here.
        searching.add(fullname)
        try:
            spec = self._next(fullname, path, target)
        finally:
            searching.discard(fullname)
        if spec is not None:
            self._prepare(spec)
        return spec

    def _next(self, name: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
        behind = sys.meta_path[sys.meta_path.index(self) + 1 :] if self in sys.meta_path else sys.meta_path
        for finder in behind:
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(name, path, target) if find is not None else None
            if spec is not None:
                return spec
        return None

    def _prepare(self, spec: ModuleSpec) -> None:
        """Make the loader of a spec load rewritten text, where it is one that loads source files."""
        file, loader = spec.origin, spec.loader
        if not spec.has_location or file is None or not file.endswith(".py"):
            return
        if not self._names(spec.name) and (self.root is None or not belongs(file, self.root)):
            return
        # A loader with its own `exec_module` compiles in its own way: there is no text to replace.
        executes = getattr(type(loader), "exec_module", None)
        if not isinstance(loader, SourceFileLoader) or executes is not SourceFileLoader.exec_module:
            kind = type(loader).__name__
            self.outcomes[spec.name] = Outcome(
                f"left alone: its loader, {kind}, does not load source as text"
            )
            return
        code = Code(loader, self)
        loader.get_code = code.get  # type: ignore[method-assign]


@dataclass(frozen=True)
class Code:
    """The code of one module, compiled from the text that the rewriter makes of its source."""

    loader: SourceFileLoader
    finder: Finder

    def get(self, fullname: str) -> CodeType | None:
        """What ``loader.get_code`` gives for the rewritten text; for the text as written where a pass fails.

        Raises FallbackError where that was asked for instead of a warning.
        """
        path = self.loader.get_filename(fullname)
        on_fallback = "warn"
        try:
            configuration = self.finder.configurations.of(path)
            on_fallback = configuration.on_fallback
            if configuration.excludes(path):
                return self._as_written(fullname, "left alone: excluded by " + str(configuration.file))
            source = self.loader.get_data(path)
            entry = rewritten(path, source, configuration.choices(path))
        except FileProblem as error:
            problem = error.problem
            words = reported(problem.message) if problem.internal else problem.message
            return self._fall_back(fullname, path, words, on_fallback)
        except ConfigurationProblem as problem:
            return self._fall_back(fullname, path, str(problem), on_fallback)
        for each in entry.faults:
            _tell(f"{path}: {each}", path, on_fallback)
        try:
            return self._of_entry(fullname, source, entry, configuration.choices(path))
        except FAULTS as fault:
            words = reported(f"{type(fault).__name__}: {fault}")
            return self._fall_back(fullname, path, words, on_fallback)

    def _of_entry(self, fullname: str, source: bytes, entry: Entry, choices: Choices) -> CodeType | None:
        if entry.is_awaited or entry.decorated:
            code = self._as_written(fullname, _AWAITED if entry.is_awaited else _counted(entry))
            path = self.loader.get_filename(fullname)
            return self._decorated(path, source, choices, code, {*entry.decorated})
        if entry.data is None:
            return self._as_written(fullname, "as written: " + _counted(entry))
        outcome = self.finder.outcomes[fullname] = Outcome(_counted(entry), entry.file)
        return self._of_text(fullname, source, entry, choices, outcome.names)

    @unheard(*OF_SYNTAX)
    def _decorated(
        self, path: str, source: bytes, choices: Choices, code: CodeType | None, wanted: Set[str]
    ) -> CodeType | None:
        """The code as written; some functions have the decorator, those that may compute if none is named."""
        if code is None or type(self.loader).source_to_code is not SourceFileLoader.source_to_code:
            return code
        text = decode(source).text
        tree = text_tree(text)
        decorated(tree, wanted or functions_that_may_compute(tree), tree)
        return compiled(tree, path, Home(text, choices))

    def _as_written(self, fullname: str, words: str) -> CodeType | None:
        self.finder.outcomes[fullname] = Outcome(words)
        return type(self.loader).get_code(self.loader, fullname)

    def _fall_back(self, fullname: str, path: str, problem: str, on_fallback: str) -> CodeType | None:
        # Where the file is at fault, this raises its own SyntaxError.
        code = self._as_written(fullname, f"as written: {problem}")
        _tell(f"{path}: the module {fullname} runs as written: {problem}", path, on_fallback)
        return code

    def _hear(self, fullname: str, source: bytes) -> None:
        """Have Python give its warnings about the user's text as often as it would without rewriting."""
        if fullname == "__main__":
            self.loader.source_to_code(source, self.loader.get_filename(fullname))
        else:
            type(self.loader).get_code(self.loader, fullname)

    def _of_text(
        self, fullname: str, source: bytes, entry: Entry, choices: Choices, names: Names
    ) -> CodeType | None:
        """The rewritten text compiled by the loader, with the positions of the user's file."""
        loader, data = self.loader, entry.data
        assert data is not None
        before, text = decode(source).text, decode(data).text
        lines = Lines(before, text, entry.origins)
        path = loader.get_filename(fullname)

        def compiled(tree: ast.Module) -> CodeType:
            return lines.of(compile(tree, path, "exec", dont_inherit=True))

        made: bytes | ast.Module = data
        # A loader with its own `source_to_code` gets the text: it may not take a tree.
        if type(loader).source_to_code is SourceFileLoader.source_to_code:
            tree = _tree(before, text, choices)
            made = apart(before, text, tree, names, lambda: ast.Constant(_NAMES), compiled)

        def source_to_code(_: object, path: Any, **options: Any) -> CodeType:
            return type(loader).source_to_code(loader, made, path, **options)

        def path_stats(path: str) -> Any:
            raise OSError(f"{path}: rewritten, so that no compiled file stands for it")

        own: Any = loader
        self._hear(fullname, source)
        own.source_to_code, own.path_stats = source_to_code, path_stats
        try:
            with unheard(*OF_SYNTAX):
                code = type(loader).get_code(loader, fullname)
        finally:
            del own.source_to_code, own.path_stats
        if code is not None and any(each in text for each in _READ_AGAIN):
            # Imported only here, with NumPy: a module without such loops may never import NumPy.
            from nprewrite.runtime.numba import source_tree

            source_tree.remember(code.co_filename, text)
        if code is None:
            return None
        made_code = changed_code(lines.of(code), lambda each: names if each == _NAMES else each)
        return at_home(made_code, Home(before, choices))


@unheard(*OF_SYNTAX)
def _tree(before: str, text: str, choices: Choices) -> ast.Module:
    """The tree of a rewritten text; the calls of its functions may have to show whether they are long."""
    tree = text_tree(text)
    if choices.leave_it_to_calls:
        decorated_by_home(before, tree)
    return tree


def _tell(text: str, path: str, on_fallback: str) -> None:
    """Warn that something runs as written, or raise where that was asked for."""
    if on_fallback == "raise":
        raise FallbackError(text)
    warn(text, path, 1)


def _counted(entry: Entry) -> str:
    """``3 rewritten, 2 left alone (while-loop, not-a-range)``."""
    counts: Counter[str] = Counter()
    reasons: dict[str, list[str]] = {}
    for verdict, count in entry.sites.items():
        outcome, _, reason = verdict.removesuffix("]").partition("[")
        counts[outcome] += count
        reasons.setdefault(outcome, []).extend([reason] if reason else [])
    told = [
        f"{counts[outcome]} {words}" + (f" ({', '.join(reasons[outcome])})" if reasons[outcome] else "")
        for outcome, words in _WORDS.items()
        if counts[outcome]
    ]
    has_decorators = entry.decorated or entry.data is not None
    nothing = "functions have the decorator" if has_decorators else "nothing to rewrite"
    return "; ".join([", ".join(told) or nothing, *entry.faults])


def install(configurations: Configurations, folder: str, packages: tuple[str, ...] | None = None) -> Finder:
    """The finder of the packages, or of the project around ``folder``, before all others.

    It must be there before the first module of the program is imported. Raises ConfigurationProblem.
    """
    if packages is None:
        packages = configurations.of(folder).packages or None
    if packages is None:
        finder = Finder(configurations, root=project_of(os.path.realpath(folder)))
    else:
        finder = Finder(configurations, packages=set(packages))
    place(finder)
    return finder


def place(finder: Finder) -> None:
    """Put the finder before all others."""
    sys.meta_path.insert(0, finder)
