"""Which names a module binds, what they mean, and which are free."""

from __future__ import annotations

import ast
import builtins
import itertools
import keyword
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from nprewrite.base.syntax import children, walk
from nprewrite.source.kept import kept, names_declared

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SCOPES = (*_FUNCTIONS, ast.ClassDef)
"""The functions and classes, whose bodies are scopes of their own."""
EXPRESSION_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""The expressions in which names may have other values than around them."""
ALL_SCOPES = (*SCOPES, *EXPRESSION_SCOPES)
_BINDING = (
    ast.Assign,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.ExceptHandler,
    ast.FunctionDef,
    ast.Global,
    ast.Import,
    ast.ImportFrom,
    ast.MatchAs,
    ast.MatchMapping,
    ast.MatchStar,
    ast.Name,
    ast.Nonlocal,
)
"""The nodes that bind names, or say in which scope they are bound."""
Stars = Mapping[str, Mapping[str, str]]
"""By the module of ``from module import *`` as it is written, what binds each name that this binds."""
_KNOWN = sys.stdlib_module_names | {"cupy", "jax", "nprewrite", "numba", "numpy", "scipy", "torch"}
"""The packages in which functions are known by their names."""
_IMPORT = "import"
_NUMPY = f"{_IMPORT} numpy"


def statements_of(scope: ast.AST) -> Iterator[ast.AST]:
    """Every node of a scope without the bodies of the scopes nested in it."""
    stack: list[ast.AST] = list(children(scope))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, SCOPES):
            stack.extend(children(node))


def find_definition(tree: ast.Module, qualname: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The last function of this qualified name (``A.f``, ``f.<locals>.g``) in a module."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    scope: ast.AST = tree
    for part in (each for each in qualname.split(".") if each != "<locals>"):
        inner = [each for each in statements_of(scope) if isinstance(each, kinds) and each.name == part]
        if not inner:
            return None
        scope = max(inner, key=lambda each: each.lineno)
    return scope if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) else None


def own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement, without those of the statements in it."""
    for child in children(statement):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr


def read_names(*trees: ast.AST, but: Iterable[ast.AST] = ()) -> set[str]:
    """The names that trees read, also in ``x += 1``, except in the parts ``but``."""
    left_out = {id(each) for part in but for each in walk(part)}
    nodes = [node for tree in trees for node in walk(tree)]
    changed = [each.target for each in nodes if isinstance(each, ast.AugAssign)]
    read = [each for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    found = [*(each for each in changed if isinstance(each, ast.Name)), *read]
    return {each.id for each in found if id(each) not in left_out}


@kept
def lambdas_of(scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> Mapping[str, ast.FunctionDef]:
    """The functions that ``name = lambda x: e`` makes in a scope's body, the first for each name."""
    found: dict[str, ast.FunctionDef] = {}
    for statement in scope.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as made) if name not in found:
                found[name] = ast.copy_location(as_definition(made, name), statement)
    return found


def as_definition(made: ast.Lambda, name: str) -> ast.FunctionDef:
    """The function that a lambda makes."""
    result = ast.copy_location(ast.Return(made.body), made.body)
    return ast.copy_location(ast.FunctionDef(name, made.args, [result], [], None), made)


def first_line(node: ast.stmt) -> int:
    """The line of a statement's first decorator, or its own."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def bindings(scope: Scope) -> dict[str, list[str]]:
    """For each name that the scope itself binds, what binds it: an imported dotted name, or a kind."""
    return _bindings_of(scope, statements_of(scope), {})


def _bindings_of(scope: Scope, nodes: Iterable[ast.AST], stars: Stars) -> dict[str, list[str]]:
    bound: list[tuple[str, str]] = []
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        bound += [(name, "parameter") for name in parameter_names(scope.args)]
    for node in nodes:
        bound += _starred(node, stars) if is_star(node) else _bound_by(node)
    found: dict[str, list[str]] = {}
    for name, target in bound:
        found.setdefault(name, []).append(target)
    return found


def _bound_by(node: ast.AST) -> list[tuple[str, str]]:
    """The names that a node itself binds, each with what binds it."""
    match node:
        case ast.Import():
            return [_imported(alias) for alias in node.names]
        case ast.ImportFrom():
            return [_imported_from(node, alias) for alias in node.names]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [(node.name, "def")]
        case ast.ClassDef():
            return [(node.name, "class")]
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [(name, "assignment")]
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            return [(name, "assignment")]
    return []


def _imported(alias: ast.alias) -> tuple[str, str]:
    """``import a.b`` binds ``a``; ``import a.b as c`` binds ``c`` to ``a.b``."""
    if alias.asname:
        return alias.asname, f"{_IMPORT} {alias.name}"
    top = alias.name.split(".")[0]
    return top, f"{_IMPORT} {top}"


def _imported_from(node: ast.ImportFrom, alias: ast.alias) -> tuple[str, str]:
    """What stands in a module that nobody knows may be a number or an array, as what is assigned."""
    module = written_module(node)
    target = f"{_IMPORT} {module}.{alias.name}" if _is_known(module) else "assignment"
    return alias.asname or alias.name, target


@kept
def imported_from_files(tree: ast.Module) -> frozenset[str]:
    """The names that the imports of a module bind, but for those of packages that are known."""
    found = set[str]()
    for node in walk(tree):
        match node:
            case ast.Import():
                found.update(name for name, target in map(_imported, node.names) if not _is_known(target))
            case ast.ImportFrom() if not _is_known(written_module(node)):
                found.update(alias.asname or alias.name for alias in node.names)
    return frozenset(found)


def _is_known(module: str) -> bool:
    return module.removeprefix(f"{_IMPORT} ").split(".")[0] in _KNOWN


def written_module(node: ast.ImportFrom) -> str:
    """The module of an import as it is written: ``.params``."""
    return f"{'.' * node.level}{node.module or ''}"


def is_star(node: ast.AST) -> TypeGuard[ast.ImportFrom]:
    """Whether a statement is ``from module import *``."""
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def parameter_names(arguments: ast.arguments) -> list[str]:
    """All parameter names of a signature, in order."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    return [argument.arg for argument in every]


def _starred(node: ast.ImportFrom, stars: Stars) -> list[tuple[str, str]]:
    if written_module(node) != "numpy":
        return [*stars.get(written_module(node), {}).items()]
    # Imported where it is needed: a program may set what NumPy reads when it is imported.
    import numpy as np

    return [(name, f"{_NUMPY}.{name}") for name in np.__all__]


def _imported_in(body: Iterable[ast.stmt]) -> set[str]:
    """The names that plain statements import."""
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    return {alias.asname or alias.name.split(".")[0] for node in imports for alias in node.names}


def _imported_first(tree: ast.Module, stars: Stars) -> Mapping[str, Sequence[str]]:
    """What the imports at the head of a module bind each name to, one after the other."""
    found: dict[str, list[str]] = {}
    for node in itertools.dropwhile(lambda each: isinstance(each, ast.Expr), tree.body):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            break
        # Two modules of one name, `import math as np`, are a mistake, or meant to confuse.
        bound = _starred(node, stars) if is_star(node) else _bound_by(node)
        for name, target in bound if isinstance(node, ast.ImportFrom) else ():
            found.setdefault(name, []).append(target)
    return found


def _may_come_first(node: ast.stmt) -> bool:
    """Whether a statement is an import, or may stand between imports: it holds no other statements."""
    return not hasattr(node, "body") and not isinstance(node, ast.Match)


class ModuleNames:
    """Names of one module: resolution by import binding, and fresh names."""

    def __init__(self, tree: ast.Module, stars: Stars | None = None) -> None:
        self._stars = stars or {}
        self._binding_nodes: dict[ast.AST, list[ast.AST]] = {}
        self._bindings: dict[ast.AST, dict[str, list[str]]] = {}
        self._elsewhere: dict[ast.AST, frozenset[str]] = {}
        self._rebound: set[str] = set()
        self._taken = set(dir(builtins)) | set(keyword.kwlist)
        self._first_free: dict[str, int] = {}
        """The lowest number that may be free for a name; names that are taken stay taken."""
        self.definitions = {
            node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        self._numpy: set[str] = set()
        self._certain = _imported_in(tree.body)
        self._imported_first = _imported_first(tree, self._stars)
        self._at_the_top = _imported_in(itertools.takewhile(_may_come_first, tree.body))
        self.unknown_star = False
        self._around: dict[ast.AST, list[Scope]] = {}
        self._calls: dict[str, list[ast.Call]] = {}
        self._note_scope(tree, [])
        self._module = self.bindings(tree)
        # The module's names that are NumPy in some scope; it may bind thousands of others.
        self._numpy_names = [name for name in self._module if name in self._numpy]

    def _note_scope(self, scope: Scope, around: list[Scope]) -> None:
        """Note what a scope holds, and the functions around each scope in it.

        The variables of functions are visible in the scopes inside them, those of classes are not.
        """
        functions = [scope, *around] if isinstance(scope, _FUNCTIONS) else around
        binding = self._binding_nodes[scope] = list[ast.AST]()
        inner: list[Scope] = []
        for node in statements_of(scope):
            self._note(node)
            if isinstance(node, _BINDING):
                binding.append(node)
            if isinstance(node, SCOPES):
                inner.append(node)
        for each in inner:
            self._around[each] = functions
            self._note_scope(each, functions)

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.Import():
                self._numpy.update(name for name, target in map(_imported, node.names) if target == _NUMPY)
            case ast.Global():
                self._rebound.update(node.names)
                self._taken.update(node.names)
            case ast.Name():
                self._taken.add(node.id)
            case ast.Attribute():
                self._taken.add(node.attr)
            case ast.Call(func=ast.Name(id=name)):
                self._calls.setdefault(name, []).append(node)
            case ast.arg():
                self._taken.add(node.arg)
            case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef():
                self._taken.add(node.name)
            case ast.alias():
                self._taken.add((node.asname or node.name).split(".")[0])
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                self._note_star(node)

    def _note_star(self, node: ast.ImportFrom) -> None:
        self.unknown_star |= written_module(node) not in {"numpy", *self._stars}
        bound = self._stars.get(written_module(node), {})
        self._taken.update(bound)
        self._numpy.update(name for name, target in bound.items() if target == _NUMPY)
        self._certain.update(bound)

    def calls(self, name: str) -> Sequence[ast.Call]:
        """The calls in the module whose function is written as the plain name ``name``."""
        return self._calls.get(name, ())

    def functions_around(self, scope: Scope) -> Sequence[Scope]:
        """The functions around a scope, the innermost first."""
        return self._around.get(scope, ())

    def unclear_numpy(self, scope: Scope) -> str | None:
        """A name that is NumPy on some paths or in some places, and something else in others."""
        local = {} if isinstance(scope, ast.Module) else self.bindings(scope)
        for name in self._numpy_names:
            if _NUMPY not in self._module[name]:
                continue
            if self.module_binding(name) is None or name not in self._certain:
                return name
            if set(local.get(name, [_NUMPY])) != {_NUMPY}:
                return name
        return None

    def numpy_name(self, scope: Scope) -> str:
        """The name under which NumPy is, or can be, imported for ``scope``."""
        return self.numpy_alias(scope) or self.free("np")

    def alias_of(self, module: str) -> str | None:
        """The module-level name under which ``module`` is imported, if it is bound once, before all code.

        An import under an ``if`` may not run, and what is added above a function is run before later imports.
        """
        target = f"{_IMPORT} {module}"
        return next((name for name in self._at_the_top if self.module_binding(name) == target), None)

    def free(self, wanted: str) -> str:
        """The first of ``wanted``, ``wanted_1``, ... that does not occur in the module."""
        if wanted not in self._taken:
            return wanted
        count = self._first_free.get(wanted, 1)
        while f"{wanted}_{count}" in self._taken:
            count += 1
        self._first_free[wanted] = count
        return f"{wanted}_{count}"

    def fresh(self, wanted: str) -> str:
        """A free name, which counts as taken from now on, and which no class takes for a private one."""
        private = wanted.startswith("__") and not wanted.endswith("__")
        name = self.free(f"_{wanted.lstrip('_')}" if private else wanted)
        self._taken.add(name)
        return name

    def module_binding(self, name: str) -> str | None:
        """What binds a module-level name, if one thing does in the end."""
        bound = self._module.get(name, ())
        targets = set(bound)
        if name in self._rebound or not targets:
            return None
        if len(targets) == 1:
            return targets.pop()
        # `from math import *`, then `from numpy import *`, before anything else: the last one counts.
        imported = self._imported_first.get(name, [])
        return imported[-1] if len(imported) == len(bound) and not self.unknown_star else None

    def binding_outside(self, name: str) -> str:
        """What binds the name in modules that import all names of this one."""
        return self.module_binding(name) or "assignment" if name in self._certain else "assignment"

    def binding(self, name: str, scope: Scope) -> str | None:
        """What ``name`` means inside ``scope``: an import, ``def``, ``builtin``; None when unsure."""
        if not isinstance(scope, ast.Module):
            local = self.bindings(scope)
            if name in local:
                targets = set(local[name])
                return targets.pop() if len(targets) == 1 else None
            if self.is_captured(name, scope):
                return self._captured(name, scope)
        if name in self._module:
            return self.module_binding(name)
        is_builtin = hasattr(builtins, name) and not self.unknown_star and name not in self._rebound
        return "builtin" if is_builtin else None

    def is_bound_once(self, name: str, scope: Scope) -> bool:
        """Whether one statement of ``scope`` binds the name, and none of the functions inside it does."""
        if len(self.bindings(scope).get(name, ())) != 1:
            return False
        return name not in names_declared(scope)

    def is_captured(self, name: str, scope: Scope) -> bool:
        """Whether a name that ``scope`` does not bind is a variable of a function around it."""
        around = self._around.get(scope, [])
        return name not in self.bindings(scope) and any(name in self.bindings(each) for each in around)

    def is_bound_around(self, name: str, scope: Scope) -> bool:
        """Whether the module, a function around ``scope`` or Python may give the name a value.

        Where none does, reading the name raises ``NameError``, unless another module puts it there.
        """
        known = name in self._module or name in self._rebound or hasattr(builtins, name) or self.unknown_star
        return known or self.is_captured(name, scope)

    def is_variable(self, name: str, scope: Scope) -> bool:
        """Whether the name in a function is that of a variable of the module, which assignments set."""
        if isinstance(scope, ast.Module) or self.is_local(name, scope) or self.is_captured(name, scope):
            return False
        return name in self._rebound or self.module_binding(name) == "assignment"

    def _captured(self, name: str, scope: Scope) -> str | None:
        """What a variable of a function around ``scope`` is bound to, if that is an import."""
        nearest = next(each for each in self._around[scope] if name in self.bindings(each))
        targets = set(self.bindings(nearest)[name])
        target = targets.pop() if len(targets) == 1 else ""
        return target if target.startswith(_IMPORT) else None

    def is_local(self, name: str, scope: Scope) -> bool:
        """Whether ``scope`` binds the name itself and does not declare it global or nonlocal."""
        return name in self.bindings(scope) and name not in self._declared_elsewhere(scope)

    def _declared_elsewhere(self, scope: Scope) -> frozenset[str]:
        """The names that ``scope`` declares global or nonlocal."""
        if scope not in self._elsewhere:
            found = self.binding_nodes(scope)
            declared = (node for node in found if isinstance(node, ast.Global | ast.Nonlocal))
            self._elsewhere[scope] = frozenset(name for node in declared for name in node.names)
        return self._elsewhere[scope]

    def bindings(self, scope: Scope) -> Mapping[str, list[str]]:
        """For each name that ``scope`` binds itself, what binds it: an imported dotted name or a kind."""
        if scope not in self._bindings:
            self._bindings[scope] = _bindings_of(scope, self.binding_nodes(scope), self._stars)
        return self._bindings[scope]

    def binding_nodes(self, scope: Scope) -> Sequence[ast.AST]:
        """The nodes of ``scope`` that bind or declare names, without those of scopes inside it."""
        if scope not in self._binding_nodes:
            # A function that was put together from the module's statements, and does not occur in it.
            self._binding_nodes[scope] = [node for node in statements_of(scope) if isinstance(node, _BINDING)]
        return self._binding_nodes[scope]

    def dotted(self, node: ast.expr, scope: Scope) -> str | None:
        """The full dotted name of an expression: ``numpy.abs``, ``builtins.abs``, ``.f`` for a function.

        None when it is not a name, or when it is not certain what the name means.
        """
        match node:
            case ast.Name():
                target = self.binding(node.id, scope)
                if target == "builtin":
                    return f"builtins.{node.id}"
                if target == "def":
                    return f".{node.id}"
                return target.removeprefix(f"{_IMPORT} ") if target and target.startswith(_IMPORT) else None
            case ast.Attribute():
                base = self.dotted(node.value, scope)
                named = f"{base}.{node.attr}" if base and not base.startswith((".", "builtins.")) else None
                # The runtime has functions that give what NumPy's of the same names give.
                return "numpy.fft" if named == "nprewrite.runtime.fft" else named
        return None

    def numpy_alias(self, scope: Scope) -> str | None:
        """The name under which NumPy is imported in ``scope`` or the module (``np``), if any."""
        local = {} if isinstance(scope, ast.Module) else self.bindings(scope)
        for name in self._numpy_names:
            if self.binding(name, scope) == _NUMPY and name not in local:
                return name
        return None
