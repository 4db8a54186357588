"""``nprewrite.install``: packages are rewritten as they are imported."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from nprewrite.base.errors import warn
from nprewrite.config import Chosen, Configurations
from nprewrite.config.selection import UnknownPass, codes_of
from nprewrite.config.settings import ACCUMULATE, LEVELS, ON_FALLBACK, PRECISIONS, VERIFY
from nprewrite.loading.finder import NEVER, Finder, Outcome, place

_finders: list[Finder] = []


@dataclass(frozen=True)
class Status:
    """The packages that are rewritten as they are imported, and what became of each module so far."""

    packages: tuple[str, ...] = ()
    modules: dict[str, Outcome] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f"installed for {', '.join(self.packages)}" if self.packages else "not installed"]
        return "\n".join([*lines, *(f"    {name}: {outcome}" for name, outcome in self.modules.items())])


def install(
    *packages: str,
    level: str | None = None,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    verify: str | None = None,
    on_fallback: str | None = None,
    precision: str | None = None,
    accumulate: str | None = None,
    keep_output_dtype: bool | None = None,
    keep_float64: Iterable[str] | None = None,
) -> None:
    """Rewrite the modules of ``packages``, and of packages below them, when they are imported from now on.

    The first process that imports a module gets it as written, its functions with the decorator, while
    another process applies the passes for the next one; with ``NPREWRITE_WAIT=1`` its import waits for them.
    What is given here overrides ``[tool.nprewrite]`` of the pyproject.toml nearest to each file. A module
    that cannot be rewritten is imported as it is, with a ``NprewriteWarning``; with ``on_fallback="raise"``
    its import raises ``FallbackError``. A package that is imported already stays as it is, and a warning says
    so. ``precision``, which needs ``level="fast"``, and what goes with it are those of ``nprewrite.jit``.

    Raises ``ValueError`` without a package, for other words, and for packages that are never rewritten:
    nprewrite, NumPy, torch and Python's own library.
    """
    names = _checked(packages)
    kept = (keep_float64,) if isinstance(keep_float64, str) else keep_float64
    for word, value, allowed in (
        ("level", level, LEVELS),
        ("verify", verify, VERIFY),
        ("on_fallback", on_fallback, ON_FALLBACK),
        ("precision", precision, PRECISIONS),
        ("accumulate", accumulate, ACCUMULATE),
    ):
        if value is not None and value not in allowed:
            raise ValueError(f"{word} is one of {', '.join(allowed)}, not {value!r}")
    chosen = Chosen(
        level,
        _codes("select", select),
        _codes("ignore", ignore),
        verify,
        on_fallback,
        precision,
        accumulate,
        keep_output_dtype,
        None if kept is None else tuple(kept),
    )
    uninstall(*names)
    finder = Finder(Configurations(chosen), set(names))
    _finders.append(finder)
    place(finder)
    present = [name for name in sys.modules if finder.wants(name)]
    if present:
        modules = ", ".join(sorted(present))
        text = f"already imported, and left as they are: {modules}; call nprewrite.install before the import"
        caller = sys._getframe(1)
        warn(text, caller.f_code.co_filename, caller.f_lineno)


def uninstall(*packages: str) -> None:
    """Stop rewriting ``packages``, or all; modules that are already imported stay as they are."""
    for finder in list(_finders):
        finder.packages.difference_update(packages or set(finder.packages))
        if not finder.packages:
            _finders.remove(finder)
            # Someone else may have removed it.
            if finder in sys.meta_path:
                sys.meta_path.remove(finder)


def status() -> Status:
    """The installed packages, and what became of their modules that were imported since."""
    packages = sorted({name for finder in _finders for name in finder.packages})
    return Status(
        tuple(packages), {name: each for finder in _finders for name, each in finder.outcomes.items()}
    )


def _checked(packages: tuple[str, ...]) -> tuple[str, ...]:
    if not packages:
        raise ValueError("name a package: nprewrite.install('package')")
    for name in packages:
        if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
            raise ValueError(f"{name!r} is not the name of a package")
        if name.partition(".")[0] in NEVER:
            raise ValueError(f"{name} is never rewritten: it is part of Python, or rewritten code runs on it")
    return packages


def _codes(word: str, codes: Iterable[str] | None) -> frozenset[str] | None:
    if codes is None:
        return None
    try:
        return codes_of(codes)
    except UnknownPass as error:
        raise ValueError(f"{word}: {error}") from error
