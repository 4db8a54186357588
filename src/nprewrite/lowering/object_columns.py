"""Lists of objects of one class, as a column for each of their attributes that a loop uses.

for p in self.people:                  for p in range(len(people_age)):
    p.age += dt                            people_age[p] += dt
    for q in self.people[i + 1 :]:         for q in range(i + 1, len(people_age)):
        if q is not p:                         if q != p:
            q.x = q.mass * p.x                     people_x[q] = people_mass[q] * people_x[p]

A name of an object becomes its place in the list. A column of numbers is a list, in which they keep their
types, one of vectors an array of which each is a row, and one of strings holds numbers for them.

history.append(p)                      the object itself is kept
p.force = q.force                      two objects would have one array
old = p.force                          the array of before, once ``p.force`` is another one: see `rebound`
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nprewrite.base.syntax import fresh_name, name_nodes, names_in, root_name, twin, walk
from nprewrite.lowering.appended_arrays import makes_array
from nprewrite.lowering.object_lists import (
    NUMBER,
    TEXT,
    VECTOR,
    Column,
    Member,
    elements_in,
    owner_in,
    taken_of,
    turned,
)
from nprewrite.lowering.problems import NotNative
from nprewrite.lowering.written_lists import Resolve

_SAME = (ast.Is, ast.Eq)
_OTHER = (ast.IsNot, ast.NotEq)


class ColumnParameter(ast.arg):
    """A parameter that stands for an attribute."""


class RowBinding(ast.Assign):
    """``p.force = x`` of a vector: the row gets the numbers of a new array, which is like the old."""


@dataclass(frozen=True)
class Columned:
    """A function with columns as its last parameters, in place of lists of objects.

    ``compares`` tells whether it asks by ``==`` whether two objects are the same.
    """

    function: ast.FunctionDef
    columns: tuple[Column, ...] = ()
    compares: bool = False


def with_columns(function: ast.FunctionDef, members: Sequence[Member], resolve: Resolve) -> Columned:
    """The function with columns, without the parameters for which it then has no use.

    Raises ``NotNative`` where an object, or a list of them, is used in another way.
    """
    walk = _Columns(function, members, resolve)
    made = twin(function)
    walk.generic_visit(made)
    used = names_in(*made.body)
    made.args.args = [each for each in made.args.args if each.arg in used]
    given = (name for each in walk.columns.values() for name in (each.name, each.bound, each.before) if name)
    made.args.args += [ColumnParameter(each) for each in given]
    return Columned(ast.fix_missing_locations(made), tuple(walk.columns.values()), walk.compares)


def rebound(function: ast.FunctionDef) -> frozenset[str]:
    """The columns of which a function binds rows anew: what else has such a row keeps the old array."""
    bindings = (each for each in walk(function) if isinstance(each, RowBinding))
    return frozenset(name for each in bindings if (name := root_name(each.targets[0])) is not None)


class _Columns(ast.NodeTransformer):
    def __init__(self, function: ast.FunctionDef, members: Sequence[Member], resolve: Resolve) -> None:
        self._resolve = resolve
        self._owners = frozenset(each.owner for each in members)
        self._elements = elements_in(function, self._owners)
        self._check_bindings(function)
        taken = names_in(function) | {each.arg for each in function.args.args}
        self.columns: dict[tuple[str, str], Column] = {}
        self.compares = False
        bound = {self._key(each) for each in _assigned(function)}
        for each in members:
            name = fresh_name(f"{each.owner}_{each.attribute}".replace(".", "_"), taken)
            anew = each.kind == VECTOR and (each.owner, each.attribute) in bound
            flag = fresh_name(f"{name}_bound", taken) if anew else ""
            before = fresh_name(f"{name}_before", taken) if anew else ""
            self.columns[each.owner, each.attribute] = Column(each, name, flag, before)

    def _check_bindings(self, function: ast.FunctionDef) -> None:
        """Every binding of a name of an object binds it to an object of the same list."""
        known: set[ast.expr] = set()
        for node in walk(function):
            known |= {each for each, owner in taken_of(node, self._owners) if self._is_of(each, owner)}
            match node:
                case ast.Assign(targets=[ast.Name() as target], value=ast.Name(id=name)) if (
                    name in self._elements and self._is_of(target, self._elements[name])
                ):
                    known.add(target)
        for each in name_nodes(function):
            stored = not isinstance(each.ctx, ast.Load) and each.id in self._elements
            if stored and each not in known:
                raise NotNative("not-scalar", f"`{each.id}` is an object, and something else", each)
        for given in function.args.args:
            if given.arg in self._elements:
                raise NotNative("not-scalar", f"`{given.arg}` is an object from before the loop", function)

    def _is_of(self, target: ast.expr, owner: str) -> bool:
        return isinstance(target, ast.Name) and self._elements.get(target.id) == owner

    def _owner(self, node: ast.expr) -> str | None:
        """The list of which an expression is an object."""
        return owner_in(node, self._owners, self._elements)

    def _element(self, node: ast.expr) -> tuple[str, ast.expr] | None:
        """The list of which an expression is an object, and its place."""
        owner = self._owner(node)
        if owner is None:
            return None
        if isinstance(node, ast.Subscript):
            return owner, self._visited(node.slice)
        assert isinstance(node, ast.Name)
        return owner, ast.Name(node.id, ast.Load())

    def _visited(self, node: ast.expr) -> ast.expr:
        made = self.visit(twin(node))
        assert isinstance(made, ast.expr)
        return made

    def _key(self, node: ast.expr) -> tuple[str, str] | None:
        owner = self._owner(node.value) if isinstance(node, ast.Attribute) else None
        return (owner, node.attr) if owner is not None and isinstance(node, ast.Attribute) else None

    def _column(self, node: ast.expr, kind: str = "") -> Column | None:
        """The column of ``p.x``; of one kind if that is given."""
        key = self._key(node)
        if key is None:
            return None
        found = self.columns.get(key)
        if found is None:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is no number, vector or string", node)
        return found if kind in ("", found.member.kind) else None

    def _length(self, owner: str) -> ast.expr:
        name = next(each.name for each in self.columns.values() if each.member.owner == owner)
        return ast.Call(ast.Name("len", ast.Load()), [ast.Name(name, ast.Load())], [])

    def _places(self, over: ast.expr) -> ast.expr | None:
        """The range of the places over which a loop over objects runs."""
        bounds: list[ast.expr] = []
        if isinstance(over, ast.Call) and (given := turned(over)) is not None:
            places = self._places(given) if self._resolve(over.func) == "builtins.reversed" else None
            return _backwards(places.args) if isinstance(places, ast.Call) else None
        if isinstance(over, ast.Subscript) and isinstance(over.slice, ast.Slice):
            part, over = over.slice, over.value
            if part.step is not None:
                return None
            self._check_index(ast.Subscript(over, part, ast.Load()))
            first = self._bound(part.lower, over) if part.lower is not None else ast.Constant(0)
            bounds = [first, *([self._bound(part.upper, over)] if part.upper is not None else [])]
        if not isinstance(over, ast.Name | ast.Attribute) or (owner := ast.unparse(over)) not in self._owners:
            return None
        length = self._length(owner)
        if len(bounds) == 2:
            bounds[1] = ast.Call(ast.Name("min", ast.Load()), [bounds[1], length], [])
        else:
            bounds.append(length)
        return ast.Call(ast.Name("range", ast.Load()), bounds, [])

    def _bound(self, node: ast.expr, over: ast.expr) -> ast.expr:
        """A bound of a slice, counted from the start."""
        bound = self._visited(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value >= 0:
            return bound
        test = ast.Compare(bound, [ast.GtE()], [ast.Constant(0)])
        below = ast.BinOp(twin(bound), ast.Add(), self._length(ast.unparse(over)))
        behind = ast.Call(ast.Name("max", ast.Load()), [below, ast.Constant(0)], [])
        return ast.IfExp(test, twin(bound), behind)

    def visit_For(self, node: ast.For) -> ast.AST:
        """``for p in range(len(people_x))``."""
        counter: list[ast.stmt] = []
        match node:
            case ast.For(
                target=ast.Tuple(elts=[ast.Name() as number, ast.Name() as one]),
                iter=ast.Call(ast.Name(id="enumerate"), [over], []),
            ) if (places := self._places(over)) is not None and not isinstance(over, ast.Subscript):
                node.target, node.iter = one, places
                bound = ast.Assign([number], ast.Name(one.id, ast.Load()))
                counter = [ast.copy_location(bound, node)]
            case ast.For(iter=over) if (places := self._places(over)) is not None:
                node.iter = places
            case _:
                node.iter = self.visit(node.iter)
                node.target = self.visit(node.target)
        node.body = counter + self._block(node.body)
        node.orelse = self._block(node.orelse)
        return node

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made = [self.visit(each) for each in body]
        return [part for each in made for part in (each if isinstance(each, list) else [each])]

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """``for p in range(len(people_x))``."""
        places = self._places(node.iter)
        if places is None:
            return self.generic_visit(node)
        node.iter, node.ifs = places, [self.visit(each) for each in node.ifs]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``len(people_x)``."""
        match node:
            case ast.Call(ast.Name(id="len"), [ast.Name() | ast.Attribute() as given], []):
                owner = ast.unparse(given)
                if owner in self._owners:
                    return ast.copy_location(self._length(owner), node)
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """``q != p``, and strings by their places."""
        (operator, *others), (right, *_) = node.ops, node.comparators
        pair = self._element(node.left), self._element(right)
        if pair[0] is not None and pair[1] is not None and not others:
            if not isinstance(node.left, ast.Name) or not isinstance(right, ast.Name):
                # The same object may be `bodies[0]` and `bodies[-6]`.
                raise NotNative("not-scalar", f"`{ast.unparse(node)}` compares objects by their places", node)
            if not isinstance(operator, _SAME + _OTHER) or pair[0][0] != pair[1][0]:
                raise NotNative("not-scalar", f"`{ast.unparse(node)}` compares objects", node)
            self.compares |= isinstance(operator, ast.Eq | ast.NotEq)
            same: ast.cmpop = ast.Eq() if isinstance(operator, _SAME) else ast.NotEq()
            return ast.copy_location(ast.Compare(pair[0][1], [same], [pair[1][1]]), node)
        column = self._column(node.left, TEXT) or self._column(right, TEXT)
        if column is None:
            return self.generic_visit(node)
        if others or not isinstance(operator, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` compares strings", node)
        node.left, node.comparators = self._text(node.left, column), [self._text(right, column)]
        return node

    def _text(self, node: ast.expr, column: Column) -> ast.expr:
        """A string as its place among those of the loop."""
        key = column.member.owner, column.member.attribute
        match node:
            case ast.Constant(value=str(text)):
                texts = self.columns[key].texts
                texts = texts if text in texts else (*texts, text)
                self.columns[key] = Column(column.member, column.name, texts=texts)
                return ast.copy_location(ast.Constant(texts.index(text)), node)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                several = ast.Tuple([self._text(each, column) for each in parts], ast.Load())
                return ast.copy_location(several, node)
            case ast.IfExp(test=test, body=one, orelse=other):
                chosen = ast.IfExp(self.visit(test), self._text(one, column), self._text(other, column))
                return ast.copy_location(chosen, node)
        if self._key(node) != key:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` may be another string", node)
        return self._read(node, column)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """Stores into columns, and names of objects."""
        (target, *others) = node.targets
        if isinstance(target, ast.Name) and target.id in self._elements and not others:
            return self._named(node, target)
        column = self._column(target)
        if column is None or column.member.kind == NUMBER:
            return self.generic_visit(node)
        if others:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` binds several names", node)
        place = self._read(target, column, ast.Store())
        if column.member.kind == TEXT:
            return ast.copy_location(ast.Assign([place], self._text(node.value, column)), node)
        if not makes_array(node.value, self._resolve):
            text = f"`{ast.unparse(node.value)}` may be an array that something else has too"
            raise NotNative("not-scalar", text, node)
        assert isinstance(place, ast.Subscript)
        self._check_index(place)

        def picked(name: str, context: ast.expr_context) -> ast.expr:
            return ast.Subscript(ast.Name(name, ast.Load()), twin(place.slice), context)

        first = ast.Compare(picked(column.bound, ast.Load()), [ast.Eq()], [ast.Constant(0)])
        old = ast.Assign([picked(column.before, ast.Store())], picked(column.name, ast.Load()))
        made = [
            ast.If(first, [ast.copy_location(old, node)], []),
            RowBinding([place], self.visit(node.value)),
            ast.Assign([picked(column.bound, ast.Store())], ast.Constant(1)),
        ]
        return [ast.copy_location(each, node) for each in made]

    def _named(self, node: ast.Assign, target: ast.Name) -> ast.AST | list[ast.stmt]:
        """``p = i`` for ``p = people[i]``, once ``people_x[i]`` has been found."""
        element = self._element(node.value)
        assert element is not None
        owner, place = element
        if isinstance(node.value, ast.Name):
            return ast.copy_location(ast.Assign([target], place), node)
        column = next(each for each in self.columns.values() if each.member.owner == owner)

        def named() -> ast.expr:
            return ast.Name(target.id, ast.Load())

        below = ast.BinOp(named(), ast.Add(), self._length(owner))
        test = ast.Compare(named(), [ast.GtE()], [ast.Constant(0)])
        made = [
            ast.Assign([target], place),
            ast.Expr(ast.Subscript(ast.Name(column.name, ast.Load()), named(), ast.Load())),
            ast.Assign([twin(target)], ast.IfExp(test, named(), below)),
        ]
        return [ast.copy_location(each, node) for each in made]

    @staticmethod
    def _check_index(node: ast.Subscript) -> None:
        """An index that is written several times gives the same each time."""
        calls = (each for each in walk(node.slice) if isinstance(each, ast.Call))
        if not all(isinstance(each.func, ast.Name) and each.func.id == "len" for each in calls):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is evaluated once", node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """``people_x[p] += dx``; a vector changes in place."""
        column = self._column(node.target)
        if column is None:
            return self.generic_visit(node)
        if column.member.kind == TEXT:
            raise NotNative("not-scalar", f"`{ast.unparse(node.target)}` is a string", node)
        place = self._read(node.target, column, ast.Store())
        assert isinstance(place, ast.Subscript)
        self._check_index(place)
        return ast.copy_location(ast.AugAssign(place, node.op, self.visit(node.value)), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``people_x[p]``."""
        column = self._column(node)
        if column is None:
            self._check_list(node)
            return self.generic_visit(node)
        if column.member.kind == TEXT or (column.member.kind == VECTOR and isinstance(node.ctx, ast.Store)):
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is no number", node)
        if isinstance(node.ctx, ast.Del):
            raise NotNative("not-local", f"`{ast.unparse(node)}` is deleted", node)
        return self._read(node, column, node.ctx)

    def _read(self, node: ast.expr, column: Column, context: ast.expr_context | None = None) -> ast.expr:
        assert isinstance(node, ast.Attribute)
        element = self._element(node.value)
        assert element is not None
        picked = ast.Subscript(ast.Name(column.name, ast.Load()), element[1], context or ast.Load())
        return ast.copy_location(picked, node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``people[i]`` itself is an object."""
        if self._element(node) is not None:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is used as a whole", node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Any other use of an object or a list needs it itself."""
        if node.id in self._elements and isinstance(node.ctx, ast.Load):
            raise NotNative("not-scalar", f"`{node.id}` is used as a whole", node)
        self._check_list(node)
        return node

    def _check_list(self, node: ast.expr) -> None:
        if ast.unparse(node) in self._owners:
            raise NotNative("not-scalar", f"`{ast.unparse(node)}` is used as a whole", node)


def _backwards(bounds: list[ast.expr]) -> ast.expr:
    """``range(n - 1, m - 1, -1)`` for the bounds of ``range(m, n)``."""
    *first, end = bounds
    ends = (ast.BinOp(each, ast.Sub(), ast.Constant(1)) for each in (end, *(first or [ast.Constant(0)])))
    step = ast.UnaryOp(ast.USub(), ast.Constant(1))
    return ast.Call(ast.Name("range", ast.Load()), [*ends, step], [])


def _assigned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    for each in walk(function):
        if isinstance(each, ast.Assign):
            yield from each.targets
