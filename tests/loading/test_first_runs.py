"""The first run of a module: as written, with decorated functions, while another process rewrites it."""

from __future__ import annotations

import ast
import math
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from loading_tools import DECAY, Python

import nprewrite
from nprewrite.base.worker import Worker
from nprewrite.config import Choices
from nprewrite.loading import decorating, rewriting, store
from nprewrite.source.stars import stars_of

PATIENCE_S = 120.0
USUAL = Choices()
ASKS = """
    import sys
    import numpy
    import nprewrite
    nprewrite.install("waves")
    from waves.core import decay
    print(type(decay).__name__, decay(3).sum(), nprewrite.status().modules["waves.core"])
    print("_decay_step" in decay.__code__.co_names, "libcst" in sys.modules)
"""


@pytest.fixture
def first(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user's program runs."""
    environment["NPREWRITE_WAIT"] = "0"
    monkeypatch.delenv("NPREWRITE_WAIT")
    monkeypatch.setattr(rewriting, "_worker", Worker(rewriting.__name__))
    monkeypatch.setattr(rewriting, "_asked", set())


def kept(path: Path) -> store.Entry | None:
    """What is kept of a module, once there is anything, or time is over."""
    data = path.read_bytes()
    name = store.key(data, USUAL, stars_of(data.decode(), str(path)))
    ends = time.monotonic() + PATIENCE_S
    while (found := store.read(path.stem, name)) is None and time.monotonic() < ends:
        time.sleep(0.05)
    return found


@pytest.mark.usefixtures("first")
def test_the_next_process_finds_what_became_of_it(package: Path, python: Python) -> None:
    words, code = python(ASKS).stdout.splitlines()
    total = np.float64(decay_of(3))
    assert (
        words
        == f"Unproven {total} as written: another process is finding out what it becomes, for later runs"
    )
    assert code == "False False"
    found = kept(package / "waves" / "core.py")
    assert found is not None
    assert found.data is not None
    words, *_, code = python(ASKS).stdout.splitlines()
    assert words.startswith(f"function {total} ")
    assert " rewritten; its text: " in words
    assert code == "True False"


def decay_of(trips: int) -> float:
    names: dict[str, object] = {}
    exec(DECAY, names)
    return float(names["decay"](trips).sum())  # type: ignore[operator]


@pytest.mark.usefixtures("first")
def test_what_a_process_is_working_on_is_not_rewritten_meanwhile(package: Path, python: Python) -> None:
    """On a busy machine runs follow faster than it works; who was killed gets a successor in the end."""
    begins = "from nprewrite.base import worker\n    from nprewrite.loading import store\n    import numpy"
    killed = begins.replace("store", "store\n    worker._working_through = lambda *_: None")
    for _ in range(2):
        assert python(ASKS.replace("import numpy", killed, 1)).stdout.startswith("Unproven")
    assert python(ASKS).stdout.startswith("Unproven")
    impatient = begins.replace("store", "store\n    store.PATIENCE_S = 0.0")
    assert python(ASKS.replace("import numpy", impatient, 1)).stdout.startswith("Unproven")
    assert kept(package / "waves" / "core.py") is not None
    assert python(ASKS).stdout.startswith("function")


@pytest.mark.usefixtures("first")
def test_a_fault_is_met_and_told_by_the_next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("core", "name", ("core.py", DECAY.encode(), USUAL))
    monkeypatch.setattr(rewriting, "read_tasks", lambda _: iter([asked]))
    monkeypatch.setattr(rewriting, "_here", lambda *_: store.Entry(faults=("a pass fails",)))
    rewriting.main()
    assert store.asked("core", "name") is store.Asked.FAILED


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize(
    "choices",
    [
        Choices(level="exact"),
        Choices(verify="first-call"),
        Choices(on_fallback="raise"),
        Choices(select=frozenset(["NPR401"])),
        Choices(ignore=frozenset(["NPR603"])),
        Choices(level="fast", precision="float32"),
    ],
    ids=str,
)
def test_who_asks_for_more_than_speed_waits(choices: Choices) -> None:
    assert not rewriting.rewritten("core.py", DECAY.encode(), choices).is_awaited
    assert rewriting.rewritten("core.py", DECAY.encode(), USUAL).is_awaited
    assert rewriting.rewritten("core.py", DECAY.encode(), USUAL).is_awaited


@pytest.mark.usefixtures("first")
def test_a_program_that_has_not_imported_numpy_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decorator imports NumPy, and the program may set what NumPy reads when it is imported."""
    monkeypatch.delitem(rewriting.sys.modules, "numpy")
    late = f"import os\nos.environ['OMP_NUM_THREADS'] = '1'\n{DECAY}"
    monkeypatch.setattr(rewriting, "_in_another_process", lambda *_: store.Entry())
    assert not rewriting.rewritten("late.py", late.encode(), USUAL).is_awaited
    assert rewriting.rewritten("core.py", DECAY.encode(), USUAL).is_awaited


FUNCTIONS = """
import sys, functools
import numpy as np

def loop(x):
    for k in range(3):
        print(x[k])

def arithmetic(x):
    return x * 2

def comprehension(x):
    return [abs(each) for each in x]

def neither(x):
    return np.sqrt(x)

def generator(n):
    for k in range(n):
        yield k * 2

def of_callers():
    return sys._getframe(1).f_lineno + 1

@functools.cache
def decorated(n):
    return n + 1

class Plain:
    def method(self, x):
        return x + 1

    @property
    def attribute(self):
        return 1 + 1

    def __len__(self):
        return 1 + 1

class OfOthers(dict, metaclass=type):
    def method(self, x):
        return x + 1
"""


def test_functions_that_may_compute_get_the_decorator() -> None:
    tree = ast.parse(FUNCTIONS)
    chosen = decorating.functions_that_may_compute(tree)
    assert chosen == {"loop", "arithmetic", "comprehension", "Plain.method"}


@pytest.mark.usefixtures("first")
def test_warnings_and_errors_of_the_text_are_given_as_without(package: Path, python: Python) -> None:
    core = package / "waves" / "core.py"
    core.write_text("import numpy\ndef f(x):\n    return (x + 1) is 2\n")
    program = "import numpy, nprewrite\nnprewrite.install('waves')\nimport waves.core"
    (package / "waves" / "__init__.py").write_text("")
    told = [python(text).stderr for text in (program, "import numpy\nimport waves.core")]
    assert told[0].count("SyntaxWarning") == 1
    core.write_text("import numpy\nx = (\n")
    told = [python(text, check=False).stderr for text in (program, "import numpy\nimport waves.core")]
    assert [each.splitlines()[-4:] for each in told[:1]] == [each.splitlines()[-4:] for each in told[1:]]


@pytest.mark.usefixtures("first")
def test_a_module_without_numpy_runs_as_it_is_until_it_is_rewritten(package: Path, python: Python) -> None:
    core = package / "waves" / "core.py"
    core.write_text(
        "import math\n\n\ndef decay(n):\n    s = 0.0\n    for i in range(n):\n"
        "        s += math.sqrt(i)\n    return s\n"
    )
    program = "import sys, nprewrite\nnprewrite.install('waves')\nfrom waves.core import decay\n"
    program += "print(type(decay).__name__, decay(3), 'numpy' in sys.modules)"
    assert python(program).stdout.split() == ["function", f"{1 + math.sqrt(2)}", "False"]
    found = kept(core)
    assert found is not None
    assert found.decorated == ("decay",)
    assert python(program).stdout.split()[:2] == ["Unproven", f"{1 + math.sqrt(2)}"]


@pytest.mark.usefixtures("first")
def test_what_runs_is_the_text_as_written() -> None:
    """Line numbers, docstrings, defaults and annotations are those of the file."""
    text = (
        DECAY
        + "\n\nWIDTH = 3\n\n\ndef wide(x: int = WIDTH, *, y=2) -> int:\n    'Twice.'\n    return x * y\n"
    )
    tree = ast.parse(text)
    decorating.decorated(tree, {"decay", "wide"}, tree)
    names: dict[str, object] = {"__name__": "wide"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        home = decorating.Home(text, USUAL)
        exec(decorating.compiled(tree, "wide.py", home), names)
    wide = names["wide"]
    assert callable(wide)
    assert (wide(), wide(4, y=1), wide.__doc__) == (6, 4, "Twice.")
    assert (
        wide.__code__.co_firstlineno
        == text.splitlines().index("def wide(x: int = WIDTH, *, y=2) -> int:") + 1
    )
    assert {"home", "nprewrite"}.isdisjoint(names)
    assert nprewrite.__name__
