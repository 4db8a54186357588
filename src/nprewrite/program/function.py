"""One view of a function for all passes: its tree, its names, and what is known of its values."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from nprewrite.base.syntax import blocks, walk
from nprewrite.program.guarded_versions import is_guarded
from nprewrite.program.steps import StepSpec, controls, is_extracted, is_native, read_step, step_values
from nprewrite.source.document import Document
from nprewrite.source.functions import all_take_callables, counts_callers
from nprewrite.source.kept import kept
from nprewrite.source.names import ModuleNames, Scope, lambdas_of, statements_of
from nprewrite.types import parameters
from nprewrite.types.attributes import attributes_as_names
from nprewrite.types.classes import kept_arrays, plain_class
from nprewrite.types.expressions import Expressions
from nprewrite.types.inference import Inference
from nprewrite.types.observed import Observed, of_module, place_of, read_elsewhere, unknown_expressions
from nprewrite.types.precision import Precision
from nprewrite.types.values import Unknown, Value, suggested, without_flag

Definition = ast.FunctionDef | ast.AsyncFunctionDef
Block = list[ast.stmt]

_DYNAMIC = frozenset(f"builtins.{name}" for name in ("locals", "vars", "globals", "exec", "eval", "dir"))


@dataclass(frozen=True, eq=False)
class Module:
    """A parsed module: what its functions share."""

    document: Document
    given: Mapping[str, Mapping[str, Value]]
    """Types of arguments seen at a call, by qualified function name."""
    active: frozenset[str] = frozenset()
    """Functions whose calls are being followed: a recursive one is not followed again."""
    jitted: str | None = None
    """The function that carries the decorator, if it is the decorator that rewrites."""
    observed: Observed = field(default_factory=dict)
    """The types that expressions of that function had while it ran."""
    spelling: Mapping[str, str] = field(default_factory=dict)
    """The attribute (``self.u``) that a name of the tree stands for, in that function."""
    own: frozenset[str] | None = None
    """The names that stand for the module's own functions at a call; None where only the text is known."""
    precision: Precision | None = None
    """The settings of functions that compute in single precision."""
    results: dict[tuple[str, tuple[Value, ...]], Value] = field(default_factory=dict)
    """What calls of the module's functions returned, by name and arguments."""

    @property
    def names(self) -> ModuleNames:
        return self.document.names

    @cached_property
    def steps(self) -> dict[str, StepSpec]:
        """The step functions that it contains already."""
        found = {}
        for node in self.document.tree.body:
            spec = read_step(node, self.names, self.document.tree)
            if spec is not None and isinstance(node, ast.FunctionDef):
                found[node.name] = spec
        return found

    @cached_property
    def taken_out(self) -> frozenset[str]:
        """The names of its functions that were taken out of loops."""
        native = (each for each in self.document.tree.body if is_native(each, self.names, self.document.tree))
        return frozenset([*self.steps, *(each.name for each in native if isinstance(each, Definition))])

    @cached_property
    def values(self) -> dict[str, Value]:
        """What is known of its global names; never proved, because anyone may assign to them."""
        tree = self.document.tree
        expressions = Expressions(self.names, tree, {})
        final = Inference(expressions, {}).run(tree.body)
        once = {name for name in self.names.bindings(tree) if self.names.module_binding(name) == "assignment"}
        return {name: suggested(value) for name, value in final.items() if name in once}

    @cached_property
    def with_attributes(self) -> Module:
        """The module with names for the attributes of that function's arguments."""
        given = self.given.get(self.jitted or "", {})
        found = attributes_as_names(self.document, self.jitted, given) if self.jitted is not None else None
        if found is None or self.jitted is None:
            return self
        values = {**self.given, self.jitted: {**given, **found.values}}
        return replace(self, document=found.document, given=values, spelling=found.spelling)

    def as_written(self, text: str) -> str:
        """A message or code with the attributes that names of the tree stand for."""
        for name, attribute in self.spelling.items():
            text = re.sub(rf"\b{name}\b", attribute, text)
        return text

    def function_named(self, name: str) -> ast.FunctionDef | None:
        """The module's function of this name, if the name still stands for it."""
        found = self.names.definitions.get(name)
        if found is None:
            made = lambdas_of(self.document.tree).get(name)
            found = made if made is not None and self.names.is_bound_once(name, self.document.tree) else None
        replaced = self.own is not None and name not in self.own
        return found if isinstance(found, ast.FunctionDef) and not replaced else None

    def call(self, name: str, arguments: list[Value]) -> Value:
        """What a function of the module returns for arguments of these types."""
        node = self.names.definitions.get(name)
        unknown = Unknown(f"nothing is known of `{name}(...)`")
        if not isinstance(node, ast.FunctionDef) or node.decorator_list or name in self.active:
            return unknown
        parameters = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        if len(parameters) != len(arguments) or node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
            return unknown
        key = (name, tuple(arguments))
        if key not in self.results:
            given = {**self.given, name: dict(zip(parameters, arguments, strict=True))}
            inner = replace(self, given=given, active=self.active | {name})
            # These depend on the text alone.
            inner.__dict__.update(steps=self.steps, values=self.values)
            self.results[key] = Function(inner, node, name, None).facts.returned(node.body)
        return self.results[key]

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The module's own statements and every function in it, in the order of the text."""
        own = Function(self, self.document.tree, "<module>", None)
        return (own, *self._within(self.document.tree, ""))

    def unknown_expressions(self, name: str) -> Iterator[ast.expr]:
        """The unknown expressions of its function of this qualified name, if it has one."""
        for each in self.functions:
            if each.name == name:
                yield from each.unknown_expressions()
                return

    @cached_property
    def _controls(self) -> frozenset[str]:
        return controls(self.document.tree, self.steps) if self.steps else frozenset()

    def _within(self, node: Scope, prefix: str) -> Iterator[Function]:
        nodes = self.names.binding_nodes(node)
        nested = [each for each in nodes if isinstance(each, Definition | ast.ClassDef)]
        for each in sorted(nested, key=lambda each: each.lineno):
            if is_native(each, self.names, self.document.tree) or each.name in self._controls:
                continue
            name = f"{prefix}{each.name}"
            if isinstance(each, Definition):
                yield Function(self, each, name, self.steps.get(name))
                yield from self._within(each, f"{name}.<locals>.")
            else:
                yield from self._within(each, f"{name}.")


@dataclass(frozen=True, eq=False)
class Function:
    """A function (or the module's own statements, as ``<module>``)."""

    module: Module
    node: Definition | ast.Module
    name: str
    step: StepSpec | None

    @property
    def document(self) -> Document:
        """The document that the function is in."""
        return self.module.document

    @property
    def names(self) -> ModuleNames:
        return self.module.names

    @cached_property
    def facts(self) -> Inference:
        """The inference of types and shapes of its expressions."""
        seen = self._seen if self.module.observed and self.name == self.module.jitted else None
        expressions = Expressions(self.names, self.node, self.module.values, self.module.call, seen)
        inference = Inference(expressions, self.parameter_values, self.name == self.module.jitted)
        inference.run(self.node.body)
        return inference

    def _seen(self, node: ast.expr) -> Value | None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            return read_elsewhere(node.id, self.module.observed)
        observed = self.module.observed
        if isinstance(node, ast.Name) and self.names.is_variable(node.id, self.node):
            return observed.get(place_of(node, self.document)) or observed.get(of_module(node.id))
        return observed.get(place_of(node, self.document))

    def starting_at(self, statement: ast.stmt) -> Function:
        """The function as seen by what runs from a statement on; ``facts.extend`` continues it."""
        made = replace(self)
        made.__dict__.update(facts=self.facts.starting_at(statement), _outer=self._outer)
        return made

    def unknown_expressions(self) -> Iterator[ast.expr]:
        """The expressions of which nothing is known, and whose types a run would show."""
        values = self.facts.expressions.values
        return unknown_expressions(self.node.body, values, self.dotted)

    @property
    def can_defer(self) -> bool:
        """Whether the function has the decorator, which gives the types of a call, or can get it."""
        called = self.name in self.module.given
        if not isinstance(self.node, ast.FunctionDef) or (called and self.module.jitted is not None):
            return False
        if self.name == self.module.jitted:
            return True
        decorators = self.node.decorator_list
        others = [each for each in decorators if not self.is_jit(each)]
        if not all_take_callables(others, self.node, self.document.tree):
            return False
        if len(others) < len(decorators):
            return self.is_jit(decorators[-1])
        # A method gets the decorator where a run, or the text of its class, shows that it is called as one.
        shown = called or self._class is not None
        reached = "." not in self.name or (shown and "<locals>" not in self.name)
        return reached and not counts_callers(self.node)

    @cached_property
    def _class(self) -> ast.ClassDef | None:
        """The plain class of the file of which it is a method."""
        return plain_class(self.name, self.document.tree) if "." in self.name else None

    @cached_property
    def dynamic_call(self) -> ast.Call | None:
        """A call in a function that can read or bind its names without naming them."""
        return None if isinstance(self.node, ast.Module) else self.looks_at_names

    @cached_property
    def looks_at_names(self) -> ast.Call | None:
        """A call in it, or in a module's own code, that may see all names."""
        calls = (each for each in walk(self.node) if isinstance(each, ast.Call))
        return next((each for each in calls if self.dotted(each.func) in _DYNAMIC), None)

    def as_step(self) -> tuple[ast.FunctionDef, StepSpec]:
        """The definition of a step and its spec; raises ``TypeError`` where the function is not a step."""
        if self.step is None or not isinstance(self.node, ast.FunctionDef):
            raise TypeError(f"`{self.name}` is not a step function")
        return self.node, self.step

    def is_jit(self, decorator: ast.expr) -> bool:
        """Whether a decorator is ``nprewrite.jit`` or ``nprewrite.jit(...)``."""
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        return self.names.dotted(function, self.document.tree) == "nprewrite.jit"

    def is_local(self, name: str) -> bool:
        """Whether a name is local to the function; at module level, whether it is the module's.

        A name for an attribute counts as local, and so does a global name that the decorated function binds.
        """
        return (
            isinstance(self.node, ast.Module) or self.names.is_local(name, self.node) or self.is_shared(name)
        )

    def is_shared(self, name: str) -> bool:
        """Whether the variable behind a name of the decorated function can be seen by others."""
        if self.name != self.module.jitted:
            return False
        return name in self.module.spelling or name in _global_names(self.node)

    def dotted(self, node: ast.expr) -> str | None:
        """The dotted name of an expression here, by import binding."""
        return self.names.dotted(node, self.node)

    def is_as_written(self, statement: ast.stmt) -> bool:
        """Whether a statement is not the original of an extracted loop."""
        return not is_extracted(statement, self.names, self.module.taken_out)

    def blocks(self, statement: ast.stmt) -> list[Block]:
        """The blocks of a statement, without an ``else`` that is the original of the block before it."""
        found = blocks(statement)
        return found[:1] if is_guarded(statement, self.names, self.node) else found

    def statements(self) -> Iterable[ast.stmt]:
        """Every statement in the order of the text, without the originals of loops rewritten before."""
        return self._outer

    def outer(self, statement: ast.stmt) -> tuple[ast.stmt, ...]:
        """The statements around one of its own."""
        return self._outer[statement]

    @cached_property
    def _outer(self) -> dict[ast.stmt, tuple[ast.stmt, ...]]:
        return dict(self._with_outer(self.node.body, ()))

    def _with_outer(
        self, body: Block, outer: tuple[ast.stmt, ...]
    ) -> Iterator[tuple[ast.stmt, tuple[ast.stmt, ...]]]:
        for statement in body:
            if not self.is_as_written(statement):
                continue
            yield statement, outer
            if isinstance(statement, Definition | ast.ClassDef):
                continue
            for block in self.blocks(statement):
                yield from self._with_outer(block, (*outer, statement))

    def loops_around(self, statement: ast.stmt) -> tuple[ast.For | ast.While, ...]:
        """The loops around one of its own statements."""
        return tuple(each for each in self.outer(statement) if isinstance(each, ast.For | ast.While))

    def around(self, statement: ast.stmt) -> ast.stmt | Definition | ast.Module:
        """What holds one of its own statements: the statement around it, or the function."""
        return (self.node, *self.outer(statement))[-1]

    def top_level_statement(self, own: ast.stmt) -> ast.stmt:
        """The statement of the module's body that holds one of the function's own."""
        if isinstance(self.node, ast.Module):
            return (*self.outer(own), own)[0]
        body = self.document.tree.body
        return body[bisect_right(body, _place(self.node), key=_place) - 1]

    @cached_property
    def parameter_values(self) -> dict[str, Value]:
        """What is known of its parameters at its start."""
        if self.step is not None:
            return step_values(self.step)
        if isinstance(self.node, ast.Module):
            return {}
        given = self.module.given.get(self.name, {})
        defaults = parameters.defaults(self.node.args)
        known: dict[str, Value] = {}
        for argument in parameters.parameters(self.node.args):
            name = argument.arg
            known[name] = (
                without_flag(given.get(name))
                or parameters.annotated(argument, self.names, self.document.tree)
                or parameters.suggested_by(defaults.get(name))
                or self._called_with(name)
                or self._object(name)
                or Unknown(self._awaited(name), parameter=name)
            )
        known |= {name: given[name] for name in self.module.spelling if name in given}
        for extra in (self.node.args.vararg, self.node.args.kwarg):
            if extra is not None:
                known[extra.arg] = Unknown(f"`{extra.arg}` takes any number of arguments")
        return known

    @property
    def owner(self) -> str | None:
        """The first parameter of what may be a method: the object on which it is called."""
        if isinstance(self.node, ast.Module) or "." not in self.name or "<locals>" in self.name:
            return None
        return next((each.arg for each in (*self.node.args.posonlyargs, *self.node.args.args)), None)

    def _object(self, name: str) -> Unknown | None:
        """The object of a method, if the text of its class shows that it keeps arrays."""
        if name != self.owner or self.module.jitted is not None or not self.kept_arrays:
            return None
        because = f"the attributes of `{name}` are only known at a call"
        return Unknown(because, parameter=name, array=True)

    @cached_property
    def kept_arrays(self) -> frozenset[str]:
        """The attributes that are arrays, by the text of the class of which this is a method."""
        tree = self.document.tree
        return kept_arrays(self._class, tree, self.names) if self._class is not None else frozenset()

    def _awaited(self, name: str) -> str:
        """Why nothing is known of a parameter, and what the user can do to let a call tell."""
        text = f"the type of parameter `{name}` is only known at a call"
        method = "." in self.name and "<locals>" not in self.name
        if not method or self.can_defer or self.module.jitted is not None:
            return text
        return f"{text}; put @nprewrite.jit on the method, or --observe a run"

    def _called_with(self, name: str) -> Value | None:
        """What every call of the function in the module's own statements passes for ``name``."""
        waits = self.name == self.module.jitted
        if isinstance(self.node, ast.Module) or "." in self.name or waits:
            return None
        expressions = Expressions(self.names, self.document.tree, {})
        calls = self.names.calls(self.name)
        return parameters.passed_by(calls, name, self.node.args, expressions, self.module.values)


@kept
def _global_names(scope: Definition | ast.Module) -> frozenset[str]:
    """The names that a function declares global."""
    declarations = (each for each in statements_of(scope) if isinstance(each, ast.Global))
    return frozenset(name for each in declarations for name in each.names)


def _place(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset
