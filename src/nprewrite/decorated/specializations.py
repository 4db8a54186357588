"""What a function is rewritten to, for each combination of argument types."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar, cast

from nprewrite.base.errors import OF_SYNTAX, FallbackError, reported, unheard
from nprewrite.decorated import kept
from nprewrite.decorated.ahead import Asked, Task
from nprewrite.decorated.building import built, filename, is_decorated, own_functions, own_source
from nprewrite.decorated.definitions import (
    Definition,
    Rewritten,
    class_around,
    definition_of,
    is_stale,
    read,
    types_around,
)
from nprewrite.decorated.handed import names_of
from nprewrite.decorated.instances import names_in
from nprewrite.decorated.kept import Question
from nprewrite.decorated.lines import Lines
from nprewrite.decorated.observing import Observer, observing, without_a_run
from nprewrite.decorated.original import decorated_by
from nprewrite.decorated.own_attributes import in_class, method_of
from nprewrite.decorated.shown_by_calls import in_place_of_calls
from nprewrite.decorated.signatures import Signature, signature_of
from nprewrite.decorated.turns import CallClass
from nprewrite.decorated.versions import Observation, Settings, Version
from nprewrite.engine.deep import with_room
from nprewrite.engine.outcomes import InternalError, Rewriting, Watched
from nprewrite.runtime.api.refusal import Place, remember, warn_once
from nprewrite.runtime.choosing.choice import Choice
from nprewrite.source.excerpt import excerpt
from nprewrite.source.problems import SourceProblem
from nprewrite.types.observed import Observed
from nprewrite.types.values import Callee, Instance, Literals, Value

P = ParamSpec("P")
R = TypeVar("R")

_SIGNATURES = 16
"""For how many signatures one function is rewritten; for further ones its text alone decides."""


class Specializations(Generic[P, R]):
    """The versions of one function: one from its text alone, and one for each signature of its calls."""

    @unheard(*OF_SYNTAX)
    def __init__(
        self,
        function: Callable[P, R],
        settings: Settings,
        text: str | None = None,
        file_text: str | None = None,
    ) -> None:
        """``text`` is that of the function's module, where it is another than ``file_text``, its file's."""
        self.original = function
        self._file_text = file_text
        self._settings = settings
        self._is_rest = text is not None
        self._definition = definition_of(function, settings) if text is None else read(function, text)
        self._private = self._definition.private()
        self._of_text: Version[P, R] | None = None
        self._parameters: tuple[object, inspect.Signature | None] = None, None
        self._versions: dict[Signature, Version[P, R]] = {}
        # Kept, because a call that raises shows nothing, and the next one need not be prepared again.
        self._observations: dict[Signature, Observation[P, R]] = {}
        # What another process was asked for, for types of which something has been seen or not.
        self._asked: dict[tuple[Signature | None, bool], Asked] = {}
        self.callees: dict[tuple[type | None, str], Any] = {}
        """Functions that were read too, by name and, for methods, by class."""
        self.leaves_out = False
        """Whether it calls functions that are rewritten for calls of their own."""
        self.unspecialized = 0
        """How many calls had a signature for which the function was not rewritten, there being too many."""
        self.last: Version[P, R] | None = None
        """What ran last."""
        if self._definition.text is None:
            self._of_text = self.version_for(None)

    @property
    def text_of_called_seldom(self) -> str | None:
        """The text of the module, for a function that its script calls a few times; None for any other."""
        return self._definition.text if self._definition.called_seldom else None

    @property
    def loops_by_itself(self) -> bool:
        """Whether it has loops of its own, and calls that are not brief."""
        return self._definition.has_loops and not self._definition.is_brief

    def note_brief(self) -> None:
        """Note that its calls are so short that most of them pass unseen."""
        self._definition.note_brief()

    @property
    def flags(self) -> Mapping[str, Literals]:
        """The parameters whose values choose between statements."""
        return self._definition.flags

    def signature(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Signature | None:
        """The signature of a call; None where the arguments do not fit."""
        function, chains = self.original, self._definition.chains
        defaults, parameters = self._parameters
        # Someone may set other defaults, and change those of keywords in place.
        if parameters is None or defaults is not function.__defaults__ or function.__kwdefaults__:
            parameters = inspect.signature(function)
            self._parameters = function.__defaults__, parameters
        return signature_of(function, parameters, args, kwargs, self.flags, chains)

    @property
    def of_text(self) -> Version[P, R]:
        """The version of the text alone."""
        if self._of_text is None:
            self._of_text = self.version_for(None)
        return self._of_text

    @property
    def source(self) -> str:
        """The text of the version that was called last; as long as nothing is rewritten, as it is written."""
        known, text = self.last or self._of_text, self._definition.text
        if known is not None or text is None:
            return (known or self.of_text).source
        return own_source(text, self.original.__qualname__)

    @property
    def turns(self) -> dict[CallClass, Choice]:
        """The turns, shared by functions of the same definition with alike variables and defaults."""
        local = _is_local(self.original.__qualname__.rpartition(".")[0])
        return (self._private if local else self._definition).turns.setdefault(
            class_around(self.original), {}
        )

    @property
    def versions(self) -> tuple[Version[P, R], ...]:
        """All versions, that of the text alone first."""
        return (self.of_text, *self._versions.values())

    @property
    def is_awaited(self) -> bool:
        """Whether another process is finding out what the function becomes."""
        return any(not each.is_over for each in self._asked.values())

    def is_stale(self) -> bool:
        """Whether the name of a function that was read has been bound to something else since."""
        return bool(self.callees) and is_stale(self.callees, self.original.__globals__)

    def start_anew(self) -> None:
        """Forget all that rests on what the names of other functions stood for."""
        definition = self._definition
        for known in (
            *(self._observations, self._asked, self.callees, self._versions),
            *(definition.watched, definition.observed),
        ):
            known.clear()
        self.last = self._of_text = None

    def for_call(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, waits: bool
    ) -> Version[P, R] | Observation[P, R] | None:
        """What runs for such arguments: a version, or at first the function as written, observing types.

        None where that would have to be found out first, and the call does not wait.
        """
        signature = self.signature(args, kwargs)
        if self._definition.text is None:
            return self.of_text
        if signature is None:
            # The call itself raises.
            return self.of_text if waits else None
        if signature in self._versions:
            return self._versions[signature]
        if len(self._versions) >= _SIGNATURES:
            self.unspecialized += 1
            # Nothing that the callers of a versatile helper could change: only the report says so.
            self._fall_back(f"it was called with more than {_SIGNATURES} signatures", told=False)
            return self.of_text if waits or self._is_found(None, {}) else None
        home, key = self._kept_in(signature), self._key(signature)
        if home.known(key):
            return self.version_for(signature)
        if not waits and self._is_being_found(signature):
            return None
        seen = self._shown(signature)
        if not waits and not self._is_found(signature, seen):
            return None
        if seen is not None:
            return self.version_for(signature, seen)
        text = self._watched(signature)
        if text is None:
            return self.version_for(signature)
        if self._settings.options.computes_in_single:
            # An observed call would have to run once more, rewritten, and others would see both.
            return self.version_for(signature, without_a_run(self.original, text.places, args, kwargs))
        return self._observation(signature, text)

    def ask(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Have another process find out what runs for such arguments."""
        signature = self.signature(args, kwargs)
        if signature is None or self._definition.text is None or signature in self._versions:
            return
        if self._is_being_found(signature):
            return
        seen = self._shown(signature)
        if len(self._versions) >= _SIGNATURES:
            signature, seen = None, {}
        asked = signature, seen is None
        if asked not in self._asked and not self._is_found(signature, seen):
            self._asked[asked] = Asked(Task(self.question(signature), filename(self.original), seen))

    def _is_being_found(self, signature: Signature) -> bool:
        """Whether another process has been asked, and has not answered: to look what is kept takes longer."""
        asked = (self._asked.get((signature, unseen)) for unseen in (True, False))
        return any(each is not None and not each.is_over for each in asked)

    def _is_found(self, signature: Signature | None, seen: Observed | None) -> bool:
        """Whether what is needed next is known here, or in the cache, or no other process finds it out.

        That is what to observe, as long as nothing was seen, and then what the function is rewritten to.
        """
        asked = self._asked.get((signature, seen is None))
        if asked is not None and asked.is_over:
            return True
        if signature is None and self._of_text is not None:
            return True
        question = self.question(signature)
        if seen is not None:
            return kept.answer(question, seen) is not None
        assert signature is not None
        return self._key(signature) in self._kept_in(signature).watched or kept.watched(question) is not None

    def _shown(self, signature: Signature) -> Observed | None:
        """What an observed call showed, of this process or an earlier one; None where none has been made."""
        home, key = self._kept_in(signature), self._key(signature)
        seen = home.observed.get(key)
        if seen is not None and not is_stale(seen[0], home.home):
            return seen[1]
        earlier = kept.observed(self.question(signature))
        return {} if earlier is None and self._definition.called_once else earlier

    def learn(self, seen: Observation[P, R]) -> None:
        """Keep the observed types for the next such call, if it comes, which has the function rewritten."""
        home, shown = self._kept_in(seen.signature), seen.observer.observed()
        home.observed[self._key(seen.signature)] = dict(self.callees), shown
        self._observations.pop(seen.signature, None)
        kept.keep_observed(self.question(seen.signature), shown)
        self._definition.note_shown(shown)

    @property
    def shown(self) -> Observed:
        """What its calls have shown, in this process or an earlier one."""
        return self._definition.shown

    def shown_by_callees(self) -> Observed:
        """What calls of the functions that were read have shown, for their statements in place of calls."""
        known = [decorated_by(standing) for standing in self.callees.values()]
        shown = (in_place_of_calls(each.original, each.shown) for each in known if each is not None)
        return {place: value for each in shown for place, value in each.items()}

    def without_small_arrays(self, version: Version[P, R]) -> Version[P, R]:
        """The version rewritten again, with array code in place of loops over small arrays."""
        small_arrays = rewriter().SMALL_ARRAYS
        if small_arrays not in version.rewritten_by:
            return version
        ignored = frozenset([small_arrays])
        of_signatures = self._versions.items()
        signature = next(
            (each for each, known in of_signatures if known.rewriting is version.rewriting), None
        )
        return self._made(signature, version.observed, ignored).of(self.original)

    def _key(self, signature: Signature | None, ignored: frozenset[str] = frozenset()) -> Any:
        """The key of what this function is rewritten to, among the functions of its definition."""
        return signature, signature and types_around(self.original), ignored

    def _kept_in(self, signature: Signature | None) -> Definition:
        """Where the version for a signature is kept: a local class must not keep its functions alive."""
        values = [] if signature is None else [value for _, value in signature.values]
        local = any(_is_local(each.kind.__qualname__) for each in _instances(values))
        return self._private if local else self._definition

    @unheard(*OF_SYNTAX)
    @with_room
    def _observation(self, signature: Signature, text: Watched) -> Observation[P, R]:
        """The function as written, showing what its text does not tell."""
        if signature in self._observations:
            return self._observations[signature]
        observer = Observer(text.places)
        made = Observation(observing(self.original, text, observer), observer, signature)
        if len(self._observations) < _SIGNATURES:
            self._observations[signature] = made
        return made

    @unheard(*OF_SYNTAX)
    @with_room
    def _watched(self, signature: Signature) -> Watched | None:
        known, key = self._kept_in(signature).watched, self._key(signature)
        if key not in known:
            question = self.question(signature)
            try:
                known[key] = kept.watched(question)
                if known[key] is None:
                    known[key] = rewriter().watched(question, filename(self.original))
                    kept.keep_watched(question, known[key])
            except (SourceProblem, InternalError):
                # Reported when the function was decorated, or when it is rewritten.
                known[key] = None
        return known[key]

    def question(self, signature: Signature | None, ignored: frozenset[str] = frozenset()) -> Question:
        """All that decides what the function is rewritten to, except for what calls showed."""
        original, text, options = self.original, self._definition.text, self._settings.options
        assert text is not None
        given = {} if signature is None else {self.original.__qualname__: dict(signature.values)}
        callees = self._callees(given)
        self.callees.update(callees)
        read = {name for kind, method in callees for name in (method, kind and kind.__name__) if name}
        return Question(
            with_room(excerpt)(text, original.__qualname__, read),
            original.__qualname__,
            original.__code__.co_firstlineno,
            replace(options, ignore=options.ignore | ignored),
            given,
            types_around(original),
            _functions_among(callees),
            self._definition.stars,
        )

    def functions_read(self, signature: Signature) -> frozenset[str]:
        """The functions of the file that rewriting for a signature reads, as things are now."""
        return _functions_among(self._callees({self.original.__qualname__: dict(signature.values)}))

    def version_for(self, signature: Signature | None, observed: Observed | None = None) -> Version[P, R]:
        """The version for a signature and for types that expressions have had."""
        definition = self._definition
        if definition.text is not None:
            try:
                made = self._made(signature, observed or {})
            except SourceProblem as problem:
                definition.unreadable(problem)
            except InternalError as fault:
                definition.text = None
                definition.problem = reported(fault)
        if definition.text is None:
            self._fall_back(definition.problem)
            version = Version(self.original, "", Rewriting("", ""))
        else:
            self.callees.update(made.callees)
            version = made.of(self.original)
        if signature is not None:
            self._versions[signature] = version
        return version

    def _made(
        self, signature: Signature | None, observed: Observed, ignored: frozenset[str] = frozenset()
    ) -> Rewritten:
        """What the function is rewritten to; shared with other functions of its definition."""
        home, key = self._kept_in(signature), self._key(signature, ignored)
        made = home.known(key)
        if made is None:
            made = home.rewritten[key] = self._build(self.question(signature, ignored), observed)
        return made

    def _fall_back(self, why: str, *, told: bool = True) -> None:
        """Report that the function runs as written: by ``FallbackError``, if asked for, or by one warning."""
        code = self.original.__code__
        place = Place(filename(self.original), code.co_firstlineno, code)
        text = f"`{self.original.__qualname__}` runs as written: {why}"
        if self._settings.on_fallback == "raise":
            raise FallbackError(f"{place.file}:{place.line}: {text}")
        if told:
            warn_once(place, why, text)

    def _callees(self, given: Mapping[str, Mapping[str, Value]]) -> dict[tuple[type | None, str], Any]:
        """The functions of the file that rewriting for a call reads, and the methods of its arguments."""
        assert self._definition.text is not None
        arguments = [value for values in given.values() for value in values.values()]
        names = frozenset[str]().union(*(names_of(each) for each in arguments if isinstance(each, Callee)))
        callees: dict[tuple[type | None, str], Any] = {}
        for value in _instances(arguments):
            methods = {name: method_of(value.kind, name) for name, _ in value.methods}
            names = names.union(*(names_in(each.__code__) for each in methods.values() if each is not None))
            callees |= {(value.kind, name): in_class(value.kind, name) for name in methods}
            held = (each for _, each in value.attributes if isinstance(each, Callee))
            names = names.union(*map(names_of, held))
        found = own_functions(self.original, self._definition.text, names) if given else {}
        if self._is_rest or self._definition.called_once:
            # What has loops of its own is rewritten for its own calls, of which more is known and kept.
            left = {name: each for name, each in found.items() if not _loops_by_itself(each)}
            self.leaves_out, found = len(left) < len(found), left
        return callees | {(None, name): standing for name, standing in found.items()}

    @unheard(*OF_SYNTAX)
    @with_room
    def _build(self, question: Question, observed: Observed) -> Rewritten:
        """The function rewritten. Raises ``SourceProblem`` and ``InternalError``."""
        original, text, name = self.original, question.text, question.qualname
        answer = kept.answer(question, observed)
        if answer is None:
            answer = rewriter().answered(question, filename(original), observed)
            kept.keep_answer(question, observed, answer)
        rewriting, callees = answer.rewriting, self._callees(question.given)
        if not callees:
            sites = tuple(site for site in rewriting.sites if site.line in self._definition.lines)
            rewriting = replace(rewriting, sites=sites)
        known = answer.only_prepared, (), question.given, observed
        made: Version[..., Any] = Version(cast("Any", None), "", rewriting, *known)
        if not rewriting.changed:
            return Rewritten(replace(made, source=own_source(text, name)), callees)
        positions = Lines(self._file_text or text, rewriting.text, rewriting.origins)
        # Decorated as the module was loaded: its user sees the function that stands in the file.
        loaded = not is_decorated(original, text)
        function, source, steps = built(original, rewriting.text, positions=positions, loaded=loaded)
        written = function.__code__.co_filename
        if not loaded and written != filename(original):
            remember(written, filename(original), rewriting.origins)
        for step in steps:
            step.tune = step.tune or self._settings.tune
            step.is_waited_for = step.is_waited_for or self._settings.waits
            step.on_fallback = self._settings.on_fallback
        return Rewritten(replace(made, function=function, source=source, steps=tuple(steps)), callees)


def rewriter() -> ModuleType:
    """The rewriter, which is imported when the first function is rewritten."""
    return import_module("nprewrite.decorated.rewriting")


def _functions_among(callees: Iterable[tuple[type | None, str]]) -> frozenset[str]:
    return frozenset(name for kind, name in callees if kind is None)


def _loops_by_itself(function: Any) -> bool:
    """Whether a function is decorated, has loops of its own, and calls that are not brief."""
    decorated = decorated_by(function)
    return decorated is not None and decorated.loops_by_itself


def _instances(values: Iterable[Value]) -> Iterator[Instance]:
    """What is known of objects, and of those that they hold."""
    for each in values:
        if isinstance(each, Instance):
            yield each
            yield from _instances(value for _, value in each.attributes)
        elif isinstance(each, Callee):
            yield from _instances(value for _, value in each.variables)


def _is_local(qualname: str) -> bool:
    """Whether the name is that of a class defined in a function."""
    return "<locals>" in qualname and not qualname.endswith("<locals>")
