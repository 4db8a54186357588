"""What there is to compare in a file: the functions that rewriting changes, and those that call them.

Only the text is read here; none of the user's code runs. A call is followed by name, without knowing what the
name stands for: a function may be compared needlessly, but none that calls a rewritten one is missed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nprewrite.analysis.inlining import uses_arrays
from nprewrite.base.syntax import words_in
from nprewrite.engine import additions
from nprewrite.engine.outcomes import Options, Outcome, Site
from nprewrite.engine.pipeline import EXTRACTING, rewrite_source
from nprewrite.engine.sites import at_a_first_call
from nprewrite.passes.compile_step import CompileStep
from nprewrite.passes.level import Level
from nprewrite.program.function import Function, Module
from nprewrite.source.document import Document
from nprewrite.source.names import first_line
from nprewrite.verification.problems import CannotVerify


@dataclass(frozen=True)
class Target:
    """A function to compare; ``name`` is ``f`` or ``Class.method``.

    ``direct`` means that it is rewritten itself, not only what it calls. ``exact`` means that every rewrite
    keeps all bits, ``exact_compiled`` that torch.compile keeps them too. ``loops`` means that a loop was
    rewritten, so that a case which runs no step has not reached it.
    """

    name: str
    direct: bool
    exact: bool
    exact_compiled: bool
    loops: bool


@dataclass(frozen=True)
class Plan:
    """The targets in the order of the text, and sentences on what is not compared."""

    targets: tuple[Target, ...]
    notes: tuple[str, ...] = ()


def plan(path: str, text: str, sites: Sequence[Site], wanted: str | None = None) -> Plan:
    """The functions of ``text`` to compare; only ``wanted`` where it is given.

    ``text`` is the file before rewriting, ``sites`` what the passes said of it. Raises ``CannotVerify`` where
    the file is rewritten already, where nothing in it is rewritten, and where ``wanted`` is not such a
    function.
    """
    module = Module(Document(text), {})
    if module.steps:
        raise CannotVerify(
            f"{path} is rewritten already (it declares the step `{next(iter(module.steps))}`), and what "
            "is compared is a file before and after rewriting: give the file as it was before"
        )
    functions = {each.name: each for each in module.functions if isinstance(each.node, _DEFINITIONS)}
    own = _sites_of(functions, sites)
    changed = [name for name, function in functions.items() if own[name] or _is_jitted(function)]
    calls = {name: _called(function, functions) for name, function in functions.items()}
    targets = tuple(_targets(functions, own, changed, calls))
    if wanted is not None:
        return Plan((_chosen(path, wanted, targets, functions, sites),))
    loose = [site.line for site in sites if _counts(site) and not any(site in each for each in own.values())]
    notes = tuple(f"{path}:{line}: not compared, because it is in no function" for line in sorted(set(loose)))
    if notes and not targets:
        text = "what is rewritten is in no function, and calls of functions are compared: put it into one"
        raise CannotVerify("\n".join((text, *notes)))
    if not targets:
        raise CannotVerify(_nothing(path, path, sites))
    return Plan(targets, notes)


def left_to_the_decorator(
    path: str, before: str, after: str, sites: Sequence[Site], wanted: Iterable[str], options: Options
) -> tuple[str, tuple[Site, ...]]:
    """The text after rewriting, and its sites, with the decorator on functions of which only that makes more.

    In a file, statements outside of loops stay as they are; ``wanted`` names the functions to look at. Raises
    ``InternalError``.
    """
    module = Module(Document(before), {})
    functions = {each.name: each for each in module.functions if isinstance(each.node, _DEFINITIONS)}
    own = _sites_of(functions, sites)
    made: dict[str, list[Site]] = {}
    for name in wanted:
        node = functions[name].node if name in own and not own[name] and "<locals>" not in name else None
        if (
            isinstance(node, ast.FunctionDef)
            and not node.decorator_list
            and uses_arrays(node, functions[name])
        ):
            found = rewrite_source(before, path, options, only=name).sites
            made[name] = [at_a_first_call(each, "rewritten") for each in found if _counts(each)]
    names = [name for name, found in made.items() if found]
    if not names:
        return after, tuple(sites)
    document = Document(after)
    text = document.replaced([*additions.decorators(document, names, options.jit_arguments)]).text
    return text, (*sites, *(site for found in made.values() for site in found))


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _counts(site: Site) -> bool:
    return site.outcome is not Outcome.REFUSED


def _sites_of(functions: Mapping[str, Function], sites: Sequence[Site]) -> dict[str, list[Site]]:
    """The sites that change in each function; those of a nested function count for the outer one."""
    lines = {name: _lines(function) for name, function in functions.items()}
    return {name: [each for each in sites if _counts(each) and each.line in lines[name]] for name in lines}


def _lines(function: Function) -> range:
    node = function.node
    if isinstance(node, ast.Module) or "<locals>" in function.name:
        return range(0)
    return range(first_line(node), (node.end_lineno or node.lineno) + 1)


def _is_jitted(function: Function) -> bool:
    node = function.node
    return not isinstance(node, ast.Module) and any(function.is_jit(each) for each in node.decorator_list)


def _called(function: Function, functions: Mapping[str, Function]) -> set[str]:
    """The functions whose last name occurs in this one: ``f()``, ``self.method()``, ``f`` as an argument."""
    used = words_in(function.node)
    return {name for name in functions if name.rpartition(".")[2] in used}


def _targets(
    functions: Mapping[str, Function],
    own: Mapping[str, list[Site]],
    changed: Sequence[str],
    calls: Mapping[str, set[str]],
) -> Iterator[Target]:
    for name in functions:
        met = [each for each in _reached(name, calls) if each in changed]
        if not met or "<locals>" in name:
            continue
        sites = [site for each in met for site in own[each]]
        known = all(own[each] for each in met)
        yield Target(
            name,
            direct=name in changed,
            exact=known and all(_is_exact(site) for site in sites if site.code != CompileStep.code),
            exact_compiled=known and all(_is_exact(site) for site in sites),
            loops=not known or any(site.code in EXTRACTING for site in sites),
        )


def _is_exact(site: Site) -> bool:
    return site.outcome is Outcome.REWRITTEN and site.level is Level.EXACT


def _reached(name: str, calls: Mapping[str, set[str]]) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        new = calls[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _chosen(
    path: str,
    wanted: str,
    targets: Sequence[Target],
    functions: Mapping[str, Function],
    sites: Sequence[Site],
) -> Target:
    for target in targets:
        if target.name == wanted:
            return target
    if "<locals>" in wanted or any(name.endswith(f".<locals>.{wanted}") for name in functions):
        raise CannotVerify(f"{wanted} is defined inside another function: name the outer function")
    if wanted not in functions:
        known = ", ".join(target.name for target in targets) or "none"
        raise CannotVerify(f"{path} has no function {wanted}; the functions to compare are: {known}")
    here = _lines(functions[wanted])
    raise CannotVerify(_nothing(path, wanted, [site for site in sites if site.line in here]))


def _nothing(path: str, what: str, sites: Sequence[Site]) -> str:
    """The sentence that nothing is rewritten, with what the passes said."""
    refused = [site.describe(path) for site in sites if not _counts(site)]
    return "\n".join((f"nothing in {what} is rewritten, so there is nothing to compare", *refused))
