"""The catalogue's folders as data, and its modules loaded from files.

A case is a folder ``passes/<pass>/rewrites/<name>`` or ``passes/<pass>/refusals/<name>`` with a
``before.py``: the user's program and ``cases()``, which yields ``(function name, arguments)`` or
``(function name, arguments, exception)`` where NumPy itself raises.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from nprewrite.decorated.decorator import options_of
from nprewrite.engine.outcomes import Decorated, Options, Rewriting
from nprewrite.engine.pipeline import PASSES, rewrite_source
from nprewrite.passes.level import Level
from nprewrite.runtime.api.step import Step
from nprewrite.types.precision import Precision

CATALOGUE = Path(__file__).parents[2] / "passes"

CODES = {each.name: each.code for each in sorted(PASSES, key=lambda each: each.code)}


def read(path: Path) -> str:
    """The text of a file with its line endings as they are."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


@dataclass(frozen=True)
class Comparison:
    """How near the rewritten result must be at level ``rounding``; exact unless the case says otherwise.

    ``rounding`` allows another rounding, ``differing_lanes`` is the share of the lanes that may differ
    altogether, because the iteration is chaotic there. ``guard_always_refuses`` says that no call of the
    case runs through its steps: the arrays overlap, say. ``single`` says that the case computes in float32.
    ``without`` names modules that are taken for missing while the program is rewritten.
    """

    rounding: bool = False
    differing_lanes: float = 0.0
    guard_always_refuses: bool = False
    single: bool = False
    without: Sequence[str] = ()


@dataclass(frozen=True)
class Expectation:
    """What the report must say of a refused site; ``silent`` means no site at all.

    ``level`` and ``ignore`` are the options of the run: some refusals need a level, or a pass left out.
    ``without`` names modules that are taken for missing; ``precision`` asks for float32.
    """

    code: str = ""
    reason: str = ""
    line: int = 0
    level: str = "rounding"
    ignore: Sequence[str] = ()
    without: Sequence[str] = ()
    silent: bool = False
    precision: bool = False

    @property
    def options(self) -> Options:
        """The options of the run that the case is about."""
        level, precision = Level[self.level.upper()], Precision() if self.precision else None
        return Options(level=level, ignore=frozenset(self.ignore), precision=precision)


@dataclass(frozen=True)
class Case:
    """One folder of the catalogue."""

    folder: Path

    def __str__(self) -> str:
        return self.folder.relative_to(CATALOGUE).as_posix()

    @property
    def pass_name(self) -> str:
        """The pass whose folder the case lies in."""
        return self.folder.parts[-3]

    @property
    def code(self) -> str:
        """The code of that pass."""
        return CODES[self.pass_name]

    @property
    def before_path(self) -> Path:
        """The user's program."""
        return self.folder / "before.py"

    @property
    def after_path(self) -> Path:
        """What the rewriter makes of it."""
        return self.folder / "after.py"

    @property
    def before(self) -> str:
        """The text of the user's program."""
        return read(self.before_path)

    @property
    def comparison(self) -> Comparison:
        """From ``case.toml``, which most cases do not have."""
        return Comparison(**_toml(self.folder / "case.toml"))

    @property
    def expectation(self) -> Expectation:
        """From ``expect.toml``, which every refusal has."""
        return Expectation(**_toml(self.folder / "expect.toml"))

    def rewritten(self, options: Options, text: str | None = None) -> Rewriting:
        """What becomes of the user's program or ``text``, without the modules that are taken for missing."""
        refused = (self.folder / "expect.toml").exists()
        missing = (self.expectation if refused else self.comparison).without
        asked = self.before if text is None else text
        return _rewritten_once(asked, str(self.before_path), options, tuple(missing))

    @property
    def hazards(self) -> frozenset[str]:
        """The hazards that the docstring names, in a line ``Hazards: 1.7, 3.zero-trips``."""
        match = re.search(r"^Hazards: (.+)$", self.before, re.MULTILINE)
        return frozenset(part.strip() for part in match[1].split(",")) if match else frozenset()


@cache
def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(read(path)) if path.exists() else {}


def _folders(kind: str) -> Iterator[Path]:
    for pass_name in CODES:
        yield from sorted(path.parent for path in (CATALOGUE / pass_name / kind).glob("*/before.py"))


REWRITES = [Case(folder) for folder in _folders("rewrites")]
REFUSALS = [Case(folder) for folder in _folders("refusals")]


@dataclass(frozen=True)
class Call:
    """One call that a module's ``cases()`` asks for."""

    function: str
    arguments: tuple[Any, ...]
    raises: type[Exception] | None = None


def calls(module: ModuleType) -> list[Call]:
    """The calls of a module, with arguments of their own at each call of this function."""
    return [Call(*case) for case in module.cases()]


def rewritten(text: str, filename: str, options: Options) -> Rewriting:
    """What the command line makes of a text, or the decorator of the function that carries it in the text.

    The arguments of a decorator go before ``options``.
    """
    jitted = re.search(r"^@nprewrite\.jit(?:\((.*)\))?\r?\ndef (\w+)", text, re.MULTILINE)
    if jitted is None:
        return rewrite_source(text, filename, options)
    if jitted[1] is not None:
        call = ast.parse(f"f({jitted[1]})", mode="eval").body
        assert isinstance(call, ast.Call)
        given = {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg}
        asked = options_of(**given)
        options = replace(options, level=asked.level, precision=asked.precision)
    return rewrite_source(text, filename, options, only=jitted[2])


@cache
def _rewritten_once(text: str, filename: str, options: Options, missing: tuple[str, ...]) -> Rewriting:
    """The answer that the tests share: rewriting is most of what they take."""
    with patch.dict(sys.modules, dict.fromkeys(missing)):
        return rewritten(text, filename, options)


def rewritten_file(case: Case) -> Rewriting:
    """What the command makes of the file ``before.py`` of a case."""
    return rewritten_text(case.before, str(case.before_path), Options(decorated=Decorated.LOOPS))


@cache
def rewritten_text(text: str, filename: str, options: Options) -> Rewriting:
    """`rewrite_source`, whose answer the tests share."""
    return rewrite_source(text, filename, options)


def function_of(module: ModuleType, name: str) -> Callable[..., Any]:
    """A function of a case as it is written there."""
    function = getattr(module, name)
    return getattr(function, "original", function)


def load(path: Path, name: str) -> ModuleType:
    """Run the file as a module of that name; unlike an import this leaves no bytecode beside it."""
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    exec(compile(path.read_bytes(), path, "exec", dont_inherit=True), vars(module))
    return module


def module_name(case: Case, suffix: str) -> str:
    """A name for the case's module that no other module has."""
    return re.sub(r"\W", "_", f"catalogue_{case}_{suffix}")


def steps_of(module: ModuleType) -> dict[str, Counter[str]]:
    """How the loops over each step function of the module ran, by the step's name."""
    return {name: value.runs for name, value in vars(module).items() if isinstance(value, Step)}


@dataclass(frozen=True)
class ReasonRow:
    """One row of ``passes/REASONS.md``."""

    reason: str
    codes: tuple[str, ...]
    helps: str


def reason_table() -> list[ReasonRow]:
    """The rows of ``passes/REASONS.md``."""
    page = read(CATALOGUE / "REASONS.md")
    rows = re.findall(r"^\| `([a-z-]+)` \| ([^|]+) \|.*\|([^|]*)\|$", page, re.MULTILINE)
    return [ReasonRow(reason, tuple(re.findall(r"NPR\d+", codes)), helps) for reason, codes, helps in rows]


PAIRS = [(row.reason, code) for row in reason_table() for code in row.codes]
