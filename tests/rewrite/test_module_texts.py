"""The text of a changed module: LibCST writes anew only those of its statements that were changed."""

from __future__ import annotations

import ast
from pathlib import Path

import libcst as cst
import pytest

from nprewrite.source import names, tree
from nprewrite.source.document import Document
from nprewrite.source.edits import Wrap
from nprewrite.source.nodes import expression
from nprewrite.source.tree import code_of

FILES = [Path(each.__file__ or "") for each in (names, tree)]
TEXTS = {each.name: each.read_text() for each in FILES} | {
    "empty": "",
    "only a comment": "# nothing\n",
    "no last newline": "# above\nx = 1\ny = 2",
    "lines below": "x = 1\n\n# below\n",
    "other ends": "# above\r\nx = 1\r\nif x:\r\n    y = 2",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_text_of_a_module_is_that_of_libcst(text: str) -> None:
    module = cst.parse_module(text)
    code, texts = code_of(module, {})
    assert code == module.code == text
    assert code_of(module, texts) == (text, texts)


def test_what_is_replaced_is_written_anew_and_the_rest_as_it_was() -> None:
    document = Document("# above\nx = 1\n\n\ndef f():\n    # inside\n    return x  # after\n\n\ny = f()\n")
    first, function, last = document.tree.body
    assert isinstance(function, ast.FunctionDef)
    returned = function.body[0]
    assert isinstance(returned, ast.Return)
    assert returned.value is not None
    edit = Wrap(returned.value, lambda value: expression("g({value})", value=value))
    made = document.replaced([edit])
    assert made.text == document.text.replace("return x", "return g(x)")
    assert made.text == made.source.module.code
    assert (first.lineno, last.lineno) == (2, 10)
