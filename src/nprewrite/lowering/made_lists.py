"""Lists that a loop makes for itself: filled, read and made anew in each trip, and handed to nobody.

``d = [f(c) for c in centres]`` becomes a loop that appends, and NumPy's functions get ``np.array(d)``. Such a
list needs no Python list: its items lie in memory that the caller lends.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Iterator, Sequence

from nprewrite.base.syntax import fresh_name, name_nodes, names_bound, names_in, placed, renamed, twin, walk
from nprewrite.lowering.array_ranks import REDUCTIONS, native
from nprewrite.lowering.queues import first_of, queue_made, queues_of
from nprewrite.lowering.written_lists import Resolve
from nprewrite.numpy_api.python import python_function

_MADE = ("numpy.array", "numpy.asarray")
_DISPLAYS = (ast.List, ast.ListComp, ast.Tuple)
_ARITHMETIC = (ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
_FOLDS = REDUCTIONS - {"least", "greatest"} | {"middle", "norm"}
"""What NumPy makes of a display: the least and the greatest need no array."""


def with_made_lists(
    function: ast.FunctionDef, resolve: Resolve, lists: Collection[str] = ()
) -> tuple[ast.FunctionDef, tuple[str, ...]]:
    """The function with comprehensions as loops, and the names of the lists that it makes for itself.

    ``lists`` are the parameters that are lists.
    """
    queues = _queues(function, resolve)
    if not (lists or queues or any(isinstance(each, _DISPLAYS) for each in walk(function))):
        return function, ()
    made = twin(function)
    _AsLoops(made, resolve)
    given = {each.arg for each in function.args.args}
    emptied = dict.fromkeys(map(_emptied, walk(made)))
    names = [each for each in emptied if each and each not in given and _is_own(each, made, resolve)]
    others, taken = _listed(function), queues_of(*function.body)
    # Of the other kind, to take the first item raises.
    names = [each for each in names if (taken.get(each) == "popleft") == (each in queues)]
    names = [each for each in names if each not in queues & others]
    # What stays a comprehension is told as it is written.
    made = _Lowered({*names}, {*names, *lists}, resolve).visit(made if names else twin(function))
    return ast.fix_missing_locations(made), tuple(names)


def _queues(function: ast.FunctionDef, resolve: Resolve) -> set[str]:
    """The names that a function binds to queues: ``q = deque([start])``."""
    named = (queue_made(each, resolve) for each in walk(function))
    return {each[0] for each in named if each is not None}


def _listed(function: ast.FunctionDef) -> set[str]:
    """The names that a function binds to lists."""
    found = set()
    for each in walk(function):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.ListComp()):
                found.add(name)
    return found


def _emptied(node: ast.AST) -> str | None:
    """The name to which a statement binds a new list: ``d = []``."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
            return name
    return None


def _ordered(node: ast.AST, resolve: Resolve) -> str | None:
    """The name of a list that a statement binds to the same items in order: ``d = sorted(d)``."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=called, args=[ast.Name(id=given)])
        ) if name == given and resolve(called) == "builtins.sorted":
            return name
    return None


class _AsLoops:
    """Comprehensions and displays as loops and calls that append."""

    def __init__(self, function: ast.FunctionDef, resolve: Resolve) -> None:
        self._resolve = resolve
        self._taken = names_in(function)
        function.body = self._block(function.body)

    def _block(self, block: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [placed(made, each) for each in block for made in self._statements(each)]

    def _statements(self, node: ast.stmt) -> Iterator[ast.stmt]:
        for name in ("body", "orelse"):
            if getattr(node, name, None):
                setattr(node, name, self._block(getattr(node, name)))
        queue = queue_made(node, self._resolve)
        if queue is not None:
            name, items = queue
            yield ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
            yield from (_append(name, each) for each in items)
            return
        match node:
            case ast.Assign(targets=[ast.Name() as target], value=ast.ListComp() as given) if _is_plain(
                given
            ):
                yield from self._filled(target.id, given)
            case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.List(elts=[_, *_] as items)) if (
                not any(name in names_in(each) for each in items)
            ):
                yield ast.Assign([target], ast.List([], ast.Load()))
                yield from (_append(name, each) for each in items)
            case ast.Assign(
                targets=[ast.Name(id=name) as target], value=ast.BinOp(op=ast.Mult()) as product
            ) if (repeated := self._repeated(product)) is not None and name not in names_in(product):
                items, count = repeated
                # Each is computed once, and also where there are none of it.
                names = [fresh_name(name, self._taken) for _ in items]
                for each, item in zip(names, items, strict=True):
                    yield ast.Assign([ast.Name(each, ast.Store())], item)
                over = ast.Call(ast.Name("range", ast.Load()), [count], [])
                counter = ast.Name(fresh_name("k", self._taken), ast.Store())
                yield ast.Assign([target], ast.List([], ast.Load()))
                yield ast.For(
                    counter, over, [_append(name, ast.Name(each, ast.Load())) for each in names], []
                )
            case ast.Assign(
                targets=[ast.Name() as target],
                value=ast.IfExp(
                    test, (ast.List() | ast.ListComp()) as one, (ast.List() | ast.ListComp()) as other
                ),
            ):
                first, second = (ast.Assign([copy.copy(target)], each) for each in (one, other))
                yield from self._statements(ast.If(test, [first], [second]))
            case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Return():
                found = self._alone(node.value) if node.value is not None else None
                if found is not None:
                    name = fresh_name("items", self._taken)
                    yield from self._filled(name, found)
                    node = _Put(found, name).visit(node)
                yield node
            case _:
                yield node

    def _repeated(self, product: ast.BinOp) -> tuple[list[ast.expr], ast.expr] | None:
        """The numbers of ``[0.0] * n``, and how often it has them; None for other products."""
        given, count = product.left, product.right
        if isinstance(count, ast.List):
            given, count = count, given
        if (
            not isinstance(given, ast.List)
            or self._resolve(ast.Name("range", ast.Load())) != "builtins.range"
        ):
            return None
        plain = all(isinstance(each, _ARITHMETIC) for item in given.elts for each in walk(item))
        return (given.elts, count) if plain and given.elts else None

    def _alone(self, value: ast.expr) -> ast.ListComp | None:
        """The comprehension of which a function of NumPy makes something, beside which nothing is called."""
        calls = [each for each in walk(value) if isinstance(each, ast.Call)]
        lists = [each for each in walk(value) if isinstance(each, ast.ListComp)]
        if len(lists) != 1 or not _is_plain(lists[0]):
            return None
        inside = {id(each) for each in walk(lists[0])}
        outside = [each for each in calls if id(each) not in inside]
        taken = [each for each in outside if each.args[:1] == lists]
        known = all((self._resolve(each.func) or "").startswith(("numpy.", "builtins.")) for each in outside)
        drawn = any("random" in (self._resolve(each.func) or "") for each in outside)
        of_numpy = bool(taken) and (self._resolve(taken[0].func) or "").startswith("numpy.")
        return lists[0] if of_numpy and known and not drawn else None

    def _filled(self, name: str, given: ast.ListComp) -> Iterator[ast.stmt]:
        own = {
            each: fresh_name(each, self._taken)
            for each in names_bound(*(each.target for each in given.generators))
        }
        made: list[ast.stmt] = [_append(name, renamed(given.elt, own))]
        for each in reversed(given.generators):
            for test in reversed(each.ifs):
                made = [ast.If(renamed(test, own), made, [])]
            # The first iterable is evaluated outside of the comprehension's scope.
            over = each.iter if each is given.generators[0] else renamed(each.iter, own)
            made = [ast.For(renamed(each.target, own), over, made, [])]
        yield ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
        yield from made


def _is_plain(given: ast.ListComp) -> bool:
    binds = any(isinstance(each, ast.NamedExpr | ast.ListComp) for each in walk(given) if each is not given)
    return not binds and not any(each.is_async for each in given.generators)


def _append(name: str, item: ast.expr) -> ast.stmt:
    called = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
    return ast.Expr(ast.Call(called, [item], []))


class _Put(ast.NodeTransformer):
    def __init__(self, found: ast.expr, name: str) -> None:
        self._found, self._name = found, name

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """The name in its place."""
        return ast.copy_location(ast.Name(self._name, ast.Load()), node) if node is self._found else node


class _Lowered(ast.NodeTransformer):
    """``np.argmin(np.array(d))`` for ``np.argmin(d)``, and ``d.clear()`` for ``d = []``: it has one name."""

    def __init__(self, names: set[str], lists: set[str], resolve: Resolve) -> None:
        self._names, self._lists, self._resolve = names, lists, resolve

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """The list made anew."""
        emptied, ordered = _emptied(node), _ordered(node, self._resolve)
        name = emptied or ordered
        if name is None or name not in self._names:
            return self.generic_visit(node)  # type: ignore[return-value]
        method = ast.Attribute(ast.Name(name, ast.Load()), "sort" if ordered else "clear", ast.Load())
        given = node.value.keywords if ordered and isinstance(node.value, ast.Call) else []
        return placed(ast.Expr(ast.Call(method, [], given)), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call of NumPy's function, which makes an array of a list first."""
        self.generic_visit(node)
        called = self._resolve(node.func) or ""
        match node:
            case ast.Call(func=ast.Attribute(value=module), args=[ast.Name(id=name) as given]) if (
                name in self._lists and called == "random.choice"
            ):
                # As Python's own function does it; of an empty list the loop as written tells.
                length = ast.Call(ast.Name("len", ast.Load()), [given], [])
                drawn = ast.Call(ast.Attribute(module, "randrange", ast.Load()), [length], [])
                return ast.copy_location(ast.Subscript(given, drawn, ast.Load()), node)
            case ast.Call(func=ast.Attribute(value=module), args=[ast.Name(id=name) as given, *others]) if (
                name in self._names and _takes_array(called) and called not in _MADE
            ):
                pass
            case ast.Call(
                func=ast.Attribute(value=module), args=[ast.List() | ast.Tuple() as given, *others]
            ) if given.elts and _takes_array(called) and native(called.removeprefix("numpy.")) in _FOLDS:
                pass
            case _:
                return node
        # `np.linalg.norm` takes what `np.array` makes.
        numpy = module.value if called.count(".") > 1 and isinstance(module, ast.Attribute) else module
        maker = ast.Attribute(twin(numpy), "array", ast.Load())
        node.args = [ast.copy_location(ast.Call(maker, [given], []), given), *others]
        return node


def _takes_array(called: str) -> bool:
    return called.startswith("numpy.") and (called.count(".") == 1 or called == "numpy.linalg.norm")


def _is_own(name: str, function: ast.FunctionDef, resolve: Resolve) -> bool:
    """Whether the list has this one name, is handed to nobody, and is made before it is looked at."""
    allowed = {id(each) for node in walk(function) for each in _looked_at(node, resolve)}
    uses = [each for each in name_nodes(function) if each.id == name]
    stored = [each for each in uses if not isinstance(each.ctx, ast.Load)]
    made = [each for each in walk(function) if name in (_emptied(each), _ordered(each, resolve))]
    allowed.update(id(part) for each in made for part in name_nodes(each))
    if len(made) != len(stored) or any(id(each) not in allowed for each in uses if each not in stored):
        return False
    return is_set_first(name, function.body, _emptied)


def _looked_at(node: ast.AST, resolve: Resolve) -> Iterator[ast.expr]:
    """What may be a list of the loop's own: none of these keeps it, or tells it from another list."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="append" | "sort" | "reverse"))):
            yield owner
        case ast.Call(func=ast.Attribute(value=owner, attr="pop"), args=[]):
            yield owner
        case ast.Call(func=ast.Attribute(value=owner)) if first_of(node) is not None:
            yield owner
        case ast.Subscript(value=owner, slice=index) if not isinstance(index, ast.Slice):
            yield owner
        case ast.For(iter=over) | ast.comprehension(iter=over):
            yield over
            if isinstance(over, ast.Call) and resolve(over.func) in ("builtins.zip", "builtins.enumerate"):
                yield from over.args
        case ast.While(test=test) | ast.If(test=test) | ast.IfExp(test=test):
            yield test
        case ast.UnaryOp(op=ast.Not(), operand=test):
            yield test
        case ast.BinOp(left=left, right=right):
            yield from (left, right)
        case ast.Call(func=ast.Attribute(attr="choice"), args=[given], keywords=[]):
            yield given
        case ast.Call(func=called, args=[given, *_]):
            dotted = resolve(called) or ""
            python = python_function(dotted)
            if _takes_array(dotted) or (python is not None and python.reads):
                yield given


def is_set_first(
    name: str, block: Sequence[ast.stmt], makes: Callable[[ast.stmt], str | None], *, is_set: bool = False
) -> bool:
    """Whether no statement looks at a name before one in the same block, or around it, has set it.

    ``makes`` gives the name that a statement sets to something new.
    """
    for each in block:
        if makes(each) == name:
            is_set = True
            continue
        inner = [part for field in ("body", "orelse") for part in getattr(each, field, [])]
        inside = {id(node) for part in inner for node in walk(part)}
        own = (node for node in name_nodes(each) if id(node) not in inside)
        if not is_set and any(node.id == name for node in own):
            return False
        blocks = (getattr(each, field, []) for field in ("body", "orelse"))
        if not all(is_set_first(name, part, makes, is_set=is_set) for part in blocks):
            return False
        is_set |= isinstance(each, ast.If) and all(
            any(makes(part) == name for part in arm) for arm in (each.body, each.orelse)
        )
    return True
