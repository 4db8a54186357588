"""What a function is rewritten to, by the types that it is called with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic, ParamSpec, TypeVar

from nprewrite.building import built, filename, is_decorated, lines_of, module_text, own_functions, own_source
from nprewrite.errors import OF_SYNTAX, FallbackError, unheard
from nprewrite.facts.observed import Observed
from nprewrite.facts.values import Callee, Instance, Value
from nprewrite.instances import codes_of_methods, names_in
from nprewrite.loading.lines import Lines
from nprewrite.observing import Observer, observing
from nprewrite.passes.small_arrays import SmallArrays
from nprewrite.rewrite.observation import watched
from nprewrite.rewrite.outcomes import Rewriting, SourceProblem
from nprewrite.rewrite.pipeline import rewrite_source
from nprewrite.runtime.refusal import Place, warn_once
from nprewrite.signatures import Signature, signature_of
from nprewrite.versions import Observation, Settings, Version

P = ParamSpec("P")
R = TypeVar("R")

_SIGNATURES = 8
"""Signatures that one function is rewritten for; further ones run as written."""


class Specializations(Generic[P, R]):
    """The versions of one function: that of its text, and one for each signature of its calls."""

    @unheard(*OF_SYNTAX)
    def __init__(self, function: Callable[P, R], settings: Settings) -> None:
        self.original = function
        self._settings = settings
        self._text = module_text(function)
        self._lines = lines_of(function, self._text or "")
        self._versions: dict[Signature | None, Version[P, R]] = {}
        # A call that raises shows nothing; the next one like it need not be prepared again.
        self._observations: dict[Signature, Observation[P, R]] = {}
        self.callees: dict[tuple[type | None, str], Any] = {}
        """Functions that were looked into, by the class that they are methods of and their names."""
        self._versions[None] = self._build({}, {})

    @property
    def versions(self) -> tuple[Version[P, R], ...]:
        """All of them, that of the text alone first."""
        return tuple(self._versions.values())

    def of_text(self) -> Version[P, R]:
        """What the text alone decides."""
        return self._versions[None]

    def is_stale(self) -> bool:
        """Whether a name of a function that was looked into has been bound to something else since."""
        home = self.original.__globals__
        return any(
            (home.get(name) if kind is None else getattr(kind, name, None)) is not standing
            for (kind, name), standing in self.callees.items()
        )

    def start_anew(self) -> None:
        """Forget what the names of other functions stood for."""
        for known in (self._observations, self.callees, self._versions):
            known.clear()
        self._versions[None] = self._build({}, {})

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

    def learn(self, seen: Observation[P, R]) -> None:
        """Rewrite the function with what has been seen."""
        given = {self.original.__qualname__: dict(seen.signature.values)}
        self._versions[seen.signature] = self._build(given, seen.observer.observed())
        self._observations.pop(seen.signature, None)

    def without_small_arrays(self, version: Version[P, R]) -> Version[P, R]:
        """The version rewritten anew, with array code for rows that are too long for a loop over elements."""
        if SmallArrays.code not in version.rewritten_by:
            return version
        return self._build(version.given, version.observed, frozenset([SmallArrays.code]))

    @unheard(*OF_SYNTAX)
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
                self.callees |= {(value.kind, name): getattr(value.kind, name) for name, _ in value.methods}
        found = own_functions(self.original, self._text, names)
        self.callees |= {(None, name): standing for name, standing in found.items()}
        return frozenset(found)

    @unheard(*OF_SYNTAX)
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
        if not self.callees:
            sites = tuple(site for site in rewriting.sites if site.line in self._lines)
            rewriting = replace(rewriting, sites=sites)
        if not rewriting.changed:
            source = own_source(self._text, name)
            return Version(self.original, source, rewriting, (), given, observed)
        positions = Lines(self._text, rewriting.text, rewriting.origins)
        # Put there as the module was loaded: to its user it is the function that stands in the file.
        loaded = not is_decorated(self.original, self._text)
        made, source, steps = built(self.original, rewriting.text, positions=positions, loaded=loaded)
        for step in steps:
            step.tune = step.tune or self._settings.tune
            step.on_fallback = self._settings.on_fallback
        return Version(made, source, rewriting, tuple(steps), given, observed)
