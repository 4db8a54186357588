"""The cache of rewritten modules."""

from __future__ import annotations

import importlib.util
import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from nprewrite.base import notes
from nprewrite.config import Choices, Configuration
from nprewrite.loading import rewriting, store
from nprewrite.loading.store import Entry

SOURCE = b"import numpy as np\nx = np.ones(3)\n"
CHOICES = Configuration().choices(None)
ENTRY = Entry(b"import numpy as np\n", (1, 2), {"rewritten": 1})


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_is_written_is_read(cache: Path) -> None:
    name = store.key(SOURCE, CHOICES, {})
    assert store.read("a", name) is None
    kept = store.write("a", name, ENTRY)
    assert kept.file is not None
    assert Path(kept.file).read_bytes() == ENTRY.data
    assert Path(kept.file).parent == cache / "modules"
    assert store.read("a", name) == kept == replace(ENTRY, file=kept.file)
    assert store.write("b", name, Entry()) == store.read("b", name) == Entry()
    assert not [each for each in (cache / "modules").iterdir() if each.suffix == ".tmp"]


def test_the_directory_is_private(cache: Path) -> None:
    store.write("a", store.key(SOURCE, CHOICES, {}), ENTRY)
    assert stat.S_IMODE((cache / "modules").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "other",
    [
        replace(CHOICES, level="exact"),
        replace(CHOICES, select=frozenset({"NPR101"})),
        replace(CHOICES, select=frozenset()),
        replace(CHOICES, ignore=frozenset({"NPR101"})),
        replace(CHOICES, verify="first-call"),
        replace(CHOICES, on_fallback="raise"),
        replace(CHOICES, precision="float32"),
        replace(CHOICES, accumulate="float32"),
        replace(CHOICES, keep_output_dtype=True),
        replace(CHOICES, keep_float64=("total",)),
    ],
)
def test_every_option_is_part_of_the_name(other: Choices) -> None:
    assert store.key(SOURCE, other, {}) != store.key(SOURCE, CHOICES, {})


def test_the_name_depends_on_source_versions_and_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {store.key(SOURCE, CHOICES, {}), store.key(SOURCE + b"\n", CHOICES, {})}
    monkeypatch.setattr("nprewrite.base.notes.VERSION", "9.9")
    names.add(store.key(SOURCE, CHOICES, {}))
    monkeypatch.setattr(sys, "version", "4.0")
    names.add(store.key(SOURCE, CHOICES, {}))
    monkeypatch.setattr(notes, "rules", lambda: "other rules")
    names.add(store.key(SOURCE, CHOICES, {}))
    assert len(names) == 5


def test_the_name_depends_on_whether_numba_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes that write for Numba refuse without it, and say what to install."""
    found = importlib.util.find_spec
    names = set()
    for there in (True, False):
        other = json.__spec__ if there else None
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name, package=None, other=other: other if name == "numba" else found(name, package),
        )
        notes.rules.cache_clear()
        names.add(store.key(SOURCE, CHOICES, {}))
    notes.rules.cache_clear()
    assert len(names) == 2


def test_every_module_is_a_rule_wherever_it_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = []
    for place in ("here", "elsewhere", "changed"):
        package = tmp_path / place / "nprewrite"
        (package / "base").mkdir(parents=True)
        (package / "passes.py").write_text("1" if place != "changed" else "2")
        monkeypatch.setattr(notes, "__file__", str(package / "base" / "notes.py"))
        notes.rules.cache_clear()
        names.append(notes.rules())
    notes.rules.cache_clear()
    assert names[0] == names[1] != names[2]


def test_what_python_compiles_is_no_rule(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The rewriter is first imported, and compiled, by a process that has to agree with the program."""
    package = tmp_path / "nprewrite"
    (package / "base").mkdir(parents=True)
    monkeypatch.setattr(notes, "__file__", str(package / "base" / "notes.py"))
    names = []
    for _ in range(2):
        notes.rules.cache_clear()
        names.append(notes.rules())
        (package / "base" / "__pycache__").mkdir(exist_ok=True)
    notes.rules.cache_clear()
    assert names[0] == names[1]


NAME = """
from dataclasses import replace
from nprewrite.config import Configuration
from nprewrite.loading import store
many = frozenset({"NPR101", "NPR201", "NPR401"})
print(store.key(b"import numpy", replace(Configuration().choices(None), select=many, ignore=many), {}))
"""


def test_the_name_is_the_same_in_another_process() -> None:
    names = {
        subprocess.run(
            [sys.executable, "-c", NAME],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(names) == 1


@pytest.mark.parametrize("damage", ["text", "notes", "cut", "origins", "list", "text is gone"])
def test_damage_is_seen(damage: str) -> None:
    name = store.key(SOURCE, CHOICES, {})
    file = Path(store.write("a", name, ENTRY).file or "")
    notes = file.with_suffix(".json")
    if damage == "text":
        file.write_bytes(b"import os\n")
    elif damage == "text is gone":
        file.unlink()
    elif damage == "notes":
        notes.write_text("no JSON")
    elif damage == "cut":
        notes.write_bytes(notes.read_bytes()[:-5])
    elif damage == "list":
        notes.write_text("[]")
    else:
        changed = json.loads(notes.read_text())
        changed["origins"] = [7, 7]
        notes.write_text(json.dumps(changed))
    assert store.read("a", name) is None
    assert store.read("a", store.write("a", name, ENTRY) and name) is not None


def test_an_entry_of_another_name_is_not_taken() -> None:
    name = store.key(SOURCE, CHOICES, {})
    store.write("a", name, ENTRY)
    assert store.read("a", name[:32] + "0" * 32) is None


def test_a_directory_that_others_may_write_is_not_used(cache: Path) -> None:
    name = store.key(SOURCE, CHOICES, {})
    store.write("a", name, ENTRY)
    (cache / "modules").chmod(0o770)
    assert store.read("a", name) is None
    assert store.write("b", name, ENTRY).file is None
    with pytest.raises(PermissionError, match="has to belong to you, with mode 0700"):
        store.directory()


def test_a_place_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NPREWRITE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert store.write("a", store.key(SOURCE, CHOICES, {}), ENTRY) == ENTRY
    assert rewriting.rewritten("a.py", SOURCE, CHOICES).data is None


def test_a_full_disk_leaves_nothing_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    store.directory()
    monkeypatch.setattr(os, "replace", full)
    assert store.write("a", store.key(SOURCE, CHOICES, {}), ENTRY).file is None
    assert list((cache / "modules").iterdir()) == []


def test_a_read_only_store_is_read(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = store.key(SOURCE, CHOICES, {})
    kept = store.write("a", name, ENTRY)
    for each in [*(cache / "modules").iterdir(), cache / "modules", cache]:
        each.chmod(0o500 if each.is_dir() else 0o400)
    try:
        assert store.read("a", name) == kept
    finally:
        for each in (cache, cache / "modules"):
            each.chmod(0o700)


WRITER = """
import sys
from nprewrite.config import Configuration
from nprewrite.loading import store
choices = Configuration().choices(None)
for count in range(150):
    data = b"x = %d\\n" % (count % 3)
    name = store.key(data, choices, {})
    found = store.read("a", name)
    assert found is None or (found.data, found.origins) == (data, (count % 3,)), found
    store.write("a", name, store.Entry(data, (count % 3,), {}))
"""


def test_two_processes_at_once(cache: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", WRITER]) for _ in range(3)]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    assert sorted(each.suffix for each in (cache / "modules").iterdir()) == [".json"] * 3 + [".py"] * 3
