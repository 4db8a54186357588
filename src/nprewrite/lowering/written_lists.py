"""Lists that a function makes of a few expressions, and whose length never changes, as tuples.

``place = [x, y]`` becomes a tuple, and ``place[0] = x`` binds the name to a tuple with another item: the list
has one name and is handed to nobody, so that nobody can tell. Where an index is only known in the loop, each
position has its branch.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from nprewrite.base.syntax import bindings, fresh_name, name_nodes, names_bound, names_in, placed, twin, walk
from nprewrite.lowering.iterables import range_of
from nprewrite.numpy_api.python import PythonFunction, python_function

Resolve = Callable[[ast.expr], str | None]
_MOST_ITEMS = 16


def without_lists(function: ast.FunctionDef, resolve: Resolve) -> ast.FunctionDef:
    """The function with tuples in place of such lists, and of displays that loops number and zip."""
    if not any(map(_is_written, walk(function))):
        return function
    written: ast.FunctionDef = _WrittenOut(resolve).visit(twin(function))
    written = _Sliced(_written_lengths(written)).visit(written)
    made: ast.FunctionDef = _AsTuples(_lengths(written, resolve), names_in(written)).visit(written)
    return ast.fix_missing_locations(made)


def _is_written(node: ast.AST) -> bool:
    """Whether it is a list, two numbers of one division, or a loop over a function of what is written out."""
    if isinstance(node, ast.Name):
        return node.id == "divmod"
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
        return any(isinstance(each, ast.Tuple | ast.List) for each in node.iter.args)
    return isinstance(node, ast.List | ast.ListComp)


def numbered(over: ast.expr, resolve: Resolve) -> ast.expr:
    """``enumerate((x, y))`` and ``zip((x, y), (0, 1))`` as tuples of tuples; the rest as it is."""
    match over:
        case ast.Call(func=called, args=[ast.Tuple() | ast.List() as given], keywords=[]) if (
            resolve(called) == "builtins.enumerate"
        ):
            numbers: list[ast.expr] = [ast.Constant(k) for k in range(len(given.elts))]
            columns = [numbers, given.elts]
        case ast.Call(func=called, args=several, keywords=[]) if resolve(called) == "builtins.zip":
            columns = [each.elts for each in several if isinstance(each, ast.Tuple | ast.List)]
            if len(columns) < len(several) or len({*map(len, columns)}) != 1:
                return over
        case _:
            return over
    rows: list[ast.expr] = [ast.Tuple([*each], ast.Load()) for each in zip(*columns, strict=True)]
    return placed(ast.Tuple(rows, ast.Load()), over)


def literal_index(node: ast.expr) -> int | None:
    """The integer that a literal such as ``-1`` spells."""
    match node:
        case ast.Constant(value=int(position)):
            return position
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(position))):
            return -position
    return None


def as_tuple(node: ast.expr) -> ast.expr:
    """A display, and those in it, as tuples."""
    if not isinstance(node, ast.List | ast.Tuple):
        return node
    return ast.copy_location(ast.Tuple([as_tuple(each) for each in node.elts], node.ctx), node)


def _bound(function: ast.FunctionDef) -> Iterator[tuple[ast.Name, ast.expr]]:
    return bindings(walk(function))


class _WrittenOut(ast.NodeTransformer):
    """``[0] * 3`` and ``[x[k] for k in range(3)]`` as displays, also where a loop numbers or zips them."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve

    def visit_For(self, node: ast.For) -> ast.stmt:
        """``for k, x in enumerate((x, y))``."""
        self.generic_visit(node)
        node.iter = numbered(node.iter, self._resolve)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``divmod(i, n)`` as ``(i // n, i % n)``."""
        self.generic_visit(node)
        match node:
            case ast.Call(args=[ast.Name() | ast.Constant() as one, ast.Name() | ast.Constant() as by]) if (
                self._resolve(node.func) == "builtins.divmod"
            ):
                operators = (ast.FloorDiv(), ast.Mod())
                parts: list[ast.expr] = [
                    ast.copy_location(ast.BinOp(copy.copy(one), each, copy.copy(by)), node)
                    for each in operators
                ]
                return ast.copy_location(ast.Tuple(parts, ast.Load()), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """``[0, 1] * 2``."""
        match node:
            case ast.BinOp(ast.List(elts=items), ast.Mult(), ast.Constant(value=int(count))) if (
                0 < count * len(items) <= _MOST_ITEMS
                and all(isinstance(each, ast.Constant) for each in items)
            ):
                return ast.copy_location(ast.List(items * count, ast.Load()), node)
        self.generic_visit(node)
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """A comprehension over few literal numbers."""
        self.generic_visit(node)
        match node.generators:
            case [ast.comprehension(target=ast.Name(id=name), iter=over, ifs=[], is_async=0)]:
                values = self._values(over)
                is_own = name not in names_bound(node.elt)
                if values is not None and 0 < len(values) <= _MOST_ITEMS and is_own:
                    items = [_Put(name, each).visit(twin(node.elt)) for each in values]
                    return ast.copy_location(ast.List(items, ast.Load()), node)
        return node

    def _values(self, over: ast.expr) -> Sequence[int] | None:
        ranged = range_of(over, self._resolve)
        bounds = [literal_index(each) for each in ranged or ()]
        numbers = [each for each in bounds if each is not None]
        return range(*numbers) if numbers and len(numbers) == len(bounds) and 0 not in numbers[2:] else None


class _Sliced(ast.NodeTransformer):
    """``rates[:2]`` as ``[rates[0], rates[1]]``, for lists of known lengths."""

    def __init__(self, lengths: Mapping[str, int]) -> None:
        self._lengths = lengths

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """A part between literal bounds that holds something."""
        self.generic_visit(node)
        match node:
            case ast.Subscript(ast.Name(id=name), ast.Slice(lower, upper, None), ast.Load()):
                bounds = [None if each is None else literal_index(each) for each in (lower, upper)]
                known = [each is None for each in (lower, upper)] == [each is None for each in bounds]
                places = range(self._lengths.get(name, 0))[slice(*bounds)]
                if known and places:
                    items: list[ast.expr] = [
                        ast.Subscript(ast.Name(name, ast.Load()), ast.Constant(each), ast.Load())
                        for each in places
                    ]
                    return placed(ast.List(items, ast.Load()), node)
        return node


class _Put(ast.NodeTransformer):
    """A literal integer for a name."""

    def __init__(self, name: str, value: int) -> None:
        self._name = name
        self._value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The literal, where it is that name."""
        return ast.copy_location(ast.Constant(self._value), node) if node.id == self._name else node


def _lengths(function: ast.FunctionDef, resolve: Resolve) -> dict[str, int]:
    """The names of lists of fixed lengths that nothing but this function sees, with these."""
    fixed = _written_lengths(function)
    told = Counter(each.id for each in name_nodes(function))
    told.subtract(target.id for target, _ in _bound(function))
    told.subtract(_looked_at(function, resolve))
    given = {each.arg for each in function.args.args}
    return {name: length for name, length in fixed.items() if not told[name] and name not in given}


def _written_lengths(function: ast.FunctionDef) -> dict[str, int]:
    """The names that are only bound to lists of one length that are written out, with this length."""
    made: dict[str, set[int]] = {}
    for target, value in _bound(function):
        made.setdefault(target.id, set()).add(_length(value))
    return {name: length for name, (length, *others) in made.items() if length and not others}


def _length(value: ast.expr) -> int:
    """The length of a short list that is written out; 0 for anything else."""
    items = value.elts if isinstance(value, ast.List) else []
    starred = any(isinstance(each, ast.Starred) for each in items)
    return 0 if starred or len(items) > _MOST_ITEMS else len(items)


def _looked_at(function: ast.FunctionDef, resolve: Resolve) -> Iterator[str]:
    """The names, as often as something only reads or stores an item, or reads the length."""
    for each in walk(function):
        match each:
            case ast.Subscript(value=ast.Name(id=name), slice=index) if not isinstance(index, ast.Slice):
                yield name
            case ast.For(iter=ast.Name(id=name)) if name not in _stored_in(each):
                yield name
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=ast.Name(id=name)):
                yield name
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]):
                yield name
            case ast.Call(func=called, args=given) if _reads(python_function(resolve(called))):
                yield from (part.id for part in given if isinstance(part, ast.Name))


def _reads(function: PythonFunction | None) -> bool:
    """Whether a function of Python's only reads what it is given."""
    return function is not None and (function.reads or function.computes in ("some", "every"))


def _stored_in(loop: ast.For) -> set[str]:
    """The names into whose items a loop stores: one that runs over a list sees these."""
    stored = [each for each in walk(loop) if isinstance(each, ast.Subscript)]
    return names_in(*(each.value for each in stored if isinstance(each.ctx, ast.Store)))


class _AsTuples(ast.NodeTransformer):
    """Tuples for lists of fixed lengths."""

    def __init__(self, lengths: dict[str, int], taken: set[str]) -> None:
        self._lengths = lengths
        self._taken = taken

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        """``place = [x, y]``, ``place[0] = x``, ``place[0], x = x, place[0]``."""
        self.generic_visit(node)
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name | ast.Tuple):
            for_lists = [name for name in name_nodes(node.targets[0]) if name.id in self._lengths]
            if for_lists:
                node.value = as_tuple(node.value)
        stores: list[ast.stmt] = []
        node.targets = [self._without_items(each, stores) for each in node.targets]
        return [node, *stores] if stores else node

    def _without_items(self, target: ast.expr, stores: list[ast.stmt]) -> ast.expr:
        """The target with new names for items of lists; ``stores`` gets what stores these."""
        if isinstance(target, ast.Tuple | ast.List):
            target.elts = [self._without_items(each, stores) for each in target.elts]
        match target:
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self._lengths:
                value = fresh_name("value", self._taken)
                stores += self._stored(name, index, ast.Name(value, ast.Load()), target)
                return ast.copy_location(ast.Name(value, ast.Store()), target)
        return target

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        """``place[0] += x``."""
        self.generic_visit(node)
        match node.target:
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self._lengths:
                made: list[ast.stmt] = []
                if literal_index(index) is None:
                    index = self._bound_to(index, "position", made)
                old = ast.copy_location(ast.Subscript(_name(name), index, ast.Load()), node.target)
                value = ast.copy_location(ast.BinOp(old, node.op, node.value), node)
                return [*made, *self._stored(name, index, value, node)]
        return node

    def _stored(self, name: str, index: ast.expr, value: ast.expr, node: ast.AST) -> list[ast.stmt]:
        """The statements for ``name[index] = value``."""
        length, made = self._lengths[name], list[ast.stmt]()
        position = literal_index(index)
        if position is not None and -length <= position < length:
            return [self._with_item(name, position % length, value, node)]
        value = self._bound_to(value, "value", made, node)
        index = index if isinstance(index, ast.Name) else self._bound_to(index, "position", made, node)
        branch: list[ast.stmt] = [ast.Raise(ast.Name("IndexError", ast.Load()))]
        for each in reversed(range(length)):
            numbers = ast.Tuple([ast.Constant(each), ast.Constant(each - length)], ast.Load())
            test = ast.Compare(twin(index), [ast.In()], [numbers])
            branch = [ast.If(test, [self._with_item(name, each, value, node)], branch)]
        return [*made, *(placed(each, node) for each in branch)]

    def _with_item(self, name: str, position: int, value: ast.expr, node: ast.AST) -> ast.stmt:
        items: list[ast.expr] = [
            value if each == position else ast.Subscript(_name(name), ast.Constant(each), ast.Load())
            for each in range(self._lengths[name])
        ]
        return placed(ast.Assign([ast.Name(name, ast.Store())], ast.Tuple(items, ast.Load())), node)

    def _bound_to(
        self, value: ast.expr, word: str, made: list[ast.stmt], node: ast.AST | None = None
    ) -> ast.expr:
        """A new name for a value, which a further statement binds."""
        name = fresh_name(word, self._taken)
        made.append(placed(ast.Assign([ast.Name(name, ast.Store())], value), node or value))
        return _name(name)


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())
