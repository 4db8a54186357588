"""``@nprewrite.jit``: the passes applied to one function, in memory."""

from __future__ import annotations

import contextlib
import functools
import textwrap
import types
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ParamSpec, TypeVar, cast, overload

from nprewrite import forks, turns
from nprewrite.building import built, filename, is_decorated, lines_of, module_text, own_functions, own_source
from nprewrite.config.settings import ACCUMULATE, PRECISIONS
from nprewrite.errors import FallbackError, MismatchError, MismatchWarning
from nprewrite.facts.observed import Observed
from nprewrite.facts.precision import Precision
from nprewrite.facts.values import Callee, Instance, Value
from nprewrite.instances import codes_of_methods, names_in
from nprewrite.loading.lines import Lines
from nprewrite.observing import Observer, observing, on_copies
from nprewrite.on_device import OnDevice
from nprewrite.passes.small_arrays import SmallArrays
from nprewrite.rewrite.observation import watched
from nprewrite.rewrite.outcomes import Level, Options, Rewriting, SourceProblem
from nprewrite.rewrite.pipeline import rewrite_source
from nprewrite.runtime import budget
from nprewrite.runtime import device as devices
from nprewrite.runtime.choice import Choice, Within
from nprewrite.runtime.refusal import Place, warn_once
from nprewrite.runtime.step import disabled
from nprewrite.signatures import Signature, signature_of
from nprewrite.turns import CallClass, Recurring, call_class, turns_of
from nprewrite.versions import Observation, Report, Settings, Version
from nprewrite.written import Standing

P = ParamSpec("P")
R = TypeVar("R")

_SIGNATURES = 8
"""Signatures that one function is rewritten for; further ones run as written."""

_LONG_LOOP_S = 0.1
"""From here array code, or native code, in place of loops over elements, stands for many seconds
of Python, which nobody is made to wait for."""


_known: list[weakref.ref[Jitted[..., Any]]] = []


class Jitted(Standing[P, R]):
    """A function whose loops of array code run compiled.

    ``original`` is the function as written, ``source`` the rewritten text (it stands in a real file, so that
    tracebacks and debuggers show it), ``report()`` the outcomes for every site.
    """

    __slots__ = (
        "_callees",
        "_devices",
        "_kept",
        "_lines",
        "_observations",
        "_settings",
        "_text",
        "_turns",
        "_verified",
        "_versions",
        "_without_rows",
        "version",
    )

    def __init__(self, function: Callable[P, R], settings: Settings) -> None:
        functools.update_wrapper(self, function)
        _known.append(weakref.ref(self))
        self.original = function
        self._settings = settings
        self._text = module_text(function)
        self._lines = lines_of(function, self._text or "")
        self._versions: dict[Signature | None, Version[P, R]] = {}
        # A call that raises shows nothing; the next one like it need not be prepared again.
        self._observations: dict[Signature, Observation[P, R]] = {}
        # For calls whose rows are so long that array code is faster than a loop over their elements.
        self._without_rows: dict[CallClass, Version[P, R]] = {}
        self._turns: dict[CallClass, Choice] = {}
        self._kept: dict[CallClass, Callable[P, R]] = {}
        self._verified: set[CallClass] = set()
        self._callees: dict[tuple[type | None, str], Any] = {}
        self._devices = OnDevice(self, settings)
        self.version = self._build({}, {})
        """What runs for the last signature called, and what the passes knew and did."""
        self._versions[None] = self.version

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the version that is faster for such arguments; at first, the two in turn.

        Where rewriting waited for types, the function is rewritten for these arguments first.
        """
        if self._callees and self._is_stale():
            self._start_anew()
        kind = call_class(args, kwargs)
        kept = self._kept.get(kind)
        if kept is None or devices.asked_for(self._settings.device) is not None:
            return self._turn(kind, args, kwargs)
        return kept(*args, **kwargs)

    def _is_stale(self) -> bool:
        """Whether a name of a function that was looked into has been bound to something else since."""
        home = self.original.__globals__
        return any(
            (home.get(name) if kind is None else getattr(kind, name, None)) is not standing
            for (kind, name), standing in self._callees.items()
        )

    def _start_anew(self) -> None:
        self._observations.clear()
        self._without_rows.clear()
        for known in (self._callees, self._versions, self._turns, self._kept, self._verified):
            known.clear()
        self.version = self._versions[None] = self._build({}, {})

    def _turn(self, kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> R:
        """Run the version whose turn it is, and keep one when it is known to be faster."""
        with budget.shared((self.original.__code__, kind)):
            placement = None if disabled() else self._devices.placement(args, kwargs)
            if placement is None:
                return self._taken(kind, args, kwargs)
            elsewhere = partial(self._taken, kind, args, kwargs)
            return cast("R", self._devices.call(placement, args, kwargs, elsewhere))

    def _taken(self, kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> R:
        with budget.current().spending("rewriting"):
            version = self._without_rows.get(kind) or self.for_call(args, kwargs)
        if isinstance(version, Observation):
            return self._observe(version, kind, args, kwargs)
        self.version = version
        if (
            self._settings.verify
            and kind not in self._verified
            and not self._verify(kind, version, args, kwargs)
        ):
            self._kept[kind] = self.original
            return self.original(*args, **kwargs)
        for step in version.steps:
            step.takes_turns = turns.ALWAYS is None
        if disabled() or turns.ALWAYS == "rewritten" or forks.lacks_threads():
            return version.function(*args, **kwargs)
        if self.computes_in_single:
            # The original gives other dtypes, which must not come and go with the time that a call takes.
            return version.function(*args, **kwargs)
        if not version.steps and version.only_prepared:
            # Nothing came of it: more names and statements can only cost.
            self._kept[kind] = self.original
            return self.original(*args, **kwargs)
        if kind not in self._turns:
            self._turns[kind] = turns_of(version.source, kind)
        turn, refused = self._turns[kind], version.long_rows
        result = self._measured(turn, version, args, kwargs)
        if version.long_rows > refused and kind not in self._without_rows:
            self._leave_rows(kind, version)
            return result
        if turn.kept is not None:
            self._kept[kind] = self.original if turn.kept == "original" else version.function
        if turn.kept == "original" and version.waiting:
            self._count_calls(kind, turn, version)
        return result

    def _leave_rows(self, kind: CallClass, version: Version[P, R]) -> None:
        """Rewrite the function anew for such calls, with array code for the rows that were too long."""
        with budget.current().spending("rewriting"):
            ignored = frozenset([SmallArrays.code])
            self._without_rows[kind] = self._build(version.given, version.observed, ignored)
        self._turns.pop(kind, None)

    def _count_calls(self, kind: CallClass, turn: Choice, version: Version[P, R]) -> None:
        """Keep the original until so many calls have come that its scalar loops are worth compiling."""
        calls = min(each.calls_left or 1 for each in version.waiting)
        turn.why = f"too little work to compile for in less than {calls} calls"

        def begin_anew() -> None:
            for each in version.waiting:
                each.waits = False
            self._turns.pop(kind, None)
            self._kept.pop(kind, None)

        self._kept[kind] = Recurring(self.original, calls, begin_anew)

    def _measured(
        self, turn: Choice, version: Version[P, R], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> R:
        """Run the side whose turn it is; the rewritten one counts when its steps have chosen their ways."""
        spares = version.spares_python and not turn.seconds["original"]
        if turn.next(twice=spares) == "original":
            return turn.measured("original", lambda: self.original(*args, **kwargs))
        runs, within = version.compiled_runs, Within(version.choices)
        result = turn.measured("rewritten", lambda: version.function(*args, **kwargs), within)
        idle = version.reached and within.decided() and version.compiled_runs == runs
        if turn.kept is None and idle and not version.vectorized:
            turn.keep_original("nothing of it ran compiled")
        if turn.kept is None and spares and min(turn.seconds["rewritten"], default=0.0) >= _LONG_LOOP_S:
            turn.keep_rewritten("the loops that it spares Python would take far longer")
        return result

    def _verify(
        self, kind: CallClass, version: Version[P, R], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> bool:
        """Whether both versions give the same answers on copies of the arguments of a first call."""
        # Verification is imported where it is asked for: it brings an oracle of its own.
        from nprewrite.verification import Case, verify

        self._verified.add(kind)
        name = self.original.__qualname__
        case = Case(f"the first call of {name}", args, kwargs)
        single = self._settings.options.computes_in_single
        report = verify(self.original, version.function, [case], single=single)
        if report.same:
            return True
        place = f"{filename(self.original)}:{self.original.__code__.co_firstlineno}: `{name}`"
        if self._settings.on_mismatch == "raise":
            raise MismatchError(f"{place}: the rewritten function gives other answers\n{report}")
        text = f"{place}: the rewritten function gives other answers; the original runs\n{report}"
        warnings.warn(text, MismatchWarning, stacklevel=4)
        return False

    @property
    def source(self) -> str:
        """The rewritten text of the function and its steps, for the last signature called."""
        return self.version.source

    @property
    def computes_in_single(self) -> bool:
        """Whether the function shall compute in float32."""
        return self._settings.options.computes_in_single

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The turns for each class of calls that has taken some."""
        return tuple(self._turns.values())

    def report(self) -> Report:
        """The outcomes for every site of the function, for the last signature called."""
        lines = tuple(
            f"{turns.described(kind)}: {each}; {budget.of((self.original.__code__, kind))}"
            for kind, each in self._turns.items()
        )
        steps = tuple(line for step in self.version.steps for line in step.report())
        lines += self._devices.report()
        return Report(filename(self.original), self.version.rewriting.sites, lines, steps)

    def _observe(
        self, seen: Observation[P, R], kind: CallClass, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> R:
        """Run the function as written once, to see the types that its text does not say."""
        if not self._settings.verify and turns.ALWAYS != "rewritten" and not self.computes_in_single:
            result = seen.function(*args, **kwargs)
            self.learn(seen)
            return result
        # A function that raises does so again, with the user's own arguments.
        with contextlib.suppress(Exception):
            on_copies(seen.function, args, kwargs)
        self.learn(seen)
        return self._turn(kind, args, kwargs)

    def learn(self, seen: Observation[P, R]) -> None:
        """Rewrite the function with what has been seen."""
        given = {self.original.__qualname__: dict(seen.signature.values)}
        self._versions[seen.signature] = self._build(given, seen.observer.observed())
        self._observations.pop(seen.signature, None)

    def for_call(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Version[P, R] | Observation[P, R]:
        """What runs for such arguments: a version, or at first the function as written, to see its types."""
        signature = signature_of(self.original, args, kwargs)
        if signature is None or self._text is None:
            return self._versions[None]
        if signature in self._versions:
            return self._versions[signature]
        if len(self._versions) > _SIGNATURES:
            self._fall_back(
                f"called with more than {_SIGNATURES} signatures: for this one its text alone decides"
            )
            return self._versions[None]
        return self._observation(signature) or self._version(signature)

    def _observation(self, signature: Signature) -> Observation[P, R] | None:
        """The function as written, showing what its text does not say; None where it says everything."""
        assert self._text is not None
        if signature in self._observations:
            return self._observations[signature]
        name = self.original.__qualname__
        given = {name: dict(signature.values)}
        options, own = self._settings.options, self._own_functions(given[name])
        try:
            text = watched(self._text, filename(self.original), options, given, name, own)
        except SourceProblem:
            # Said when the function was decorated.
            return None
        if text is None:
            return None
        observer = Observer(text.places)
        made = Observation(observing(self.original, text, observer), observer, signature)
        if len(self._observations) < _SIGNATURES:
            self._observations[signature] = made
        return made

    def _version(self, signature: Signature) -> Version[P, R]:
        version = self._build({self.original.__qualname__: dict(signature.values)}, {})
        self._versions[signature] = version
        return version

    def _fall_back(self, why: str) -> None:
        """Say that the function runs as written, in the way that was asked for."""
        code = self.original.__code__
        place = Place(filename(self.original), code.co_firstlineno, code)
        text = f"`{self.original.__qualname__}`: {why}"
        if self._settings.on_fallback == "raise":
            raise FallbackError(f"{place.file}:{place.line}: {text}")
        warn_once(place, why, text)

    def _own_functions(self, arguments: Mapping[str, Value]) -> frozenset[str]:
        """The functions of the file that are looked into when this one is called."""
        assert self._text is not None
        names = {value.name for value in arguments.values() if isinstance(value, Callee)}
        for value in arguments.values():
            if isinstance(value, Instance):
                names = names.union(*(names_in(each) for each in codes_of_methods(value.kind, self.original)))
                self._callees |= {(value.kind, name): getattr(value.kind, name) for name, _ in value.methods}
        found = own_functions(self.original, self._text, names)
        self._callees |= {(None, name): standing for name, standing in found.items()}
        return frozenset(found)

    def _build(
        self,
        given: Mapping[str, Mapping[str, Value]],
        observed: Observed,
        ignored: frozenset[str] = frozenset(),
    ) -> Version[P, R]:
        name = self.original.__qualname__
        unchanged = Rewriting(self._text or "", self._text or "")
        if self._text is None:
            self._fall_back("its source is not available; it runs as written")
            return Version(self.original, "", unchanged)
        try:
            options = self._settings.options
            options = replace(options, ignore=options.ignore | ignored)
            own = self._own_functions(given[name]) if given else frozenset()
            file = filename(self.original)
            rewriting = rewrite_source(self._text, file, options, given, name, observed, own)
        except SourceProblem as problem:
            self._text = None
            self._fall_back(f"its file cannot be read as Python ({problem}); it runs as written")
            return Version(self.original, "", unchanged)
        if not self._callees:
            sites = tuple(site for site in rewriting.sites if site.line in self._lines)
            rewriting = replace(rewriting, sites=sites)
        if not rewriting.changed:
            source = own_source(self._text, name)
            return Version(self.original, source, rewriting, (), given, observed)
        shown = None
        if not is_decorated(self.original, self._text):
            # Put there as the module was loaded: to its user it is the function that stands in the file.
            shown = Lines(self._text, rewriting.text, rewriting.origins)
        made, source, steps = built(self.original, rewriting.text, positions=shown)
        for step in steps:
            step.tune = step.tune or self._settings.tune
            step.on_fallback = self._settings.on_fallback
        return Version(made, source, rewriting, tuple(steps), given, observed)


def report() -> None:
    """Print what became of every decorated function of the process that still exists."""
    for each in decorated():
        print(f"{each.original.__module__}.{each.original.__qualname__}")
        print(textwrap.indent(str(each.report()), "    "))


def decorated() -> list[Jitted[..., Any]]:
    """The decorated functions of the process that still exist."""
    return [each for each in (reference() for reference in _known) if each is not None]


@overload
def jit(function: Callable[P, R], /) -> Jitted[P, R]: ...


@overload
def jit(
    *,
    level: str = "rounding",
    tune: bool = False,
    verify: str | None = None,
    on_mismatch: str = "raise",
    on_fallback: str = "warn",
    device: str | None = None,
    mode: str | None = None,
    precision: str | None = None,
    accumulate: str = "float64",
    keep_output_dtype: bool = False,
    keep_float64: Iterable[str] = (),
) -> Callable[[Callable[P, R]], Jitted[P, R]]: ...


def jit(
    function: Callable[P, R] | None = None,
    /,
    *,
    level: str = "rounding",
    tune: bool = False,
    verify: str | None = None,
    on_mismatch: str = "raise",
    on_fallback: str = "warn",
    device: str | None = None,
    mode: str | None = None,
    precision: str | None = None,
    accumulate: str = "float64",
    keep_output_dtype: bool = False,
    keep_float64: Iterable[str] = (),
) -> Jitted[P, R] | Callable[[Callable[P, R]], Jitted[P, R]]:
    """Rewrite a function at import time, or at the first call where argument types are needed.

    - ``level``: "exact", "rounding" or "fast", as on the command line.
    - ``tune``: measure how many iterations a compiled call should run, and remember it for this machine.
    - ``verify="first-call"``: compare both versions on copies of the arguments of the first call of each
      class of calls, as ``nprewrite verify`` does; ``on_mismatch``: "raise" (``MismatchError``) or "warn".
    - ``on_fallback``: "warn" where the function, or a loop of it, has to run as written, or "raise"
      (``FallbackError``).
    - ``device``: where NumPy arrays are computed, as torch names it ("cuda", "cuda:1"); tensors are computed
      where they lie, and give tensors. Without it: torch's default device, then ``NPREWRITE_DEVICE``. Where
      there is no such device, ``on_fallback`` says what happens.
    - ``mode``: how torch.compile compiles for a device: "reduce-overhead" (CUDA graphs), "max-autotune", or
      "max-autotune-no-cudagraphs".
    - ``precision="float32"`` (with ``level="fast"``): compute in float32 and complex64; results have these
      dtypes, with ``keep_output_dtype`` those of NumPy. Sums, means and products of elements are accumulated
      in ``accumulate``, "float64" or "float32"; ``keep_float64`` are local names that stay as they are.

    Raises ``ValueError`` for another word and ``TypeError`` for something that is not a Python function.
    """
    _one_of("level", level.upper(), tuple(Level.__members__), level)
    _one_of("verify", verify, (None, "first-call"))
    _one_of("on_mismatch", on_mismatch, ("raise", "warn"))
    _one_of("on_fallback", on_fallback, ("warn", "raise"))
    _one_of("mode", mode, (None, "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"))
    options = options_of(level, precision, accumulate, keep_output_dtype, keep_float64)
    settings = Settings(options, tune, verify, on_mismatch, on_fallback, device, mode)

    def decorate(target: Callable[P, R]) -> Jitted[P, R]:
        if type(target) is not types.FunctionType:
            raise TypeError(
                f"nprewrite.jit takes a Python function, not {target!r}; put it right above `def`"
            )
        return Jitted(target, settings)

    return decorate if function is None else decorate(function)


def options_of(
    level: str = "rounding",
    precision: str | None = None,
    accumulate: str = "float64",
    keep_output_dtype: bool = False,
    keep_float64: Iterable[str] = (),
) -> Options:
    """What the passes are told. Raises ``ValueError`` for other words, and for float32 at another level."""
    _one_of("precision", precision, (None, *PRECISIONS))
    _one_of("accumulate", accumulate, ACCUMULATE)
    names = (keep_float64,) if isinstance(keep_float64, str) else keep_float64
    asked = Precision(accumulate, keep_output_dtype, frozenset(names))
    if precision is None and asked != Precision():
        raise ValueError('accumulate, keep_output_dtype and keep_float64 need precision="float32"')
    if precision is not None and Level[level.upper()] is not Level.FAST:
        raise ValueError(f'precision="{precision}" needs level="fast": results have fewer digits')
    return Options(level=Level[level.upper()], precision=asked if precision is not None else None)


def _one_of(name: str, value: object, allowed: tuple[object, ...], seen: object = None) -> None:
    if value not in allowed:
        words = ", ".join(each.lower() if isinstance(each, str) else repr(each) for each in allowed)
        raise ValueError(f"{name} is one of {words}, not {seen or value!r}")
