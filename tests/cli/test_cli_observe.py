"""``--observe``: a program is run once, and files are rewritten with the types that it passes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import Run

from nprewrite.engine.outcomes import Options
from nprewrite.watching import measuring
from nprewrite.watching.seen import Trial
from nprewrite.watching.timing import Key
from nprewrite.watching.trial import Trials

pytestmark = pytest.mark.usefixtures("small_stands_for_large")

HEAT = """\
import numpy as np


def diffuse(u, k, steps):
    for n in range(steps):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def escape(Z, C, N, steps):
    for n in range(steps):
        I = np.abs(Z) < 2.0
        N[I] = n
        Z[I] = Z[I] ** 2 + C[I]
    return N


def logistic(x, r):
    return r * x * (1 - x)


def iterate(f, x, r, steps):
    for n in range(steps):
        x = f(x, r)
    return x


class Model:
    def __init__(self, size):
        self.u = np.linspace(0, 1, size)

    def run(self, steps):
        for n in range(steps):
            self.u = self.u + 0.1 * self.u * self.u
        return self.u

    def smooth(self, v, steps):
        for n in range(steps):
            v[1:-1] = 0.5 * (v[2:] + v[:-2])
        return v
"""

MAIN = """\
import sys
import numpy as np
from heat import Model, diffuse, escape, iterate, logistic

print("from the program")
C = np.linspace(-2, 1, 400)[:, None] + 1j * np.linspace(-1, 1, 300)
results = [
    diffuse(np.linspace(0, 1, 100) ** 2, 0.1, 10),
    escape(np.zeros_like(C), C, np.zeros(C.shape, int), 20),
    iterate(logistic, np.linspace(0, 1, 9), 3.1, 5),
    Model(6).run(3),
    Model(6).smooth(np.arange(7.0) ** 2, 4),
]
np.savez(sys.argv[1], *results)
"""


@pytest.fixture
def heat(work: Path) -> Path:
    path = work / "heat.py"
    path.write_text(HEAT)
    (work / "main.py").write_text(MAIN)
    return path


def results_of(folder: Path, name: str) -> list[object]:
    import numpy as np

    subprocess.run([sys.executable, "main.py", name], cwd=folder, check=True, capture_output=True)
    with np.load(folder / name) as arrays:
        return [(each.dtype, each.shape, each.tobytes()) for each in arrays.values()]


def test_types_of_another_files_calls(
    heat: Path, run: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPREWRITE_DISABLE", "1")
    before = results_of(work, "before.npz")
    ran = run("heat.py", "--observe", "python main.py seen.npz")
    assert ran.code == 0
    assert (work / "seen.npz").exists()
    assert "from the program" in ran.err
    assert "from the program" not in ran.out
    for line in (
        "observed 1 call of diffuse(u: float64[1 axis], k: float, steps: int)",
        "observed 1 call of escape(Z: complex128[2 axes], C: complex128[2 axes], N: int64[2 axes], ",
        "observed 5 calls of logistic(x: float64[1 axis], r: float)",
        "observed 1 call of Model.smooth(self: Model, v: float64[1 axis], steps: int)",
        "heat.py:5:5 NPR401 rewritten",
        "heat.py:11:5 NPR601 rewritten",
    ):
        assert line in ran.out
    text = heat.read_text()
    assert 'state={"Z": npr.pair("float64"), "N": "int64"}' in text
    assert "in _diffuse_step.over(" in text
    assert "in _smooth_step.over(" in text
    assert results_of(work, "after.npz") == before


def test_what_a_file_cannot_say_is_left_to_the_decorator(heat: Path, run: Run) -> None:
    ran = run("heat.py", "--observe", "python main.py seen.npz")
    text = heat.read_text()
    # Functions as arguments are inlined, attributes get names: the decorator does both.
    assert "@nprewrite.jit\ndef iterate(" in text
    assert "    @nprewrite.jit\n    def run(" in text
    assert text.count("@nprewrite.jit") == 2
    assert "heat.py:23:5 NPR401 deferred: the parameter `f` is only known at a call" in ran.out
    assert "NPR401 deferred: the attributes of `self` are only known at a call" in ran.out
    assert run("heat.py", "--check", "--observe", "python main.py seen.npz").code == 0


def test_without_observe_nothing_is_run(heat: Path, run: Run, work: Path) -> None:
    assert run("heat.py").code == 0
    assert "_diffuse_step" not in heat.read_text()
    assert "@nprewrite.jit\ndef escape(" in heat.read_text()
    assert not (work / "seen.npz").exists()


def test_calls_that_disagree(heat: Path, run: Run, work: Path) -> None:
    (work / "main.py").write_text(
        "import numpy as np, heat\n"
        "heat.diffuse(np.ones(9), 0.1, 2)\n"
        "heat.diffuse(np.ones(9, np.float32), 0.1, 2)\n"
    )
    ran = run("heat.py", "--observe", "python main.py")
    assert "observed 2 calls of diffuse(u: float64[1 axis] or float32[1 axis], k: float, " in ran.out
    assert "NPR401 deferred: " in ran.out
    assert "calls pass `u` as float64[1 axis] and as float32[1 axis]" in ran.out
    assert "@nprewrite.jit\ndef diffuse(" in heat.read_text()
    assert "_diffuse_step" not in heat.read_text()


def test_a_later_call_with_other_types_runs_as_written(heat: Path, run: Run, work: Path) -> None:
    (work / "main.py").write_text("import numpy as np, heat\nheat.diffuse(np.ones(9), 0.1, 2)\n")
    run("heat.py", "--observe", "python main.py")
    program = (
        "import numpy as np, warnings, heat; warnings.simplefilter('ignore');"
        "u = heat.diffuse(np.ones(90000, np.float32).cumsum(), 1, 9); print(u.dtype, u[:3], u[-1]);"
        "v = heat.diffuse([1, 2, 3], 1, 0); print(v)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=work, check=True, capture_output=True, text=True
    )
    assert done.stdout == "float32 [1. 2. 3.] 90000.0\n[1, 2, 3]\n"


def test_a_script_that_observes_itself(work: Path, run: Run) -> None:
    script = work / "wave.py"
    script.write_text(
        "import sys\nimport numpy as np\n\n\ndef step(u, k):\n    for n in range(3):\n"
        "        u = u + k * np.sin(u)\n    return u\n\n\n"
        'if __name__ == "__main__":\n    print(step(np.ones(4), 0.5), sys.argv, __file__)\n'
    )
    ran = run("wave.py", "--observe", "python wave.py 'a b'")
    assert "['wave.py', 'a b'] wave.py" in ran.err
    assert "wave.py: observed 1 call of step(u: float64[1 axis], k: float)" in ran.out
    assert "_step_step.over(" in script.read_text()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("python main.py 3", 'error: --observe "python main.py 3": the process ended with exit status 3'),
        ("python main.py raise", "the process ended with exit status 1; nothing was rewritten"),
        ("python main.py sleep", "took longer than 2 s (--timeout); nothing was rewritten"),
        ("python main.py none", "calls no function of the files to rewrite; nothing was rewritten"),
        ("python main.py profile", "sets a profiling hook (as cProfile does)"),
        ("python gone.py", 'error: --observe "python gone.py": there is no file gone.py'),
        ("make run", "there is no file make"),
        ("python -c 'print(1)'", 'expected "python run.py args" or "python -m module args"'),
    ],
)
def test_a_command_that_fails(heat: Path, run: Run, work: Path, command: str, message: str) -> None:
    (work / "main.py").write_text(
        "import sys, time\nimport numpy as np\nimport heat\n\nword = sys.argv[1]\n"
        "if word == 'none':\n    sys.exit(0)\n"
        "if word == 'profile':\n    import cProfile\n    cProfile.run('1 + 1')\n    sys.exit(0)\n"
        "heat.diffuse(np.ones(9), 0.1, 2)\n"
        "if word == 'sleep':\n    time.sleep(60)\n"
        "if word == 'raise':\n    raise ValueError('told by the program')\n"
        "sys.exit(int(word))\n"
    )
    seconds = "2" if "sleep" in command else "60"
    ran = run("heat.py", "--observe", command, "--timeout", seconds)
    assert ran.code == 2
    assert message in ran.err
    assert ran.out == ""
    assert heat.read_text() == HEAT
    assert ("told by the program" in ran.err) == ("raise" in command)


def test_modules_and_several_files(heat: Path, run: Run, work: Path) -> None:
    package = work / "pond"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "waves.py").write_text(HEAT)
    (package / "__main__.py").write_text(
        "import numpy as np\nfrom pond.waves import diffuse\nfrom heat import Model\n"
        "diffuse(np.ones(9), 0.1, 2)\nModel(5).smooth(np.ones(7), 3)\n"
    )
    ran = run("heat.py", "pond", "--observe", "python -m pond")
    assert "pond/waves.py: observed 1 call of diffuse(" in ran.out
    assert "heat.py: observed 1 call of Model.smooth(" in ran.out
    assert "_diffuse_step" in (package / "waves.py").read_text()
    assert "_diffuse_step" not in heat.read_text()
    assert "_smooth_step" in heat.read_text()


def test_decorators_generators_and_threads_are_left_alone(work: Path, run: Run) -> None:
    (work / "odd.py").write_text(
        "import functools, threading\nimport numpy as np\n\n\n"
        "@functools.cache\ndef cached(n):\n    return np.ones(n)\n\n\n"
        "@np.vectorize\ndef bent(x):\n    return x if x > 0 else -x\n\n\n"
        "def rows(a):\n    for row in a:\n        a = None\n        yield row\n\n\n"
        "class Point:\n    @staticmethod\n    def made(x):\n        return x\n\n"
        "    @property\n    def size(self):\n        return 3\n\n\n"
        "def outer(x):\n    def inner(y):\n        return y * x\n    return inner(2.0)\n\n\n"
        "def work(*args, flag=None, **rest):\n    return [k for k in args]\n\n\n"
        "cached(3), cached(3), bent(np.array([1.0, -1.0])), list(rows(np.ones((2, 2))))\n"
        "Point.made(1j), Point().size, outer(np.float32(2)), (lambda v: v)(3)\n"
        "thread = threading.Thread(target=work, args=(1,), kwargs={'flag': 'a', 'b': 2})\n"
        "thread.start(), thread.join()\n"
    )
    ran = run("odd.py", "--observe", "python odd.py", "--format", "json", "--check")
    seen = {each["function"]: each for each in json.loads(ran.out)["observed"]}
    arguments = {name: (each["calls"], each["arguments"]) for name, each in seen.items()}
    assert arguments == {
        "cached": (1, {"n": ["int"]}),
        # np.vectorize asks once for the type of what is returned.
        "bent": (3, {"x": ["numpy.float64", "float"]}),
        "Point.made": (1, {"x": ["complex"]}),
        "Point.size": (1, {"self": ["Point"]}),
        "outer": (1, {"x": ["numpy.float32"]}),
        "outer.<locals>.inner": (1, {"y": ["float"]}),
        "work": (1, {"flag": ["str"]}),
    }
    assert seen["bent"]["path"] == "odd.py"


def test_reports_for_other_programs(heat: Path, run: Run) -> None:
    command = ("heat.py", "--diff", "--observe", "python main.py seen.npz", "--format")
    notice = "::notice file=heat.py,title=nprewrite::observed 1 call of Model.run(self: Model, steps: int)"
    assert notice in run(*command, "github").err
    printed = run(*command, "sarif").err
    log = json.loads(printed[printed.index("{") :])
    [invocation] = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"]
    notes = [each["message"]["text"] for each in invocation["toolExecutionNotifications"]]
    assert "observed 1 call of Model.run(self: Model, steps: int)" in notes


def test_wrong_usage(run: Run, heat: Path) -> None:
    assert "standard input is none" in run("-", "--observe", "python main.py").err
    assert "give --observe too" in run("heat.py", "--timeout", "3").err
    assert "expected a positive number" in run("heat.py", "--observe", "x", "--timeout", "0").err


TRIED = """\
import numpy as np


def straight(x):
    return np.exp(-x * x) * np.sin(x)


def text(x):
    return str(x)
"""


def test_the_decorator_goes_where_it_paid(run: Run, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (work / "tried.py").write_text(TRIED)
    calls = "from tried import straight, text\nimport numpy as np\ntext(straight(np.ones(5)))\n"
    (work / "main.py").write_text(calls)
    asked: list[str] = []

    def answered(_command: str, functions: Mapping[Key, Options], *_: object, **_limits: float) -> Trials:
        asked.extend(name for _, name in functions)
        seconds = {"straight": Trial(2.0, 0.5), "text": Trial(1.0, 1.0)}
        return Trials({key: seconds[key[1]] for key in functions})

    monkeypatch.setattr(measuring, "WORTH_S", 0.0)
    monkeypatch.setattr(measuring, "tried", answered)
    ran = run("tried.py", "--observe", "python main.py")
    assert ran.code == 0
    assert sorted(asked) == ["straight", "text"]
    assert "straight(x: float64[1 axis]): 2 s, decorated 0.5 s, so it gets the decorator" in ran.out
    changed = (work / "tried.py").read_text()
    assert "@nprewrite.jit\ndef straight" in changed
    assert changed.count("@nprewrite.jit") == 1
    compile(changed, "tried.py", "exec")
