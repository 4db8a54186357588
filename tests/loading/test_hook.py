"""``nprewrite.install``: packages are rewritten as they are imported, and everything else stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from loading_tools import Python

import nprewrite
from nprewrite.loading import hook

INSTALL = "import nprewrite; nprewrite.install('waves')\n"


def test_a_package_is_rewritten_and_gives_the_same(python: Python) -> None:
    ran = python(
        INSTALL
        + """
import waves, waves.core, waves.inner, waves.plain
assert "_decay_step" in waves.core.decay.__code__.co_names
assert "_decay_step" in waves.inner.decay.__code__.co_names
print(repr(float(waves.decay(20).sum())))
print(nprewrite.status())
"""
    )
    plain = python("import waves\nprint(repr(float(waves.decay(20).sum())))")
    lines = ran.stdout.splitlines()
    assert lines[0] == plain.stdout.strip()
    assert lines[1] == "installed for waves"
    modules = dict(line.strip().split(": ", 1) for line in lines[2:])
    assert modules["waves.core"].startswith("4 rewritten; its text: ")
    assert modules["waves.plain"] == "as written: nothing to rewrite"
    assert any(name.startswith("line ") and ways.startswith("ran 1 x ") for name, ways in modules.items())
    text = Path(modules["waves.core"].partition("text: ")[2]).read_text()
    assert "def _decay_step(" in text


def test_the_module_looks_as_it_would(python: Python, package: Path) -> None:
    python(
        INSTALL
        + """
import importlib.resources, inspect, pickle, pkgutil, sys
import waves.core
from importlib.machinery import SourceFileLoader
core = waves.core
assert core.__file__ == core.__spec__.origin and core.__file__.endswith("waves/core.py"), core.__file__
assert type(core.__loader__) is SourceFileLoader
own = open(core.__file__).read()
assert inspect.getsource(core) == own == core.__loader__.get_source("waves.core")
assert inspect.getsource(core.decay) == own[own.index("def decay"):]
assert inspect.getsourcelines(core.decay)[1] == 4
assert core.decay.__doc__ == "Half of the elements shrink."
assert pickle.loads(pickle.dumps(core.decay)) is core.decay
assert importlib.resources.files("waves").joinpath("data.txt").read_text() == "four\\n"
assert pkgutil.get_data("waves", "data.txt") == b"four\\n"
assert [each.name for each in pkgutil.iter_modules(waves.__path__)] == ["__main__", "core", "inner", "plain"]
"""
    )


def test_a_fault_in_making_the_code_leaves_the_module_as_written(python: Python) -> None:
    ran = python(
        INSTALL
        + """
from nprewrite.loading import finder

def wrong(*_):
    raise IndexError("a mistake")

finder.Lines.of = wrong
import waves
print(repr(float(waves.decay(20).sum())))
"""
    )
    assert ran.stdout == python("import waves\nprint(repr(float(waves.decay(20).sum())))").stdout
    assert "IndexError: a mistake. This is a fault of nprewrite" in ran.stderr


def test_the_module_has_its_own_names_only(python: Python) -> None:
    text = "import waves.core, waves.inner\nprint(dir(waves.core), sorted(vars(waves.inner)))"
    assert python(INSTALL + text).stdout == python(text).stdout


def test_tracebacks_show_the_user_s_lines(python: Python) -> None:
    ran = python(INSTALL + "import waves\nwaves.decay(3, fail=True)\n", check=False)
    assert ran.returncode == 1
    assert 'waves/core.py", line 11, in decay\n    raise ValueError("too far")\n' in ran.stderr


def test_a_debugger_stops_at_the_user_s_line(python: Python) -> None:
    ran = python(
        INSTALL
        + """
import io, pdb, waves.core
commands = io.StringIO("b waves/core.py:10\\nc\\nlist 10,10\\np fail\\nc\\n")
out = io.StringIO()
debugger = pdb.Pdb(stdin=commands, stdout=out, nosigint=True, readrc=False)
debugger.runcall(waves.core.decay, 3)
print(out.getvalue())
"""
    )
    assert "core.py(10)decay()" in ran.stdout
    assert "10 B->\t    if fail:" in ran.stdout
    assert "False" in ran.stdout


def test_coverage_counts_the_user_s_lines(python: Python, package: Path) -> None:
    pytest.importorskip("coverage")
    ran = python(
        """
import coverage
measured = coverage.Coverage(data_file=None, source=["waves"])
measured.start()
import nprewrite
nprewrite.install("waves")
import waves
waves.decay(3)
measured.stop()
_, executable, _, missing, _ = measured.analysis2("waves/core.py")
print(executable, missing)
"""
    )
    assert ran.stdout.strip() == "[1, 4, 6, 7, 8, 9, 10, 11, 12] [11]"


def test_reload_takes_the_new_text(python: Python) -> None:
    python(
        INSTALL
        + """
import importlib, pathlib, waves.core as core
before = core.decay
file = pathlib.Path(core.__file__)
file.write_text(file.read_text().replace("0.9", "0.5"))
assert importlib.reload(core) is core
assert core.decay is not before and "_decay_step" in core.decay.__code__.co_names
assert core.decay(1)[-1] == 0.5 and before(1)[-1] == 0.9
"""
    )


def test_uninstalled(python: Python) -> None:
    python(
        INSTALL
        + """
import sys
finders = list(sys.meta_path)
import waves.core
assert "_decay_step" in waves.core.decay.__code__.co_names
nprewrite.uninstall()
assert len(sys.meta_path) == len(finders) - 1
import waves.inner
assert "_decay_step" not in waves.inner.decay.__code__.co_names
assert str(nprewrite.status()) == "not installed"
nprewrite.install("waves.inner")
nprewrite.install("other", "waves.plain")
nprewrite.uninstall("waves.inner", "other")
assert nprewrite.status().packages == ("waves.plain",)
"""
    )


def test_no_compiled_file_stands_for_rewritten_text(python: Python, package: Path) -> None:
    program = INSTALL + "import waves.core\nprint('_decay_step' in waves.core.decay.__code__.co_names)"
    python(program)
    # What Python compiles of the text as written may stay.
    assert not any(b"_decay_step" in each.read_bytes() for each in package.glob("waves/__pycache__/*"))
    assert (
        python("import waves.core\nprint('_decay_step' in waves.core.decay.__code__.co_names)").stdout
        == "False\n"
    )
    assert python(program).stdout == "True\n"


def test_what_is_imported_already_is_told(python: Python) -> None:
    ran = python("import waves.inner\n" + INSTALL + "import waves.plain")
    assert (
        "NprewriteWarning: already imported, and left as they are: waves, waves.core, waves.inner"
        in ran.stderr
    )


def test_a_file_with_an_error_of_its_own(python: Python, package: Path) -> None:
    (package / "waves" / "broken.py").write_text("import numpy\nx = (\n")
    ran = python(INSTALL + "import waves.broken", check=False)
    assert "SyntaxError: '(' was never closed" in ran.stderr
    assert "NprewriteWarning" not in ran.stderr


DEFECT = "pass extract-step (NPR401) failed: ZeroDivisionError: a defect"
FAILING = """
import nprewrite, sys
from nprewrite.passes.extract_step import ExtractStep
def fails(*_):
    raise ZeroDivisionError("a defect")
ExtractStep.check = fails
nprewrite.install("waves", on_fallback=sys.argv[1])
import waves
print(waves.decay(2).shape, nprewrite.status().modules["waves.core"])
"""


def test_a_pass_that_fails_leaves_the_function_as_it_was(python: Python) -> None:
    ran = python(FAILING, "warn")
    assert ran.stdout.startswith(f"(1000,) as written: nothing to rewrite; `decay` runs as written: {DEFECT}")
    assert ran.stderr.count("NprewriteWarning") == 1
    assert "waves/core.py:1: NprewriteWarning: " in ran.stderr
    ran = python(FAILING, "raise", check=False)
    assert ran.returncode == 1
    assert "FallbackError: " in ran.stderr
    assert f"core.py: `decay` runs as written: {DEFECT}" in ran.stderr


def test_the_settings_of_the_project_hold(python: Python, package: Path) -> None:
    (package / "pyproject.toml").write_text(
        '[tool.nprewrite]\nexclude = ["waves/inner"]\nper-file-ignores = { "core.py" = ["NPR401"] }\n'
    )
    ran = python(INSTALL + "import waves.inner\nprint(nprewrite.status())")
    assert "waves.inner: left alone: excluded by " in ran.stdout
    assert "waves.core: as written: 1 left alone" in ran.stdout
    (package / "pyproject.toml").write_text("[tool.nprewrite]\nlevl = 1\n")
    ran = python(INSTALL + "import waves\nprint(waves.decay(1).shape)")
    assert "pyproject.toml:2: unknown key 'levl'; did you mean 'level'?" in ran.stderr
    assert ran.stdout == "(1000,)\n"


LATER = """\
import numpy as np


def grow(x, n):
    for i in range(n):
        x[x > 1.0] = np.sqrt(x[x > 1.0])
    return x
"""


def test_a_function_that_waits_for_types_gets_the_decorator(python: Python, package: Path) -> None:
    (package / "waves" / "later.py").write_text(LATER)
    ran = python(
        INSTALL
        + """
import inspect, pickle
import numpy as np
from waves.later import grow
assert type(grow).__name__ == "Loaded"
assert pickle.loads(pickle.dumps(grow)) is grow
assert inspect.getsource(grow).startswith("def grow(x, n):")
print(grow(np.ones(3), 4), grow.report())
"""
    )
    assert "line 5: NPR401 rewritten" in ran.stdout


def test_it_is_a_function_beside_a_loop_that_became_a_step(python: Python, package: Path) -> None:
    both = (package / "waves" / "core.py").read_text() + "\n\n" + LATER.partition("import numpy as np")[2]
    (package / "waves" / "later.py").write_text(both)
    ran = python(
        INSTALL
        + """
import inspect
import numpy as np
from waves import later
assert "_decay_step" in later.decay.__code__.co_names
assert type(later.grow).__name__ == "Loaded"
print([name for name, _ in inspect.getmembers(later, inspect.isfunction)])
assert inspect.getsource(later.grow).startswith("def grow(x, n):")
assert not hasattr(later, "nprewrite")
print(later.grow(np.ones(3), 4), later.grow.report())
"""
    )
    assert ran.stdout.startswith("['decay', 'grow']")
    assert "NPR401 rewritten" in ran.stdout


def test_a_function_that_got_the_decorator_shows_the_user_s_lines(python: Python, package: Path) -> None:
    """Its own lines, in the calls that run it as written and in those that run the rewritten one."""
    (package / "waves" / "later.py").write_text(LATER)
    ran = python(
        INSTALL
        + """
import sys, traceback
import numpy as np
import waves.later as later
from nprewrite.decorated import turns

turns.ALWAYS = "rewritten"
lines = []

def trace(frame, event, argument):
    if frame.f_code.co_filename != later.__file__:
        return None
    if event == "line":
        lines.append(frame.f_lineno)
    return trace

for call in range(2):
    later.grow(np.ones(3), 1)
assert "_grow_step" in later.grow.source
sys.settrace(trace)
later.grow(np.ones(3), 1)
sys.settrace(None)
print(lines)
try:
    later.grow(np.ones(3), None)
except TypeError:
    print(traceback.format_exc())
"""
    )
    assert ran.stdout.startswith("[5, 6, 5, 7]\n")
    assert 'waves/later.py", line 5, in grow\n    for i in range(n):\n' in ran.stdout


def test_another_finder_that_asks_all_finders(python: Python) -> None:
    """Two such finders would ask each other for ever."""
    program = """
import sys

class Asking:
    def find_spec(self, name, path=None, target=None):
        if not name.startswith("waves"):
            return None
        for finder in sys.meta_path:
            if finder is not self:
                spec = finder.find_spec(name, path, target)
                if spec is not None:
                    return spec

import nprewrite
ORDER
import waves.core
assert "_decay_step" in waves.core.decay.__code__.co_names
"""
    python(program.replace("ORDER", "sys.meta_path.insert(0, Asking()); nprewrite.install('waves')"))
    python(program.replace("ORDER", "nprewrite.install('waves'); sys.meta_path.insert(0, Asking())"))


BEARTYPE = """
import nprewrite
from beartype.claw import beartype_package
from beartype.roar import BeartypeCallHintParamViolation
ORDER
import waves.typed as typed
assert nprewrite.status().modules["waves.typed"].file
print(typed.decay(5).sum())
try:
    typed.decay("five")
except BeartypeCallHintParamViolation:
    print("checked")
"""


@pytest.mark.parametrize("first", ["nprewrite", "beartype"])
def test_with_beartype_s_claw(python: Python, package: Path, first: str) -> None:
    pytest.importorskip("beartype")
    text = (package / "waves" / "core.py").read_text().replace("(maxiter,", "(maxiter: int,")
    (package / "waves" / "typed.py").write_text(text)
    order = ["nprewrite.install('waves')", "beartype_package('waves')"]
    ran = python(BEARTYPE.replace("ORDER", "\n".join(order if first == "nprewrite" else order[::-1])))
    assert ran.stdout.splitlines()[1:] == ["checked"]
    ran = python(BEARTYPE.replace("ORDER", "nprewrite.install('waves')").replace("five", "5"), check=False)
    assert "TypeError" in ran.stderr


PYTEST = """
import waves.core

def test_rewritten():
    assert "_decay_step" in waves.core.decay.__code__.co_names

def test_assertions_are_shown():
    left = [1, 2, 3]
    assert left == [1, 2, 4]
"""


@pytest.mark.parametrize("first", ["nprewrite", "pytest"])
def test_with_pytest_s_assertion_rewriting(python: Python, package: Path, first: str) -> None:
    (package / "test_waves.py").write_text(PYTEST)
    if first == "pytest":
        (package / "conftest.py").write_text(INSTALL)
    before = "nprewrite.install('waves', 'test_waves')" if first == "nprewrite" else "pass"
    ran = python(
        f"import sys, pytest, nprewrite\n{before}\nsys.exit(pytest.main(['-p', 'no:cacheprovider', '-q']))",
        check=False,
    )
    assert "1 failed, 1 passed" in ran.stdout
    assert "At index 2 diff: 3 != 4" in ran.stdout


def test_a_package_that_pytest_rewrites_itself_is_left_to_it(python: Python, package: Path) -> None:
    (package / "test_waves.py").write_text(
        "import waves.core, nprewrite\n\ndef test():\n    print(nprewrite.status())\n"
    )
    (package / "conftest.py").write_text("import pytest\npytest.register_assert_rewrite('waves')\n" + INSTALL)
    ran = python("import pytest\npytest.main(['-p', 'no:cacheprovider', '-q', '-s'])")
    assert (
        "waves.core: left alone: its loader, AssertionRewritingHook, does not load source as text"
        in ran.stdout
    )


EDITABLE = """
import sys
from importlib.machinery import PathFinder

class EditableFinder:
    # As setuptools writes it: it knows where the packages of a project lie.
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        from importlib.util import spec_from_file_location
        parent, _, child = fullname.rpartition(".")
        if fullname == "waves":
            return spec_from_file_location(fullname, ROOT + "/waves/__init__.py")

sys.path[:] = [each for each in sys.path if each]
import nprewrite
ORDER
import waves.core
assert "_decay_step" in waves.core.decay.__code__.co_names
assert waves.__file__.startswith(ROOT)
"""


@pytest.mark.parametrize("first", ["nprewrite", "editable"])
def test_with_an_editable_install(python: Python, package: Path, first: str) -> None:
    order = ["nprewrite.install('waves')", "sys.meta_path.append(EditableFinder)"]
    text = EDITABLE.replace("ROOT", repr(str(package)))
    python(text.replace("ORDER", "\n".join(order if first == "nprewrite" else order[::-1])))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "name a package"),
        (("numpy",), "numpy is never rewritten"),
        (("numpy.linalg",), "numpy.linalg is never rewritten"),
        (("torch",), "torch is never rewritten"),
        (("nprewrite",), "nprewrite is never rewritten"),
        (("json",), "json is never rewritten: it is part of Python"),
        (("waves/core.py",), "'waves/core.py' is not the name of a package"),
    ],
)
def test_what_cannot_be_installed(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        nprewrite.install(*names)
    assert nprewrite.status() == hook.Status()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "best"}, "level is one of exact, rounding, fast, not 'best'"),
        ({"verify": "always"}, "verify is one of first-call, not 'always'"),
        ({"on_fallback": "shout"}, "on_fallback is one of warn, raise, not 'shout'"),
        ({"precision": "float16"}, "precision is one of float32, not 'float16'"),
        ({"accumulate": "float16"}, "accumulate is one of float64, float32, not 'float16'"),
        ({"select": ["nothing"]}, "select: no pass is called 'nothing'; nprewrite pass lists them"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        nprewrite.install("waves", **options)  # type: ignore[arg-type]


def test_single_precision_for_a_package(python: Python) -> None:
    python(
        """
import numpy as np, nprewrite
from nprewrite.decorated.jitted import Jitted
nprewrite.install("waves", level="fast", precision="float32", keep_float64="total")
import waves, waves.core
functions = [each for each in vars(waves.core).values() if isinstance(each, Jitted)]
assert functions and all(each.computes_in_single for each in functions)
assert waves.decay(20).dtype == np.float32
"""
    )


def test_threads_that_import_at_once(python: Python) -> None:
    python(
        INSTALL
        + """
import importlib, threading
names = ["waves.core", "waves.inner", "waves.plain", "waves"]
threads = [threading.Thread(target=importlib.import_module, args=(name,)) for name in names * 3]
[each.start() for each in threads]
[each.join() for each in threads]
import waves.core, waves.inner
assert "_decay_step" in waves.core.decay.__code__.co_names
assert "_decay_step" in waves.inner.decay.__code__.co_names
"""
    )


NUMBA = """\
import numpy as np
from numba import njit

@njit
def decay(maxiter):
    x = np.linspace(0.0, 1.0, 1000)
    for n in range(maxiter):
        for i in range(1000):
            if x[i] > 0.5:
                x[i] = x[i] * 0.9
    return x

def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s

fast = njit(total)
print(fast(decay(5)))
"""


def test_functions_that_numba_compiles(python: Python, package: Path) -> None:
    pytest.importorskip("numba")
    (package / "waves" / "fast.py").write_text(NUMBA)
    assert python(INSTALL + "import waves.fast").stdout == python("import waves.fast").stdout
