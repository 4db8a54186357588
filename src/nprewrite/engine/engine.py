"""The engine that applies the passes to a text, each to the result of the one before."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nprewrite.analysis.called_once import is_called_seldom
from nprewrite.analysis.inlining import leads_to_arithmetic, leads_to_array_code
from nprewrite.analysis.operands import (
    array_operations_beside,
    calls_a_parameter,
    computes_in_a_loop,
    may_compute_with_arrays,
)
from nprewrite.base.syntax import names_in
from nprewrite.engine import additions
from nprewrite.engine.outcomes import (
    Decorated,
    Given,
    InternalError,
    Options,
    Outcome,
    Rewriting,
    Site,
    Stage,
    faults_of,
)
from nprewrite.engine.parsing import check_compiles, compile_error, parse
from nprewrite.engine.releasing import releases
from nprewrite.engine.sites import (
    at_a_first_call,
    compiled_elsewhere,
    in_order,
    is_done_in,
    lines_of_body,
    site_of,
    stands_in,
)
from nprewrite.engine.suppressions import Suppressions
from nprewrite.passes.contract import Change, Deferral, Refusal, RewritePass
from nprewrite.passes.level import Level
from nprewrite.program.function import Function, Module
from nprewrite.program.other_compilers import OtherCompilers, other_compilers
from nprewrite.source.document import Document
from nprewrite.source.edits import NodeEdit
from nprewrite.source.functions import computes_in_loops, yields
from nprewrite.source.names import Stars, find_definition, first_line
from nprewrite.source.stars import stars_of
from nprewrite.types.observed import Observed

Passes = tuple[RewritePass[Any, Any], ...]

_MODULE = "<module>"

_DECORATE = "put @nprewrite.jit on the function"

_MOST_ROUNDS = 50
"""How often a pass is repeated while it keeps changing the text."""


@dataclass
class _Collected:
    """What one pass found in one text."""

    edits: list[NodeEdit] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    changed: list[Function] = field(default_factory=list)
    """The functions that the edits change."""


_MANY_OPERATIONS = 8
"""So many of them, beside loops that have become steps, are worth the decorator."""


@dataclass
class Run:
    """The passes over one text; they are run again without the loops whose steps turn out not to compile."""

    all_passes: Passes
    text: str
    filename: str
    options: Options
    given: Given
    only: str | None
    observed: Observed = field(default_factory=dict)
    own: frozenset[str] | None = None
    held: frozenset[str] = frozenset()
    """The qualified names of functions that stay as they are, with what is defined inside them."""
    blocked: dict[tuple[int, int], Site] = field(default_factory=dict)
    """Why the step of the loop at a position did not compile."""
    document: Document = field(init=False)
    module: Module = field(init=False)
    sites: list[Site] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    deferred: list[str] = field(default_factory=list)
    """Functions with a loop that waits for the types of a call."""
    moved: set[int] = field(default_factory=set)
    """The lines of the bodies of loops that run compiled whole: no other pass could do more for them."""
    verified: tuple[str, ...] = ()
    """Functions that the decorator rewrites and verifies, so that they stay as they are here."""

    @cached_property
    def suppressions(self) -> Suppressions:
        """The comments that keep passes away; the text is known to parse."""
        return Suppressions(self.text)

    @cached_property
    def others(self) -> OtherCompilers:
        """What other compilers take: a function with their decorator is meant for them."""
        return OtherCompilers() if self.only is not None else other_compilers(self.text)

    @cached_property
    def _stars(self) -> Stars:
        return stars_of(self.text, self.filename)

    def passes(self, preparing: bool = False) -> None:
        """Run all selected passes, or only those that prepare a function, on the text as written."""
        self._take(parse(self.text, self._stars))
        self.sites, self.stages, self.deferred, self.moved = [], [], [], set()
        for each in self.all_passes:
            if not self.options.runs(each.code) or (preparing and not each.prepares):
                continue
            rounds = 1
            while self._changed_by(each) and each.repeats and rounds < _MOST_ROUNDS:
                rounds += 1
            if self.options.stop_after in {each.code, each.name}:
                break
        self._check_result()

    def prepared(self) -> Module:
        """The module after the passes that prepare the function that is about to be rewritten."""
        self.passes(preparing=True)
        return self.module

    def _check_result(self) -> None:
        """Raise ``InternalError`` for a result that does not compile, naming the pass that broke it."""
        if not self.stages or compile_error(self.document.text, self.filename) is None:
            return
        check_compiles(self.text, self.filename)
        errors = ((each, compile_error(each.after, self.filename)) for each in self.stages)
        broken, error = next(pair for pair in errors if pair[1] is not None)
        raise InternalError(
            f"pass {broken.pass_name} ({broken.code}) produced text that does not compile: {error}"
        ) from error

    def _changed_by(self, each: RewritePass[Any, Any]) -> bool:
        """Run one pass over the text; whether it changed it."""
        with faults_of(f"pass {each.name} ({each.code})"):
            collected = self._collect(each)
        after = self._applied(each, collected) if collected.edits or collected.changes else None
        self.sites += collected.sites
        if after is None:
            return False
        before = self.document
        lines = before.user_lines, after.user_lines
        self.stages.append(Stage(each.code, each.name, before.text, after.text, *lines))
        self._take(after)
        return True

    def _applied(self, each: RewritePass[Any, Any], collected: _Collected) -> Document:
        """The document after the edits of a pass."""
        try:
            with faults_of(f"pass {each.name} ({each.code})"):
                return self._edited(each, collected)
        except InternalError as fault:
            fault.functions = frozenset(map(self._written_as, collected.changed))
            raise

    def _edited(self, each: RewritePass[Any, Any], collected: _Collected) -> Document:
        added = additions.edits(self.document, collected.changes, self.options.on_fallback)
        try:
            return self.document.replaced([*collected.edits, *added])
        except (SyntaxError, ValueError) as error:
            check_compiles(self.text, self.filename)
            raise InternalError(
                f"pass {each.name} ({each.code}) produced text that does not compile: {error}"
            ) from error

    def _written_as(self, function: Function) -> str:
        """The name of the function as written that a function is, or that its loop was taken from."""
        if isinstance(function.node, ast.Module):
            return function.name
        line = self.document.position(function.node)[0]
        around = [
            each
            for each in Module(parse(self.text), {}).functions
            if not isinstance(each.node, ast.Module)
            and first_line(each.node) <= line <= (each.node.end_lineno or each.node.lineno)
        ]
        return around[-1].name if around else _MODULE

    def _take(self, document: Document) -> None:
        """Continue with ``document``, for which facts are kept until it changes."""
        self.document = document
        self.module = Module(
            document,
            self.given,
            jitted=self.only,
            observed=self.observed,
            own=self.own,
            precision=self.options.precision,
        )

    def block_uncompiled(self) -> bool:
        """Note new loops whose step a later pass refused: a step that is not compiled only costs copies.

        Returns whether there were any.
        """
        last = self.all_passes[-1]
        wanted = self.options.runs(last.code) and self.options.stop_after in {None, last.code, last.name}
        done = (site for site in self.sites if site.outcome is Outcome.REWRITTEN)
        extracting = {each.code for each in self.all_passes if each.extracts}
        extracted = {site.place for site in done if site.code in extracting}
        later = {"NPR201", "NPR402", "NPR601"}
        refused = [site for site in self.sites if site.code in later and site.outcome is Outcome.REFUSED]
        new = {site.place: site for site in reversed(refused) if site.place in extracted}
        known = len(self.blocked)
        self.blocked.update(new)
        return wanted and len(self.blocked) > known

    def rewriting(self) -> Rewriting:
        self._settle()
        found = self.sites
        if self.options.leaves_to_the_decorator and self.only is None:
            found = self._leave_to_the_decorator()
        if self.only is None and self.options.leaves_array_code:
            found = self._leave_array_code(found)
        self.deferred = [each for each in self.deferred if each not in self.options.unpaid]
        self.deferred += sorted(self.options.paid)
        unfinished = tuple(self._unfinished()) if self.suppressions.all else ()
        if self.deferred and self.only is None:
            arguments = self.options.jit_arguments
            decorators = additions.decorators(self.document, self.deferred, arguments)
            self.document = self.document.replaced(decorators)
        if self.only is not None:
            self._release(self.only)
        codes = {each.code for each in self.all_passes}
        unused = self.suppressions.unused(self.options, codes, unfinished) if self.only is None else ()
        found = [site for site in found if site.outcome is not Outcome.REFUSED or site.line not in self.moved]
        sites = in_order({*found, *self.blocked.values(), *unused})
        lines = self.document.user_lines
        return Rewriting(self.text, self.document.text, sites, tuple(self.stages), lines)

    def _release(self, name: str) -> None:
        """Let go of what added names hold; in a file, people would have to read that."""
        node = find_definition(self.document.tree, name)
        if self.document.text != self.text and isinstance(node, ast.FunctionDef):
            self.document = self.document.replaced([*releases(node, parse(self.text).tree)])

    def _leave_array_code(self, sites: list[Site]) -> list[Site]:
        """Have functions with array code get the decorator; the sites: those in them are looked at again."""
        names = [each for each in self._with_array_code() if each not in self.deferred]
        nodes = additions.decoratable(parse(self.text), names)
        self.deferred += names
        return [
            at_a_first_call(site, "looked at again")
            if site.outcome is Outcome.REFUSED and any(stands_in(site, node) for node in nodes)
            else site
            for site in sites
        ]

    def _with_array_code(self) -> Iterator[str]:
        """The functions with array code, or much of it, of which no pass has made a step: the decorator does.

        In a file that people keep, what a pass has rewritten stays rewritten.
        """
        kept = self.options.decorated is Decorated.LOOPS
        extracting = {each.code for each in self.all_passes if each.extracts}
        done = {
            each.line
            for each in self.sites
            if each.outcome is Outcome.REWRITTEN and each.code in extracting and not kept
        }
        # A file that people keep is judged as the next run finds it, which is to change nothing. What the
        # passes have found out of a text that none has changed is kept, too.
        same = kept or self.document.text == self.text
        module = self.module if same else Module(parse(self.text), {})
        for function in module.functions:
            node = function.node
            if not isinstance(node, ast.FunctionDef) or not function.can_defer or yields(function.node):
                continue
            others = function.name in self.held or self.others.compiler_of(function.name) is not None
            # What has been rewritten there stays as it is.
            if others or (kept and names_in(node) & module.taken_out):
                continue
            if done.isdisjoint(_lines(node)):
                worth = _is_worth_a_call(function, self.options.decorated)
            else:
                # What is around a loop that has become a step may be as much.
                worth = array_operations_beside(done, function) >= _MANY_OPERATIONS
            if worth:
                yield function.name

    def _unfinished(self) -> Iterator[range]:
        """The lines, in the user's text, of functions that are held, or that have or get the decorator."""
        for function in self.module.functions:
            node = function.node
            if isinstance(node, ast.Module):
                continue
            known = {*self.deferred, *self.held}
            if function.name in known or any(map(function.is_jit, node.decorator_list)):
                last = node.end_lineno or node.lineno
                origins = self.document.origins
                yield range(origins[node.lineno - 1].line, origins[last - 1].line + 1)

    def _settle(self) -> None:
        """Run the passes until no loop is left whose step is not compiled."""
        self.passes()
        while self.block_uncompiled():
            self.passes()

    def _leave_to_the_decorator(self) -> list[Site]:
        """Run the passes again without the functions that the decorator rewrites; the sites."""
        before = parse(self.text)
        changed = [
            node
            for node in additions.decoratable(before, list(before.names.definitions))
            if any(is_done_in(site, node) for site in self.sites)
            or (self.options.computes_in_single and node.name in self.deferred)
        ]
        # Functions that have the decorator already, also from an earlier run, are rewritten by it.
        carrying = dict(additions.decorated(Module(before, {})))
        waiting = [
            at_a_first_call(site, "verified" if self.options.verify is not None else "rewritten")
            for site in self.sites
            if any(is_done_in(site, node) for node in (*changed, *carrying.values()))
        ]
        if self.options.computes_in_single:
            waiting += [site for site in self.sites if site.outcome is Outcome.DEFERRED]
        others = (site for site in self.sites if site.outcome is not Outcome.REWRITTEN)
        waiting += [site for site in others if any(stands_in(site, node) for node in carrying.values())]
        names = tuple(node.name for node in changed)
        self.verified = (*names, *carrying)
        self._settle()
        self.deferred += names
        return [*self.sites, *waiting]

    def _collect(self, each: RewritePass[Any, Any]) -> _Collected:
        collected = _Collected()
        module = self.module.with_attributes if each.names_attributes else self.module
        faults: list[InternalError] = []
        for function in module.functions:
            if self.only is not None and function.name != self.only and function.step is None:
                continue
            if any(f"{function.name}.".startswith(f"{name}.") for name in (*self.verified, *self.held)):
                continue
            try:
                with faults_of(f"pass {each.name} ({each.code})"):
                    self._look_at(each, function, collected)
            except InternalError as fault:
                fault.functions = frozenset({self._written_as(function)})
                faults.append(fault)
        if faults:
            # A pass that fails in all functions is reported once.
            faults[0].functions = frozenset[str]().union(*(each.functions for each in faults))
            raise faults[0]
        return collected

    def _look_at(self, each: RewritePass[Any, Any], function: Function, collected: _Collected) -> None:
        """Run one pass over a function."""
        compiler = self.others.compiler_of(function.name)
        for site in each.match(function):
            if compiler is not None:
                collected.sites.append(compiled_elsewhere(function, compiler))
                break
            self._examine(each, site, function, collected)

    def _examine(
        self, each: RewritePass[Any, Any], site: Any, function: Function, collected: _Collected
    ) -> None:
        node = each.node(site)
        if self.suppressions.hold_site(each.code, node, function):
            return
        result = self._result(each, site, function)
        level = None
        if not isinstance(result, Refusal | Deferral):
            result, level = each.rewrite(site, result, function), each.level_of(site, function)
            if self.suppressions.hold_edits(each.code, result.edits, self.document):
                return
            collected.edits += result.edits
            collected.changes.append(result)
            collected.changed.append(function)
            self.moved |= lines_of_body(result, self.document)
        collected.sites.append(site_of(each, node, result, function, level))

    def _result(self, each: RewritePass[Any, Any], site: Any, function: Function) -> Any:
        """What ``check`` says, unless the level or an earlier run of the passes has decided."""
        if each.level is Level.FAST and self.options.level is not Level.FAST:
            return Refusal("needs-fast", "float32 results have fewer digits")
        if each.level_of(site, function) > self.options.level:
            return Refusal("needs-rounding", "the result may be rounded differently")
        place = function.document.position(each.node(site))
        if each.extracts and place in self.blocked:
            why = self.blocked[place]
            return Refusal("body-refused", f"its step is not compiled: {why.code} {why.verdict}")
        result = each.check(site, function)
        if not isinstance(result, Deferral):
            return result
        name = result.called or function.name
        if each.waits and name not in self.deferred:
            self.deferred.append(name)
        # Only loops are worth waiting for: sites in one wait with it, others are refused.
        waits = name in self.deferred
        return result if waits else Refusal("dtype-unknown", result.message, help=_DECORATE)


def _is_worth_a_call(function: Function, decorated: Decorated) -> bool:
    """Whether the types of a call would show more of what the function computes.

    What a loop calls may be all that computes; the decorator follows it in a function called seldom.
    """
    if computes_in_a_loop(function) or calls_a_parameter(function):
        return True
    loaded = decorated is Decorated.ARRAY_CODE
    if loaded and (may_compute_with_arrays(function) or computes_in_loops(function.node)):
        return True
    if loaded and leads_to_arithmetic(function):
        return True
    seldom = "." not in function.name and is_called_seldom(function.name, function.document.tree)
    return seldom and leads_to_array_code(function)


def _lines(node: ast.FunctionDef) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
