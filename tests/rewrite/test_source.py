"""The text as a LibCST module: lossless, found again by what ``ast`` says, and edited by nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import numpy as np
import pytest
from libcst.metadata import MetadataWrapper, QualifiedName, QualifiedNameProvider, QualifiedNameSource

from nprewrite.source.document import Document
from nprewrite.source.edits import Above, Beside, NodeEdit, Replace, Wrap
from nprewrite.source.nodes import expression, statements
from nprewrite.source.pairing import paired_expressions, paired_statements
from nprewrite.source.problems import SourceProblem

ROOT = Path(__file__).parents[2]
NUMPY = Path(np.__file__).parent
FILES = [
    *sorted((ROOT / "passes").glob("*/*/*/before.py")),
    *sorted((ROOT / "src").rglob("*.py")),
    *sorted((NUMPY / "lib").glob("*.py")),
    *sorted((NUMPY / "ma").glob("*.py")),
]


def text_of(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def edited(text: str, *edits: NodeEdit) -> str:
    return Document(text).replaced(edits).text


def body_of(text: str) -> list[ast.stmt]:
    return Document(text).tree.body


def test_no_byte_is_lost_and_each_node_is_found() -> None:
    # Some of them: ``make corpus`` takes every file of six packages.
    for path in FILES[::3]:
        text = text_of(path)
        module = cst.parse_module(text)
        assert module.code == text, path
        for statement, node in paired_statements(ast.parse(text).body, module):
            for each, written in paired_expressions(statement, node):
                if isinstance(each, ast.Name):
                    assert isinstance(written, cst.Name), path
                    assert each.id == written.value, path


def test_names_are_what_libcst_says() -> None:
    """ScopeProvider takes some 25 times as long as the names of a document (95 and 4 us a line)."""
    for path in FILES[::15]:
        text = text_of(path)
        document = Document(text)
        module = cst.parse_module(text)
        found = MetadataWrapper(module, unsafe_skip_copy=True).resolve(QualifiedNameProvider)
        for name, scope, written in _names(document.tree, module):
            ours = document.names.dotted(name, scope)
            theirs = found.get(written, ())
            qualified = theirs() if callable(theirs) else theirs
            if ours is not None and not ours.startswith("."):
                assert _agrees(ours, qualified), f"{path}:{name.lineno} {name.id}: {ours}, {qualified}"


def _names(
    tree: ast.Module, module: cst.Module
) -> Iterator[tuple[ast.Name, ast.Module | ast.FunctionDef, cst.CSTNode]]:
    """The names that functions of the module, and the module itself, read in statements of their own."""
    nodes = {id(statement): node for statement, node in paired_statements(tree.body, module)}
    scopes = [tree, *(each for each in tree.body if isinstance(each, ast.FunctionDef))]
    for scope in scopes:
        for statement in scope.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            for each, written in paired_expressions(statement, nodes[id(statement)]):
                inner = isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
                if inner and isinstance(each, ast.Name) and not _in_inner_scope(each, statement):
                    yield each, scope, written


def _in_inner_scope(name: ast.Name, statement: ast.stmt) -> bool:
    kinds = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    scopes = (each for each in ast.walk(statement) if isinstance(each, kinds))
    return any(name in ast.walk(each) for each in scopes)


def _agrees(ours: str, theirs: set[QualifiedName] | tuple[()]) -> bool:
    if not theirs:
        # LibCST knows no builtins that are no functions or classes.
        return ours.startswith("builtins.")
    return any(each.name == ours and each.source is not QualifiedNameSource.LOCAL for each in theirs)


def test_new_statements_take_the_indentation_of_their_place() -> None:
    text = "def f(a):\n\tif a:\n\t\tx = 1  # one\n\treturn x\n"
    function = body_of(text)[0]
    assert isinstance(function, ast.FunctionDef)
    branch = function.body[0]
    assert isinstance(branch, ast.If)
    made = edited(text, Replace(branch.body[0], statements("for i in a:\n    x = i\n")))
    assert made == "def f(a):\n\tif a:\n\t\t# one\n\t\tfor i in a:\n\t\t\tx = i\n\treturn x\n"


def test_statements_behind_semicolons_and_colons() -> None:
    text = "a = 1; b = 2; c = 3  # all\nif a: b = c\n"
    first, second, _, branch = body_of(text)
    assert isinstance(branch, ast.If)
    assert edited(text, Replace(second, statements("b = 4"))) == "a = 1; b = 4; c = 3  # all\nif a: b = c\n"
    two = Beside(first, after=statements("d = 5"))
    assert edited(text, two) == "a = 1\nd = 5\nb = 2\nc = 3  # all\nif a: b = c\n"
    below = Beside(branch.body[0], before=statements("c = 6"))
    assert edited(text, below).endswith("if a:\n    c = 6\n    b = c\n")


def test_lines_before_an_elif_stand_in_its_branch() -> None:
    text = "if a:\n    x = 1\nelif b:\n    x = 2\n"
    (outer,) = body_of(text)
    assert isinstance(outer, ast.If)
    made = edited(text, Beside(outer.orelse[0], before=statements("b = f(b)")))
    assert made == "if a:\n    x = 1\nelse:\n    b = f(b)\n    if b:\n        x = 2\n"


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ("y = a - x\n", "b + c", "y = a - (b + c)\n"),
        ("y = x ** 2\n", "-b", "y = (-b) ** 2\n"),
        ("y = f(x, 1)\n", "b + c", "y = f(b + c, 1)\n"),
        ("y = x.real\n", "1", "y = (1).real\n"),
        ("y = a * (x)\n", "b", "y = a * b\n"),
        ("y = x\n", "b, c", "y = b, c\n"),
        ("y = f(x)\n", "b, c", "y = f((b, c))\n"),
        ("y = not x\n", "b or c", "y = not (b or c)\n"),
    ],
)
def test_parentheses_stand_where_they_are_needed(text: str, new: str, expected: str) -> None:
    names = (each for each in ast.walk(Document(text).tree) if isinstance(each, ast.Name))
    place = next(each for each in names if each.id == "x")
    assert edited(text, Replace(place, (expression(new),))) == expected


def test_edits_inside_of_an_edit_come_first() -> None:
    text = "y = f(x) / x\n"
    names = [each for each in ast.walk(Document(text).tree) if isinstance(each, ast.BinOp | ast.Name)]
    operation = next(each for each in names if isinstance(each, ast.BinOp))
    inner = [each for each in names if isinstance(each, ast.Name) and each.id == "x"]
    edits: list[NodeEdit] = [Replace(each, (expression("u + v"),)) for each in inner]
    edits.append(Wrap(operation, lambda made: expression("g({made})", made=made)))
    assert edited(text, *edits) == "y = g(f(u + v) / (u + v))\n"


def test_functions_stand_apart_above_a_statement_and_its_comment() -> None:
    text = "import a\n\n\n# what f does\ndef f(): pass\n"
    made = edited(text, Above(body_of(text)[1], statements("def g():\n    pass\n")))
    assert made == "import a\n\n\ndef g():\n    pass\n\n\n# what f does\ndef f(): pass\n"


def test_lines_stand_for_those_of_the_user() -> None:
    text = "a = 1\nfor i in b:\n    c = i\n    d = c\n"
    loop = body_of(text)[1]
    document = Document(text)
    around = statements("if e:\n    {loop}\n", loop=document.nodes([document.tree.body[1]]))
    made = document.replaced([Replace(loop, around)])
    lines = dict(zip(made.text.splitlines(), (each.line for each in made.origins), strict=False))
    assert lines["        c = i"] == 3
    assert lines["        d = c"] == 4


def test_what_libcst_loses() -> None:
    text = "a = 1\nb = a\r"
    assert edited(text, Replace(body_of(text)[0], statements("a = 2"))) == "a = 2\nb = a\r"
    mixed = "def f():\n\tif x:\n        \ty = 1\n"
    with pytest.raises(SourceProblem, match="LibCST does not read"):
        edited(mixed, Replace(body_of(mixed)[0], ()))
    lost = "def f():\n    x = 1\n\f    y = 2\n"
    with pytest.raises(SourceProblem, match="form feed") as problem:
        edited(lost, Replace(body_of(lost)[0], ()))
    assert problem.value.line == 3


@pytest.mark.parametrize(
    "handlers",
    [
        "except KeyError :\n    pass\n",
        "except (KeyError , ValueError)\t :\n    try:\n        pass\n    except (é) :  # why\n        pass\n"
        "except  ValueError as e :\n    pass\nexcept :\n    pass\n",
        "except* KeyError  :\n    pass\n",
        "except KeyError:\n    pass\nexcept (\n    A\n) :\n    pass\n",
    ],
)
def test_blanks_before_the_colon_of_a_handler_are_kept(handlers: str) -> None:
    text = f"a = 1\ntry:\n    b = 2\n{handlers}"
    assert edited(text, Replace(body_of(text)[0], statements("a = 2"))) == text.replace("a = 1", "a = 2")
