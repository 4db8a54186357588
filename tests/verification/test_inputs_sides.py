"""One module with two states: before and after rewriting."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from road_tools import sides_of

from nprewrite.verification.problems import CannotVerify
from nprewrite.verification.sides import module_name


@pytest.fixture(autouse=True)
def _without_the_module() -> Iterator[None]:
    yield
    for name in ("waves", "pond", "pond.waves"):
        sys.modules.pop(name, None)


def test_each_side_finds_its_own_functions(tmp_path: Path) -> None:
    text = "def step():\n    return 'before'\n\ndef run():\n    return step()\n"
    sides = sides_of(tmp_path, text, text.replace("before", "after"), "run")
    assert [sides.after("run")(), sides.before("run")(), sides.after("run")()] == ["after", "before", "after"]


def test_globals_start_from_the_same_values_at_every_call(tmp_path: Path) -> None:
    text = "COUNT = 0\n\ndef count():\n    global COUNT\n    COUNT += 1\n    return COUNT\n"
    sides = sides_of(tmp_path, text, text, "count")
    before, after = sides.before("count"), sides.after("count")
    assert [before(), before(), after(), before()] == [1, 1, 1, 1]


def test_an_instance_fits_both_sides(tmp_path: Path) -> None:
    text = (
        "class A:\n    pass\n\ndef check(a):\n    return isinstance(a, A), type(A()) is type(a), 'before'\n"
    )
    sides = sides_of(tmp_path, text, text.replace("before", "after"), "check")
    instance = sides.module.A()
    assert sides.before("check")(instance) == (True, True, "before")
    assert sides.after("check")(instance) == (True, True, "after")


def test_a_rewritten_method_finds_the_class_of_its_instance(tmp_path: Path) -> None:
    text = (
        "class Base:\n    def name(self):\n        return 'base'\n\n"
        "class A(Base):\n    def name(self):\n        return 'before', super().name(), self.other()\n"
        "    def other(self):\n        return helper()\n\ndef helper():\n    return 'before'\n"
    )
    sides = sides_of(tmp_path, text, text.replace("before", "after"), "A.name")
    instance = sides.module.A()
    assert sides.after("A.name")(instance) == ("after", "base", "after")
    assert sides.before("A.name")(instance) == ("before", "base", "before")


def test_a_function_handed_on_is_the_one_of_the_side(tmp_path: Path) -> None:
    text = "def f():\n    return 'before'\n\ndef apply(g, *, h):\n    return g(), h()\n"
    sides = sides_of(tmp_path, text, text.replace("before", "after"), "apply")
    f = sides.module.f
    assert sides.before("apply")(f, h=f) == ("before", "before")
    assert sides.after("apply")(f, h=f) == ("after", "after")


def test_the_decorator_is_off_before_and_on_after(tmp_path: Path) -> None:
    text = "import nprewrite\n\n@nprewrite.jit\ndef f():\n    return 1\n\n"
    text += "def g():\n    return type(f).__name__\n"
    sides = sides_of(tmp_path, text, text, "f", "g")
    assert sides.before("g")() == "function"
    assert sides.after("g")() == "Jitted"
    assert type(sides.rewritten("f")).__name__ == "Jitted"


def test_a_module_of_a_package_has_its_dotted_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "pond"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "waves.py").write_text("")
    assert module_name(package / "waves.py") == ("pond.waves", tmp_path)
    assert module_name(tmp_path / "waves.py") == ("waves", tmp_path)
    monkeypatch.chdir(package)
    assert module_name(Path("waves.py")) == ("pond.waves", tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "import no_such_module\n",
            "cannot be imported: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("raise SystemExit('stop')\n", "cannot be imported: SystemExit: stop"),
        ("def f(): ...\ndel f\n", "importing it leaves no such name behind"),
        ("def f(): ...\nf = 3\n", "is not a function once the file is imported"),
    ],
)
def test_what_cannot_be_loaded(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CannotVerify, match=message):
        sides_of(tmp_path, text, text, "f").before("f")
