"""What stands in a function after the calls in it are inlined, to be read and to be run."""

from __future__ import annotations

import textwrap
from typing import Any

from nprewrite.engine.outcomes import Options
from nprewrite.engine.pipeline import rewrite_source


def inlined(program: str) -> str:
    """The text of a program after the calls in its function ``main`` are inlined."""
    text = "import numpy as np\n\n\n" + textwrap.dedent(program).strip() + "\n"
    return rewrite_source(text, "program.py", Options(stop_after="inline-call"), only="main").text


def body_of_main(text: str) -> str:
    """The statements of ``main``, the last function of a text."""
    return textwrap.dedent(text.partition("def main(")[2].partition("\n")[2])


def outcome(program: str, *arguments: Any) -> Any:
    """What ``main`` returns or raises."""
    names: dict[str, Any] = {}
    exec(compile("import numpy as np\n" + textwrap.dedent(program), "program.py", "exec"), names)
    try:
        return names["main"](*arguments)
    except (ArithmeticError, LookupError, NameError, TypeError) as error:
        return type(error)
