"""A function's text in its module, and the function built from its rewritten text."""

from __future__ import annotations

import ast
import hashlib
import linecache
import os
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from nprewrite.base import cachedir, syntax
from nprewrite.base.code_objects import changed_code
from nprewrite.base.errors import OF_SYNTAX, unheard
from nprewrite.base.syntax import put_on_line, text_tree
from nprewrite.base.tracebacks import part_of
from nprewrite.decorated.instances import names_in
from nprewrite.decorated.lines import Lines
from nprewrite.decorated.original import as_written
from nprewrite.engine.cells import as_module
from nprewrite.program.steps import controls, is_native, step_decorator
from nprewrite.source.document import Document
from nprewrite.source.excerpt import lines_in, tree_of
from nprewrite.source.functions import may_get_decorator
from nprewrite.source.names import find_definition, first_line, lambdas_of

P = ParamSpec("P")
R = TypeVar("R")


def filename(function: Callable[..., Any]) -> str:
    """The file that a function stands in."""
    return function.__code__.co_filename


def module_text(function: Callable[..., Any]) -> str | None:
    """The text of the function's module, where it is available.

    Of functions of one qualified name (a property, ``def _``) it has none below this one.
    """
    text = "".join(linecache.getlines(filename(function), function.__globals__))
    if not os.path.exists(filename(function)):
        # The text of a cell is in no file, and what it uses may be imported in another cell.
        text = as_module(text, function.__globals__)
    return _without_later(function, text) or None


def _without_later(function: Callable[..., Any], text: str) -> str:
    """The text without other functions of the same name below this one; lines keep their numbers."""
    left = text
    while True:
        try:
            node = find_definition(tree_of(left), function.__qualname__)
        except (SyntaxError, ValueError):
            return text
        if node is None:
            # The file is another one by now.
            return text
        if _is_defined_by(node, function, filename(function)):
            return left
        lines = left.splitlines(keepends=True)
        first, end = first_line(node) - 1, cast("int", node.end_lineno)
        indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
        lines[first:end] = [f"{indent}pass\n", *["\n"] * (end - first - 1)]
        left = "".join(lines)


def lines_of(function: Callable[..., Any], tree: ast.Module) -> range:
    """The lines of a function in its file; up to its last line with code where the tree does not tell."""
    first = function.__code__.co_firstlineno
    last = max([first, *(line for _, _, line in function.__code__.co_lines() if line)])
    node = find_definition(tree, function.__qualname__)
    end = node.end_lineno if node is not None else None
    return range(first, max(last, end or last) + 1)


def is_decorated(function: Callable[..., Any], text: str) -> bool:
    """Whether the function has the decorator in its text, not only one that was added as it was loaded.

    Raises ``SyntaxError`` and ``ValueError`` where the text does not parse.
    """
    tree = tree_of(text)
    node = find_definition(tree, function.__qualname__)
    return isinstance(node, ast.FunctionDef) and not may_get_decorator(node, tree)


@unheard(*OF_SYNTAX)
def own_functions(original: Callable[..., Any], text: str, passed: Iterable[str]) -> dict[str, Any]:
    """The functions of the file that ``original`` calls, directly or through others, as they are now.

    ``passed`` are the names of those that it gets as arguments. A name that has since been bound to something
    else is not among them.
    """
    tree = tree_of(text)
    definitions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    found: dict[str, Any] = {}
    pending = [names_in(original.__code__).union(passed)]
    while pending:
        for name in pending.pop():
            standing = original.__globals__.get(name)
            function = as_written(standing)
            if name in found or function is None:
                continue
            definition = definitions.get(name) or lambdas_of(tree).get(name)
            if definition is not None and _is_defined_by(definition, function, filename(original)):
                found[name] = standing
                pending.append(names_in(function.__code__))
    return found


def _is_defined_by(
    node: ast.FunctionDef | ast.AsyncFunctionDef, function: Callable[..., Any], file: str
) -> bool:
    code = function.__code__
    return code.co_filename == file and first_line(node) <= code.co_firstlineno <= node.lineno


def own_source(text: str, qualname: str) -> str:
    """The text of one function of a module."""
    node = find_definition(tree_of(text), qualname)
    if node is None:
        return ""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    *lines, last = lines_in(text)[node.lineno - 1 : node.end_lineno]
    whole = "".join([*lines, last.encode()[: node.end_col_offset].decode()])
    return whole.encode()[node.col_offset :].decode()


def built(
    original: Callable[P, R],
    text: str,
    helpers: Mapping[str, Any] | None = None,
    lines: Sequence[int] | None = None,
    positions: Lines | None = None,
    *,
    loaded: bool = False,
    change: Callable[[ast.AST], object] = lambda _: None,
) -> tuple[Callable[P, R], str, list[Any]]:
    """The rewritten function, its text and its steps; `standing_in` gives it defaults and cells.

    The steps become local names around the function, so that nothing is added to the user's module.
    ``helpers`` are further names that it sees; ``change`` changes its tree.

    Tracebacks show the rewritten text, or the user's file where
    ``lines`` gives the user's line for each line. With ``positions``, tracebacks of native loops and of a
    ``loaded`` function show the user's file.
    """
    document = Document(text)
    names = document.names
    node = find_definition(document.tree, original.__qualname__)
    assert node is not None
    steps = [
        each
        for each in document.tree.body
        if isinstance(each, ast.FunctionDef)
        and (step_decorator(each, names, document.tree) or is_native(each, names, document.tree))
    ]
    imports = [each for each in document.tree.body if isinstance(each, ast.Import)]
    added = [each for each in imports if any(_is_added(alias, original) for alias in each.names)]
    called = controls(node, {each.name for each in steps})
    generators = [
        each for each in document.tree.body if isinstance(each, ast.FunctionDef) and each.name in called
    ]
    begins = ((document.offset(first_line(each), 0), each) for each in (*generators, *steps, node))
    source = "\n\n\n".join(document.text[begin : document.span(each)[1]] for begin, each in begins)
    written = _write(text, Path(filename(original)).stem) if lines is None else filename(original)
    local = {**(helpers or {}), **dict.fromkeys(original.__code__.co_freevars)}
    factory = text_tree(f"def factory({', '.join(local)}): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    # Renamed, so that its own name means the same in it as in the original.
    node.name = names.free(f"{node.name}_rewritten")
    change(node)
    collected = ast.Tuple([ast.Name(each.name, ast.Load()) for each in (node, *steps)], ast.Load())
    factory.body = [*added, *generators, *steps, _bare(node, original), ast.Return(collected)]
    if lines is not None:
        _move_to(lines, ast.fix_missing_locations(factory))
    function, *found = _defined(factory, original, written)(**local)
    _name_like(original, function)
    if positions is not None:
        if loaded:
            function.__code__ = _of_file(filename(original), positions.of(function.__code__))
        for each in found:
            if hasattr(each, "show"):
                code = _of_file(filename(original), positions.of(each.function.__code__))
                each.show(part_of(code, original.__code__.co_name))
    return function, source, found


def _is_added(alias: ast.alias, original: Callable[..., Any]) -> bool:
    """Whether an import is not one of the user's module: that of the runtime, or of NumPy by a new name."""
    name = alias.asname or alias.name
    return alias.name == "nprewrite.runtime" or (alias.name == "numpy" and name not in original.__globals__)


def _bare(node: ast.FunctionDef | ast.AsyncFunctionDef, original: Callable[..., Any]) -> ast.stmt:
    """The definition without decorators, defaults and annotations; private names as in its class."""
    node.decorator_list, node.returns = [], None
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    for argument in (*every, node.args.vararg, node.args.kwarg):
        if argument is not None:
            argument.annotation = None
    node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    node.args.kw_defaults = [each and ast.Constant(None) for each in node.args.kw_defaults]
    owner = original.__qualname__.rpartition(".")[0].rpartition(".")[2]
    return node if owner in ("", "<locals>") else _Private(owner.lstrip("_")).visit(node)


def _of_file(file: str, code: types.CodeType) -> types.CodeType:
    """A code object, and those inside it, with another file name."""
    return changed_code(
        code, lambda each: each.replace(co_filename=file) if isinstance(each, types.CodeType) else each
    )


def _move_to(lines: Sequence[int], tree: ast.AST) -> None:
    """Give every node the user's line; its column there is not known."""
    for node in syntax.walk(tree):
        if isinstance(node, ast.expr | ast.stmt | ast.excepthandler):
            put_on_line(node, lines[node.lineno - 1])


class _Private(ast.NodeTransformer):
    """``self.__x`` in a class ``A`` as ``self._A__x``."""

    def __init__(self, owner: str) -> None:
        self._owner = owner

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self._mangled(node.attr)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._mangled(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._mangled(node.arg)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node.arg = self._mangled(node.arg) if node.arg is not None else None
        return self.generic_visit(node)

    def _mangled(self, name: str) -> str:
        private = self._owner and name.startswith("__") and not name.endswith("__")
        return f"_{self._owner}{name}" if private else name


def made_with(
    original: Callable[..., Any], node: ast.FunctionDef, names: Collection[str]
) -> Callable[..., Callable[..., Any]]:
    """What makes a function of another tree for ``original``, given what ``names`` stand for in it."""
    # Its own name means the same in it as in the original.
    node.name = syntax.fresh_name(node.name, {*names, *syntax.names_in(node), node.name})
    factory = text_tree(f"def factory({', '.join(names)}): return {node.name}").body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.body.insert(0, _bare(node, original))
    make = _defined(factory, original, filename(original))

    def made(*given: Any) -> Callable[..., Any]:
        return _name_like(original, make(*given))

    return made


def _name_like(original: Callable[..., Any], function: types.FunctionType) -> types.FunctionType:
    """The function, whose code gets the names of the original's."""
    code = original.__code__
    function.__code__ = function.__code__.replace(co_name=code.co_name, co_qualname=code.co_qualname)
    return function


@unheard(*OF_SYNTAX)
def rest_of(original: Callable[..., Any], text: str, name: str) -> types.FunctionType:
    """The function or method ``name`` of another text of the module of ``original``."""
    node = find_definition(text_tree(text), name)
    assert isinstance(node, ast.FunctionDef)
    owner = name.rpartition(".")[0]
    private = _Private(owner.lstrip("_")).visit(node) if owner else node
    function = cast("types.FunctionType", _defined(private, original, filename(original)))
    function.__module__, function.__qualname__ = original.__module__, name
    function.__code__ = function.__code__.replace(co_name=original.__code__.co_name)
    return function


def _defined(node: ast.FunctionDef, original: Callable[..., Any], file: str) -> Any:
    """What a definition makes among the names of the original's module."""
    module = ast.fix_missing_locations(ast.Module([node], []))
    made: dict[str, Any] = {}
    code = compile(module, file, "exec", dont_inherit=True, flags=_future_flags(original))
    exec(code, original.__globals__, made)
    return made[node.name]


def standing_in(
    function: Any, original: Callable[P, R], cells: Mapping[str, types.CellType] | None = None
) -> Callable[P, R]:
    """``function`` with the name, defaults and surrounding variables of the original, and further ones."""
    own = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    own |= dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    closure = tuple((own | {**(cells or {})})[name] for name in function.__code__.co_freevars)
    made = types.FunctionType(
        function.__code__, original.__globals__, original.__name__, original.__defaults__, closure
    )
    made.__kwdefaults__ = original.__kwdefaults__
    made.__qualname__ = original.__qualname__
    made.__module__ = original.__module__
    made.__annotations__ = original.__annotations__
    return made


def _future_flags(function: Callable[..., Any]) -> int:
    """``from __future__`` flags that the function was compiled with."""
    import __future__

    flags = (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    return sum(flag for flag in flags if function.__code__.co_flags & flag)


def _write(text: str, stem: str) -> str:
    """Put the rewritten text where tracebacks and debuggers find it: into a file of the cache.

    Where none can be written (a read-only home, a full disk) it is kept in memory, under a name in angle
    brackets.
    """
    name = f"{stem.strip('<>')}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.py"
    try:
        path = cachedir.private("rewritten") / name
        if not path.exists():
            cachedir.place(path, text.encode())
        return str(path)
    except OSError:
        kept = f"<nprewrite {name}>"
        linecache.cache[kept] = (len(text), None, text.splitlines(keepends=True), kept)
        return kept
