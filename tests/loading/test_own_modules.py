"""What a program takes from modules of its own: numbers, arrays, NumPy's name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from nprewrite.base.syntax import text_tree
from nprewrite.config import Choices
from nprewrite.loading import rewriting
from nprewrite.source import stars
from nprewrite.source.document import Document
from nprewrite.source.names import ModuleNames
from nprewrite.source.stars import only_gathers, stars_of

PARAMS = """\
import numpy as np
nx, ny = 24, 20
dt = 0.2
noise = np.linspace(0, 1, nx * ny).reshape(nx, ny)
"""

STEP = """

def step(u):
    new = u.copy()
    for i in range(1, nx - 1):
        for j in range(1, ny - 1):
            lap = u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - 4 * u[i, j]
            new[i, j] = u[i, j] + dt * (lap + noise[i, j] * abs(u[i, j]))
    return new


u = noise * 0.5
for n in range(30):
    u = step(u)
print(repr(float(u.sum())), step.source if hasattr(step, "source") else "")
"""


@pytest.mark.parametrize(
    "imports",
    [
        "from params import *",
        "import numpy as np\nfrom params import *",
        "from params import dt, noise, nx, ny",
        "from math import *\nfrom params import *",
        "from around import *",
    ],
)
def test_what_own_modules_hold_is_known(tmp_path: Path, environment: dict[str, str], imports: str) -> None:
    (tmp_path / "params.py").write_text(PARAMS)
    (tmp_path / "around.py").write_text("from params import *\nfrom params import nx as nx\n")
    script = tmp_path / "script.py"
    named = "" if "*" in imports else "import numpy as np\n"
    script.write_text(named + imports + STEP)
    plain, run = (
        subprocess.run(
            [sys.executable, *words, script], env=environment, capture_output=True, text=True, check=True
        ).stdout.split(maxsplit=1)
        for words in ((), ("-m", "nprewrite", "run", "--wait"))
    )
    assert run[0] == plain[0]
    assert "_region" in run[1] or "_loop" in run[1]


def names_of(text: str, file: Path) -> ModuleNames:
    return Document(text, stars=stars_of(text, str(file))).names


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("from math import *\nfrom numpy import *\n", "import numpy.sin"),
        ("from numpy import *\nfrom math import *\n", "import math.sin"),
        (
            '"""Text."""\nfrom math import *\nfrom numpy import sin\nfrom random import *\n',
            "import numpy.sin",
        ),
        ("from math import *\nx = sin(1)\nfrom numpy import *\n", None),
        ("from math import *\nfrom numpy import *\nsin = abs\n", None),
        ("from math import *\nif x:\n    from numpy import *\n", None),
        ("from math import *\nfrom numpy import *\nfrom unknown_to_all import *\n", None),
    ],
)
def test_the_last_import_at_the_head_counts(text: str, meaning: str | None, tmp_path: Path) -> None:
    assert Document(text, stars=stars_of(text, str(tmp_path / "a.py"))).names.module_binding("sin") == meaning


def test_a_file_that_gathers_names_is_not_read_further(tmp_path: Path) -> None:
    file = tmp_path / "__init__.py"
    gathers = '"""All."""\n__all__ = ["f"]\nfrom .core import *\nfrom numpy import *\n'
    assert only_gathers(gathers)
    assert rewriting.rewritten(str(file), gathers.encode(), Choices()).data is None
    for more in ("f(x)", "def f(): return 1", "y = x * 2", "print(x)"):
        assert not only_gathers(f"{gathers}{more}\n")
    assert not only_gathers("import numpy\n")


def test_stars_are_read(tmp_path: Path) -> None:
    package = tmp_path / "waves" / "inner"
    package.mkdir(parents=True)
    (tmp_path / "waves" / "__init__.py").write_text("")
    (package / "__init__.py").write_text("depth = 3\n_own = 4\n")
    (tmp_path / "waves" / "constants.py").write_text("import numpy as xp\nfrom cmath import *\nrange = 7\n")
    (package / "listed.py").write_text("__all__ = ['a', '_b']\na = _b = c = 1\n")
    text = "from . import x\nfrom ..constants import *\nfrom .listed import *\nfrom waves.inner import *\n"
    names = names_of(text, package / "script.py")
    bound = {
        name: names.module_binding(name) for name in ("xp", "sqrt", "range", "a", "_b", "c", "depth", "_own")
    }
    assert bound == {
        "xp": "import numpy",
        "sqrt": "import cmath.sqrt",
        "range": "assignment",
        "a": "assignment",
        "_b": "assignment",
        "c": None,
        "depth": "assignment",
        "_own": None,
    }
    assert not names.unknown_star


@pytest.mark.parametrize(
    "text",
    [
        None,
        "globals().update(range=3)\n",
        "exec('range = 3')\n",
        "__all__ = ['a']\n__all__ += ['b']\na = b = 1\n",
        "from elsewhere import *\n",
        "from script import *\n",
        "def f(:\n",
    ],
)
def test_stars_that_only_running_would_tell(tmp_path: Path, text: str | None) -> None:
    script = tmp_path / "script.py"
    script.write_text("from params import *\n")
    if text is not None:
        (tmp_path / "params.py").write_text(text)
    names = names_of(script.read_text(), script)
    assert names.unknown_star
    assert names.binding("range", Document("").tree) is None


def test_numpy_that_may_be_another_module_is_none(tmp_path: Path) -> None:
    (tmp_path / "params.py").write_text(
        "try:\n    import cupy as np\nexcept ImportError:\n    import numpy as np\n"
    )
    names = names_of("from params import *\n", tmp_path / "script.py")
    assert names.module_binding("np") == "assignment"


def test_another_file_is_another_question(tmp_path: Path) -> None:
    script = str(tmp_path / "script.py")
    (tmp_path / "params.py").write_text("a = 1\n")
    first = stars_of("from params import *\n", script)
    (tmp_path / "params.py").write_text("a = abs = 1\n")
    assert stars_of("from params import *\n", script) != first


def test_modules_that_take_the_names_of_each_other_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ten modules, there are a million ways through all."""
    read = []
    monkeypatch.setattr(stars, "text_tree", lambda text: read.append(text) or text_tree(text))
    for number in range(10):
        others = (f"from m{each} import *\n" for each in range(10) if each != number)
        (tmp_path / f"m{number}.py").write_text(f"{''.join(others)}a{number} = {number}\n")
    (tmp_path / "alone.py").write_text("b = 1\n")
    names = names_of("from m0 import *\nfrom alone import *\n", tmp_path / "script.py")
    assert names.unknown_star
    assert len(read) == 11
    assert names_of("from alone import *\n", tmp_path / "another.py").module_binding("b") == "assignment"
    assert len(read) == 11


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("a = 1\nvars = [a]\n", False),
        ("a = 1  # of no setattr, vars or exec\n", True),
        ("a = 1\nb = 'globals'\n", True),
        ("a = 1\nglobals()['b'] = 2\n", False),
        ("__all__ = ['a']\na = 1\n", True),
        ("__all__ = ['a']\na = 1\n__all__ += ['b']\n", False),
        ("a = 1\n__all__ = [\n    'a',\n]\n", True),
        ("__all__ = ['a']; a = 1\n", False),
    ],
)
def test_what_a_module_binds_at_run_time_is_not_known(tmp_path: Path, text: str, known: bool) -> None:
    (tmp_path / "params.py").write_text(text)
    assert names_of("from params import *\n", tmp_path / "script.py").unknown_star is not known
