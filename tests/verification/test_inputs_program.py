"""What there is to compare in a file."""

from __future__ import annotations

import pytest
from road_tools import WAVES, plan_of

from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.program import Target


def test_rewritten_functions_and_those_that_call_them() -> None:
    targets = {each.name: each for each in plan_of(WAVES).targets}
    assert list(targets) == ["Box.clip", "damp", "cut", "twice"]
    assert [name for name, each in targets.items() if not each.direct] == ["twice"]
    assert [name for name, each in targets.items() if each.loops] == ["damp"]


def test_levels_make_a_function_exact_or_not() -> None:
    targets = {each.name: each for each in plan_of(WAVES).targets}
    assert targets["cut"] == Target("cut", direct=True, exact=True, exact_compiled=True, loops=False)
    # Only torch.compile rounds in another order here.
    assert (targets["damp"].exact, targets["damp"].exact_compiled) == (True, False)
    squared = plan_of(WAVES.replace("dtype=float)", "dtype=complex)"), "damp").targets[0]
    assert (squared.exact, squared.exact_compiled) == (False, False)


def test_a_function_that_waits_for_its_first_call_is_not_exact() -> None:
    text = "import numpy as np\n\ndef f(x, n):\n    for k in range(n):\n        x[x > 3] = 1\n    return x\n"
    assert plan_of(text).targets == (Target("f", direct=True, exact=False, exact_compiled=False, loops=True),)


def test_a_decorated_function_is_compared_whatever_is_known_of_it() -> None:
    text = "import nprewrite\nimport numpy as np\n\n@nprewrite.jit\ndef f(x):\n    return x\n"
    assert [each.name for each in plan_of(text).targets] == ["f"]


def test_a_nested_function_belongs_to_the_outer_one() -> None:
    text = "import numpy as np\n\ndef f(n):\n    def g():\n        x = np.zeros(n)\n        x[x < 1] = 2\n"
    text += "        return x\n    return g()\n"
    assert [each.name for each in plan_of(text).targets] == ["f"]
    with pytest.raises(CannotVerify, match="g is defined inside another function: name the outer function"):
        plan_of(text, "g")


def test_statements_of_the_module_are_noted() -> None:
    text = f"{WAVES}\nY = np.zeros(5)\nY[Y < 1] = 2\n"
    line = len(text.splitlines())
    assert plan_of(text).notes == (f"waves.py:{line}: not compared, because it is in no function",)


def test_one_function_is_chosen() -> None:
    assert [each.name for each in plan_of(WAVES, "twice").targets] == ["twice"]
    assert [each.name for each in plan_of(WAVES, "Box.clip").targets] == ["Box.clip"]


@pytest.mark.parametrize(
    ("text", "wanted", "message"),
    [
        (
            WAVES,
            "wave",
            "waves.py has no function wave; the functions to compare are: Box.clip, damp, cut, twice",
        ),
        (WAVES, "untouched", "nothing in untouched is rewritten"),
        ("import numpy as np\n\ndef f(x):\n    return x\n", None, "nothing in waves.py is rewritten"),
        ("import numpy as np\nY = np.zeros(5)\nY[Y < 1] = 2\n", None, "what is rewritten is in no function"),
        (
            "import numpy as np\n\ndef f(x):\n    x[x > 1] = 1\n",
            "f",
            r"waves.py:4:5 NPR101 refused\[dtype-unknown\]",
        ),
    ],
)
def test_why_nothing_is_compared(text: str, wanted: str | None, message: str) -> None:
    with pytest.raises(CannotVerify, match=message):
        plan_of(text, wanted)


def test_a_rewritten_file_is_no_file_as_written() -> None:
    from nprewrite.engine.outcomes import Options
    from nprewrite.engine.pipeline import rewrite_source

    rewritten = rewrite_source(WAVES, "waves.py", Options()).text
    with pytest.raises(CannotVerify, match=r"rewritten already \(it declares the step `_damp_step`\)"):
        plan_of(rewritten)
