"""What a process found out about functions serves the next one, which does not load the rewriter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nprewrite.decorated import definitions, kept
from nprewrite.decorated.kept import Answer, Question
from nprewrite.engine.outcomes import Options, Outcome, Rewriting, Site
from nprewrite.passes.level import Level
from nprewrite.types.values import Array, Scalar, Unknown, suggested

PROGRAM = """
import sys
import numpy as np
import nprewrite


def start(n):
    return np.random.default_rng(0).random(int(n)).astype({dtype!r})


@nprewrite.jit
def relaxed(n, steps):
    u = start(n)
    for step in range(steps):
        u[1:-1] = u[1:-1] * 0.5 + (u[:-2] + u[2:]) * 0.25
        u = np.where(u > 0.9, u * u, u)
    return u


results = [relaxed(20_000, 50) for _ in range({calls})]
assert all(np.array_equal(each, relaxed.original(20_000, 50)) for each in results)
loaded = [name in sys.modules for name in ("nprewrite.engine.pipeline", "libcst")]
print(*loaded, relaxed.version.source.count("_step"))
"""


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def first_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a process leaves."""
    made = tmp_path_factory.mktemp("first") / "cache"
    assert ran(made)[:2] == ["True", "True"]
    return made


@pytest.fixture
def filled(first_cache: Path, cache: Path) -> Path:
    return Path(shutil.copytree(first_cache, cache))


def ran(cache: Path, calls: int = 3, dtype: str = "float64", compiled: bool = False) -> list[str]:
    """What a new process printed: whether it loaded the rewriter, LibCST, and how often steps are named."""
    file = cache.parent / "relaxation.py"
    file.write_text(PROGRAM.format(calls=calls, dtype=dtype))
    environment = {
        **os.environ,
        "NPREWRITE_CACHE_DIR": str(cache),
        "NPREWRITE_DISABLE": str(int(not compiled)),
    }
    done = subprocess.run(
        [sys.executable, file], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_second_process_does_not_load_the_rewriter(cache: Path) -> None:
    first, second = ran(cache, compiled=True), ran(cache, compiled=True)
    assert first[:2] == ["True", "True"]
    assert second[:2] == ["False", "False"]
    assert first[2] == second[2] != "0"


def test_one_observed_call_serves_the_next_process(cache: Path) -> None:
    """A script that calls ``main()`` once: the call that shows its types is in an earlier process."""
    ran(cache, calls=1)
    assert ran(cache, calls=1)[2] != "0"
    assert ran(cache, calls=1)[:2] == ["False", "False"]


def test_another_text_is_observed_anew(filled: Path) -> None:
    assert ran(filled)[:2] == ["False", "False"]
    assert ran(filled, dtype="float32")[:2] == ["True", "True"]


@pytest.mark.parametrize("damage", ["", "{}", "[]", '{"name": 3}', "x"])
def test_damaged_files_are_written_again(filled: Path, damage: str) -> None:
    files = sorted((filled / "functions").iterdir())
    assert files
    before = [each.read_text() for each in files]
    for each in files:
        each.write_text(damage)
    assert ran(filled)[:2] == ["True", "True"]
    assert [each.read_text() for each in files] == before


def test_a_file_whose_content_was_changed_is_not_believed(filled: Path) -> None:
    for each in (filled / "functions").iterdir():
        notes = json.loads(each.read_text())
        if "text" in notes:
            notes["text"] = notes["text"].replace("0.25", "0.26")
            each.write_text(json.dumps(notes))
    assert ran(filled)[:2] == ["True", "True"]


def test_without_a_place_for_a_cache_everything_still_runs(cache: Path) -> None:
    cache.mkdir()
    (cache / "functions").write_text("")
    assert ran(cache)[:2] == ["True", "True"]
    assert ran(cache)[:2] == ["True", "True"]


QUESTION = Question("import numpy", "f", 1, Options(), {}, (), frozenset(), {})


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path))


@pytest.mark.usefixtures("own_cache")
def test_what_was_observed_comes_back() -> None:
    record = np.dtype([("x", "<f8"), ("v", "<f4", (3,))])
    seen = {
        (3, "u"): suggested(Array(np.dtype("float32"), ("u.0", "u.1"), shown=(3, 4))),
        (4, "r"): suggested(Array(record, ("r.0",))),
        (5, "s"): suggested(Scalar("float", np.dtype("float64"), symbol="s@5")),
        (6, "n"): suggested(Scalar("int", symbol="n@6")),
        (7, "ys"): Unknown("it is a list", listed=True),
        (8, "name"): Unknown("it is a string", string=True),
        (9, "other"): Unknown("not kept", array=True),
    }
    assert kept.observed(QUESTION) is None
    kept.keep_observed(QUESTION, seen)
    found = kept.observed(QUESTION)
    del seen[9, "other"]
    assert found == seen
    assert found is not None
    shown = found[3, "u"]
    assert isinstance(shown, Array)
    assert shown.shown == (3, 4)


@pytest.mark.usefixtures("own_cache")
def test_what_was_rewritten_comes_back() -> None:
    sites = (
        Site(3, 5, "NPR401", "extract-step", Outcome.REWRITTEN, "done", level=Level.ROUNDING),
        Site(4, 5, "NPR101", "masked-store", Outcome.REFUSED, "no", "dtype-unknown", "annotate it"),
    )
    changed = Rewriting("import numpy", "import numpy as np\n", sites, origins=(1,))
    for made in (Answer(changed, False), Answer(Rewriting("import numpy", "import numpy"), True)):
        kept.keep_answer(QUESTION, {}, made)
        assert kept.answer(QUESTION, {}) == made
    assert kept.answer(QUESTION, {(1, "x"): suggested(Scalar("int"))}) is None


def test_another_process_gives_what_is_around_a_function_the_same_name() -> None:
    """It gets it without the user's classes and code, as lists."""
    coded = kept.coded
    around = (float, coded.__code__, {"n": 3, "f": (coded.__code__,)}, {1, 2.5}, np.dtype("f4"), 2.5, 1j)
    assert coded(coded(around)) == coded(around)


def test_names_do_not_depend_on_the_order_of_sets() -> None:
    names = set()
    for seed in ("1", "2", "3"):
        program = (
            "from nprewrite.decorated.kept import Question; from nprewrite.engine.outcomes import Options;"
            "few = frozenset({'NPR101', 'NPR201', 'NPR401'});"
            "print(Question('', 'f', 1, Options(select=few), {}, (), few, {}).name())"
        )
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program]
        names.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(names) == 1


def test_that_calls_are_brief_is_known_to_the_next_process(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What calls the function is rewritten with it, in each process alike."""
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(cache))
    text = "def summed(x):\n    total = 0\n    for each in x:\n        total += each\n    return total\n"
    home: dict[str, Any] = {}
    exec(text, home)
    first = definitions.read(home["summed"], text)
    assert not first.is_brief
    first.note_brief()
    assert definitions.read(home["summed"], text).is_brief
    exec(other := text.replace("0", "1"), home)
    assert not definitions.read(home["summed"], other).is_brief
