"""What passes share that move a loop, as written, into a function that Numba compiles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import ClassVar, TypeVar

import libcst as cst

from nprewrite.base.syntax import expression_tree, name_nodes, root_name, walk
from nprewrite.emit.steps.text import attribute_names
from nprewrite.passes.contract import AddedFunction, Change, Deferral, LoopPass, LoopSite, Refusal
from nprewrite.passes.level import Level
from nprewrite.passes.reasons import stays
from nprewrite.program.function import Function
from nprewrite.program.steps import NativeSpec
from nprewrite.regions.native.loops import NativeRegion
from nprewrite.regions.native.results import names_read_after
from nprewrite.source.edits import Replace, replace_run
from nprewrite.source.nodes import Statement, expression, fitted, statements
from nprewrite.types.problems import Problem

Found = TypeVar("Found")


Site = LoopSite[NativeRegion]


class MovedLoop(LoopPass[NativeRegion]):
    """A pass whose sites are the loops that ``regions`` finds, and has followed.

    The function's name ends in ``word``; ``spec`` is its decorator.
    """

    regions: ClassVar[staticmethod[[Function], Iterator[tuple[ast.stmt, NativeRegion | Problem]]]]
    word: ClassVar[str] = "loop"
    spec: ClassVar[NativeSpec] = NativeSpec()
    level = Level.EXACT
    waits = True
    names_attributes = True

    def match(self, function: Function) -> Iterator[Site]:
        """The loops that can be moved, and those of which a user would expect it."""
        for loop, found in self.regions(function):
            yield LoopSite(loop, found)

    def level_of(self, site: Site, function: Function) -> Level:
        """Rounding where a function's last bits differ from library to library."""
        rounds = isinstance(site.found, NativeRegion) and site.found.lowered.rounds
        return Level.ROUNDING if rounds else Level.EXACT

    def check(self, site: Site, function: Function) -> NativeRegion | Refusal | Deferral:
        """The loop has been followed already; Numba must be installed."""
        return followed(site.found, function)

    def rewrite(self, site: Site, proof: NativeRegion, function: Function) -> Change:
        """The loop in a function of its own, and a call in its place."""
        document, first = function.document, proof.statements[0]
        base = "module" if isinstance(function.node, ast.Module) else function.node.name
        name = function.names.fresh(f"_{base.strip('_')}_{self.word}")
        where = "the module" if function.name == "<module>" else f"`{function.name}`"
        body = [*statements(f'"""The {self.word} in {where}."""')]
        body += [line for each in proof.imports for line in statements(ast.unparse(each))]
        named = (each for each in name_nodes(*proof.statements) if each.id not in proof.attributes)
        edits = [*attribute_names(named, function), *_of_objects(proof, function)]
        for each in proof.statements:
            body += document.changed_statement(each, edits, with_lines_above=each is not first)
        given = [*proof.results, *(f"{made}({each})" for each, made in proof.spent.items())]
        if given:
            returned = statements(f"return {', '.join(given)}")
            read = names_read_after(first, function)
            # A name without a value is missed where it is read first.
            missed = next((each for each in read if each.id in proof.results[:1]), first)
            body += document.placed(returned, missed)
        sets = tuple(function.module.spelling[each] for each in proof.attributes)
        spec = replace(
            self.spec, spent=tuple(proof.spent), sets=sets, tables=proof.tables, objects=proof.objects
        )
        parameters = (*proof.inputs, *_objects(proof, function))
        step = AddedFunction(name, spec, parameters, body, function.top_level_statement(first), first)
        called = replace_run(proof.statements, _call(name, proof, function))
        return Change(tuple(called), step, message=f"the loop runs as `{name}`")


def _of_objects(region: NativeRegion, function: Function) -> Iterator[Replace]:
    """The edits that leave out ``g = self.grid``, ``pass`` in the tree, and that set ``self.grid.t``."""
    node_of, spelling = function.document.source.node, function.module.spelling
    for each in (each for statement in region.statements for each in walk(statement)):
        if isinstance(each, ast.Pass) and not isinstance(node_of(each), cst.Pass):
            yield Replace(each, (), comments=False)
        elif isinstance(each, ast.Name) and each.id in region.attributes:
            yield Replace(each, (expression(spelling[each.id]),))


def _call(name: str, region: NativeRegion, function: Function) -> tuple[Statement, ...]:
    """``s, i = _f_loop(a, b, s)``, on one line or one argument a line.

    What the loop may leave as it is gets a new name first.
    """
    spelling = {**function.module.spelling, **dict.fromkeys(region.unset, "None")}
    inputs = [spelling.get(each, each) for each in (*region.inputs, *_objects(region, function))]
    new = {each: function.names.fresh(f"{each}_after") for each in region.unset}
    bound = ", ".join([*(new.get(each, each) for each in region.results), *region.spent])
    start = "return " if region.returns else f"{bound} = " if bound else ""
    made = expression(f"{name}({', '.join(inputs)})")
    assert isinstance(made, cst.Call)
    made = fitted(made, region.statements[0].col_offset + len(start), function.document.indent)
    called = statements("{start}{made}", start=start, made=made)
    tests = [statements(f"if {after} is not None:\n    {each} = {after}") for each, after in new.items()]
    return (*called, *(line for each in tests for line in each))


def _objects(region: NativeRegion, function: Function) -> tuple[str, ...]:
    """The names of the objects of which a loop sets attributes, and that it does not get yet."""
    spelt = (expression_tree(function.module.spelling[each]) for each in region.attributes)
    roots = dict.fromkeys(name for each in spelt if (name := root_name(each)) is not None)
    return tuple(each for each in roots if each not in region.inputs)


def followed(found: Found | Problem, function: Function) -> Found | Refusal | Deferral:
    """What was followed when the site was found, if Numba is installed to compile it."""
    if isinstance(found, Problem):
        return stays(found, function, at=found.node)
    if not has_numba():
        return Refusal("native-missing", "Numba is not installed")
    return found


def has_numba() -> bool:
    return find_spec("numba") is not None
