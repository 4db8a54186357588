"""``nprewrite run``: a program behaves as ``python`` runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from loading_tools import DECAY

from nprewrite.loading import rewriting

REWRITTEN = "print('rewritten', '_decay_step' in decay.__code__.co_names, file=sys.stderr)\n"
SCRIPT = DECAY + "\n\nimport sys\n"

PROGRAMS = {
    "names": """
print(sys.argv, __name__, __file__, __spec__, __package__, __cached__, __doc__, sys.path[0])
print(type(__loader__).__name__, __loader__.name, sys.modules["__main__"].decay is decay, repr(__builtins__))
print(sorted(globals()), dir(), sorted(vars(sys.modules["__main__"])), dir(sys.modules["__main__"]))
""",
    "names while it runs": """
import os
def look(n):
    print(n, sorted(globals()), dir(sys.modules["__main__"]))
    return n
z, c = np.zeros(1000, complex), np.linspace(-2, 1, 1000) + 0.5j
for n in range(20):
    m = np.abs(z) < 2.0
    z[m] = z[m] ** 2 + c[m]
look(n)
class Model:
    total = 0.0
    def damp(self, x):
        for k in range(3):
            m = x > 0.5
            x[m] = x[m] * 0.9
        return look(x)
print(sorted(vars(Model)), Model().damp(np.ones(3)), Model.damp.__qualname__)
loop, npr, _module_step = 1, 2, 3
for name, value in list(globals().items()):
    print(name, type(value).__name__)
A = np.linspace(0.0, 1.0, 1600).reshape(40, 40)
total = 0.0
for i in range(40):
    for j in range(40):
        total += A[i, j] * 2
print(look(total), i, j, loop + npr + _module_step)
""",
    "deep recursions": """
sys.setrecursionlimit(10**6)
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)
def is_even(n):
    return True if n == 0 else is_odd(n - 1)
def is_odd(n):
    return False if n == 0 else is_even(n - 1)
class Chain:
    def __init__(self, n):
        self.x = np.ones(n)
    def down(self, i):
        return 0.0 if i >= len(self.x) else self.x[i] + self.down(i + 1)
for _ in range(20):
    print(depth(20000), is_even(15001), Chain(9000).down(0))
for _ in range(300):
    depth(500)
print(depth(50000))
""",
    "pickle of its names": """
import pickle
x = np.linspace(0.0, 1.0, 9)
for n in range(3):
    m = x > 0.5
    x[m] = x[m] * 0.9
plain = {k: v for k, v in globals().items() if k[:2] != "__" and type(v) is not type(sys)}
print(sorted(pickle.loads(pickle.dumps(plain))))
""",
    "what it prints": """
import atexit, inspect, pickle, runpy
print(pickle.loads(pickle.dumps(decay)) is decay, decay.__module__)
print(inspect.getsource(decay), inspect.getsource(sys.modules["__main__"])[:20])
print(repr(float(decay(30).sum())))
print(sys.stdin.read())
exec('print(decay(2).shape)')
print(eval('decay')(1).shape)
if __name__ == "__main__":
    print(runpy.run_path(__file__, run_name="other")["decay"](2).shape)
atexit.register(lambda: print("bye", "__main__" in sys.modules, decay(1).shape))
""",
    "error": "decay(3, fail=True)\n",
    "error in a step": "for n in range(3):\n    decay(n)[n + 2000] = 1\n",
    "error in a handler": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    decay(3, fail=True)\n",
    "group": "raise ExceptionGroup('two', [ValueError(1), KeyError(2)])\n",
    "exit": "sys.exit(7)\n",
    "exit with a message": "sys.exit('no more')\n",
    "exit without": "sys.exit()\n",
    "os exit": "import os\nos._exit(3)\n",
    "hook": "sys.excepthook = lambda kind, error, trace: print(kind, trace.tb_frame.f_code.co_name)\n1 / 0\n",
    "interrupt": "raise KeyboardInterrupt\n",
    "signal": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\nimport time; time.sleep(20)\n",
    "handler": """
import os, signal
signal.signal(signal.SIGTERM, lambda number, frame: print(number, frame.f_code.co_name))
os.kill(os.getpid(), signal.SIGTERM)
print(signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGINT))
""",
    "threads": """
import threading, time
def late():
    time.sleep(0.2)
    print(decay(1).shape, sys.modules["__main__"].decay is decay)
threading.Thread(target=late).start()
""",
    "fork": """
import multiprocessing
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print([float(x.sum()) for x in pool.map(decay, [1, 2, 3])])
""",
    "spawn": """
import multiprocessing
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print([float(x.sum()) for x in pool.map(decay, [1, 2, 3])])
""",
    "forkserver": """
import multiprocessing
if __name__ == "__main__":
    with multiprocessing.get_context("forkserver").Pool(1) as pool:
        print([float(x.sum()) for x in pool.map(decay, [1, 2, 3])])
""",
}


MODULE = """
print(sys.argv, __name__, __file__, __spec__.name, __spec__.parent, __package__, __cached__, sys.path[0])
decay(3, fail=True)
"""


@pytest.fixture
def script(package: Path) -> Path:
    return package / "script.py"


def python(environment: dict[str, str], cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment,
        input="from a pipe",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("waits", ["1", "0"], ids=["rewritten", "first run"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_it_behaves_as_python_runs_it(
    script: Path, environment: dict[str, str], program: str, waits: str
) -> None:
    environment["NPREWRITE_WAIT"] = waits
    script.write_text(SCRIPT + program.lstrip("\n"))
    plain = python(environment, script.parent, "script.py", "one", "--two", "-m")
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py", "one", "--two", "-m")
    told = ran.stderr.splitlines(keepends=True)
    if waits == "0" and told and "the rewriter works in the background" in told[-1]:
        del told[-1]
    # Where the machine is busy it takes so long that someone would ask.
    told = [each for each in told if "nothing in script.py ran rewritten" not in each]
    # What its text does not tell is the decorator's, which is another object than a function.
    printed = ran.stdout.replace("decay Unproven", "decay function")
    assert (ran.returncode, printed, "".join(told)) == (plain.returncode, plain.stdout, plain.stderr)


OWN_WARNINGS = """
import logging
import warnings
sys.stderr = sys.stdout
def shifted(u, n):
    new = u
    for k in range(n):
        new[1:-1] = 0.5 * (u[2:] + u[:-2])
    return new.sum()
x = np.linspace(0, 1, 50) ** 2
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    print(shifted(x, 20000), len(heard))
logging.basicConfig(stream=sys.stdout)
logging.captureWarnings(True)
print(shifted(x[:40], 20000))
"""


def test_a_program_hears_nothing_of_what_the_user_is_told(script: Path, environment: dict[str, str]) -> None:
    environment["NPREWRITE_WAIT"] = "1"
    script.write_text(SCRIPT + OWN_WARNINGS)
    plain = python(environment, script.parent, "script.py")
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
    assert ran.stdout == plain.stdout
    assert "may share memory" in ran.stderr
    assert "nprewrite: " in ran.stderr


def test_the_script_and_its_project_are_rewritten(script: Path, environment: dict[str, str]) -> None:
    (script.parent / "pyproject.toml").write_text("[project]\n")
    venv = script.parent / "env"
    (venv / "lib").mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text("")
    (venv / "lib" / "foreign.py").write_text(DECAY)
    text = "import waves.core, foreign\n"
    text += "print(*('_decay_step' in m.decay.__code__.co_names for m in (waves.core, foreign)))\n"
    script.write_text(SCRIPT + f"sys.path.append({str(venv / 'lib')!r})\n" + text + REWRITTEN)
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
    assert (ran.stdout, ran.stderr) == ("True False\n", "rewritten True\n")
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "--package", "foreign", "script.py")
    assert (ran.stdout, ran.stderr) == ("False True\n", "rewritten True\n")
    (script.parent / "pyproject.toml").write_text('[tool.nprewrite]\npackages = ["foreign", "waves"]\n')
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
    assert (ran.stdout, ran.stderr) == ("True True\n", "rewritten True\n")
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "--ignore", "NPR401", "script.py")
    assert (ran.stdout, ran.stderr) == ("False False\n", "rewritten False\n")


@pytest.mark.parametrize("name", ["script.py", "./script.py", "waves/../script.py", ".//script.py"])
def test_the_path_of_a_script_is_told_as_it_was_given(
    script: Path, environment: dict[str, str], name: str
) -> None:
    script.write_text(SCRIPT + "print(__file__, decay(2).shape)\n" + REWRITTEN + "decay(3, fail=True)\n")
    plain = python(environment, script.parent, name)
    ran = python(environment, script.parent, "-m", "nprewrite", "run", name)
    assert ran.stdout == plain.stdout
    assert f"{script.parent}/{name}" in ran.stdout
    first, others = ran.stderr.split("\n", 1)
    assert first == "rewritten True"
    assert others == plain.stderr.split("\n", 1)[1]


@pytest.mark.parametrize("waits", ["1", "0"], ids=["rewritten", "first run"])
@pytest.mark.parametrize("name", ["waves", "waves.core", "waves.__main__", "script"])
def test_modules(script: Path, environment: dict[str, str], name: str, waits: str) -> None:
    environment["NPREWRITE_WAIT"] = waits
    script.write_text(SCRIPT + MODULE)
    plain = python(environment, script.parent, "-m", name, "one", "--level")
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "-m", name, "one", "--level")
    assert (ran.returncode, ran.stdout) == (plain.returncode, plain.stdout)
    # Of a module, python shows its own frames of runpy too.
    assert ran.stderr.splitlines() == [
        line for line in plain.stderr.splitlines() if "frozen runpy" not in line
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone.py"], "gone.py cannot be run: no such file"),
        (["waves"], "waves cannot be run: it is a directory"),
        (["-m", "gone"], "no module named gone"),
        (["-m", "waves.gone"], "no module named waves.gone"),
        (["-m", "waves.inner"], "waves.inner is a package without __main__, and cannot be run"),
        (["-m"], "name a module behind -m"),
        ([], "name a script, or a module with -m"),
        (["--level", "best", "script.py"], "'best' is not one of 'exact', 'rounding', 'fast'"),
        (["--config", "gone.toml", "script.py"], "gone.toml: it cannot be read"),
        (["--select", "NPR9", "script.py"], "no pass is called 'NPR9'"),
    ],
)
def test_what_cannot_be_run(
    script: Path, environment: dict[str, str], arguments: list[str], message: str
) -> None:
    script.write_text("print('ran')\n")
    ran = python(environment, script.parent, "-m", "nprewrite", "run", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_syntax_error_is_shown_as_python_shows_it(script: Path, environment: dict[str, str]) -> None:
    script.write_text("import numpy\nx = (\n")
    plain = python(environment, script.parent, "script.py")
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
    assert (ran.returncode, ran.stderr) == (plain.returncode, plain.stderr)


def test_an_error_on_import_in_a_package(package: Path, environment: dict[str, str]) -> None:
    (package / "waves" / "__init__.py").write_text("import not_there\n")
    ran = python(environment, package, "-m", "nprewrite", "run", "-m", "waves.core")
    assert ran.returncode == 1
    assert "ModuleNotFoundError: No module named 'not_there'" in ran.stderr


def test_numpy_is_imported_when_the_program_does(script: Path, environment: dict[str, str]) -> None:
    script.write_text(
        "import sys\nprint('numpy' in sys.modules, 'torch' in sys.modules)\n" + SCRIPT + REWRITTEN
    )
    for _ in ("a first run", "a second run"):
        ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
        assert (ran.stdout, ran.stderr) == ("False False\n", "rewritten True\n")


def test_a_later_run_does_without_the_rewriter(script: Path, environment: dict[str, str]) -> None:
    script.write_text(
        "import sys\nimport numpy as np\ndef damp(x):\n    for k in range(3):\n        x = x * 0.5 + 0.1\n"
        "    return x\ndamp(np.ones(9))\nprint('libcst' in sys.modules)\n"
    )
    for printed in ("True\n", "False\n"):
        ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
        assert (ran.stdout, ran.stderr) == (printed, "")


def test_the_installed_command(script: Path, environment: dict[str, str]) -> None:
    """``nprewrite run`` as the script of the installation starts it: sys.path[0] is the script's folder."""
    script.write_text("import sys, os\nprint(sys.path[0] == os.path.realpath(os.getcwd()), sys.argv)\n")
    entry = script.parent / "bin" / "nprewrite"
    entry.parent.mkdir()
    entry.write_text("import sys\nfrom nprewrite.cli import main\nsys.exit(main())\n")
    ran = python(environment, script.parent, str(entry), "run", "script.py", "--help")
    assert ran.stdout == "True ['script.py', '--help']\n"


def test_an_interrupt_from_outside(script: Path, environment: dict[str, str]) -> None:
    script.write_text("import sys, time\nimport numpy\nprint('ready', flush=True) or time.sleep(30)\n")
    with subprocess.Popen(
        [sys.executable, "-m", "nprewrite", "run", str(script)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT
    assert errors.splitlines()[0] == "Traceback (most recent call last):"
    assert errors.splitlines()[1] == f'  File "{script}", line 3, in <module>'


COMPILING = """
import threading, time
from nprewrite.runtime.torch import compiler

def tell():
    while compiler._compiler._process is None:
        time.sleep(0.01)
    print(compiler._compiler._process._process.pid, flush=True)

threading.Thread(target=tell, daemon=True).start()
decay(10_000)
"""


@pytest.mark.parametrize("seconds", [0, 4], ids=["starting", "compiling"])
def test_an_interrupt_from_a_terminal_while_something_is_compiled(
    script: Path, environment: dict[str, str], seconds: float
) -> None:
    """The program ends by the signal, and the process that compiles for it has ended before."""
    pytest.importorskip("torch")
    script.write_text(SCRIPT + COMPILING)
    environment["TORCHINDUCTOR_CACHE_DIR"] = str(script.parent / "inductor")
    with subprocess.Popen(
        [sys.executable, "-m", "nprewrite", "run", str(script)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        compiling = int(process.stdout.readline())
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert errors.startswith(f'Traceback (most recent call last):\n  File "{script}", line ')
    assert errors.endswith("KeyboardInterrupt\n")
    with pytest.raises(ProcessLookupError):
        os.kill(compiling, 0)


def test_without_a_cache(script: Path, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    script.write_text(SCRIPT + "print(decay(2).shape)\n" + REWRITTEN)
    environment["NPREWRITE_CACHE_DIR"] = str(tmp_path / "file" / "cache")
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "(1000,)\n", "rewritten True\n")


def test_excluded_and_failing_scripts(script: Path, environment: dict[str, str]) -> None:
    script.write_text(SCRIPT + REWRITTEN)
    (script.parent / "pyproject.toml").write_text('[tool.nprewrite]\nexclude = ["script.py"]\n')
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
    assert ran.stderr == "rewritten False\n"
    script.write_bytes(b"import numpy\n" + b"# filler\n" * 500_000)
    (script.parent / "pyproject.toml").unlink()
    ran = python(environment, script.parent, "-m", "nprewrite", "run", "script.py")
    assert ran.returncode == 0
    assert "NprewriteWarning" in ran.stderr
    assert "runs as written: the file is larger than 4 MB" in ran.stderr


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("'''A doc.'''\nfrom __future__ import annotations\nimport sys, math\nimport numpy as np\n", True),
        ("from os.path import join\nfrom numpy.linalg import norm\nimport settings\n", True),
        ("import sys, settings\nimport numpy as np\n", False),
        ("from . import settings\nimport numpy as np\n", False),
        ("import os\nos.environ['OMP_NUM_THREADS'] = '1'\nimport numpy as np\n", False),
        ("if True:\n    import numpy as np\n", False),
        ("import sys\n", False),
        ("import numpy as np\n)\n", False),
    ],
)
def test_whether_a_module_begins_with_numpy(text: str, begins: bool) -> None:
    """Before that import, the program may set what NumPy reads when it is imported."""
    assert rewriting._begins_with_numpy(text.encode()) is begins


ENDS = """\
import numpy as np


def divided(n):
    s = 0.0
    for i in range(n):
        s += 1.0 / (n - 5 - i)
    return s


def checked(n):
    try:
        divided(n)
    except ZeroDivisionError as error:
        print(error)


x = np.arange(9.0)
for n in range(3):
    checked(200_000)
{end}
"""


@pytest.mark.parametrize(
    "end",
    ["divided(100)", "divided(400_000)", "for k in range(2_000_000):\n    x[0] += 1.0 / (1_900_000 - k)"],
)
def test_the_traceback_that_ends_a_program_has_its_frames(
    end: str, script: Path, environment: dict[str, str]
) -> None:
    pytest.importorskip("numba")
    script.write_text(ENDS.format(end=end))
    commands = [["script.py"], *[["-m", "nprewrite", "run", "--wait", "--quiet", "script.py"]] * 3]
    runs = [python(environment, script.parent, *each).stderr.splitlines() for each in commands]
    # Where a part of a line failed is not said of all of them.
    told = [[line for line in each if not {*line} <= set(" ~^")] for each in runs]
    assert told == [told[0]] * 4
