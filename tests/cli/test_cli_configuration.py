"""``[tool.nprewrite]``: which file holds, what it says, and what is wrong with it."""

from __future__ import annotations

import tomllib
from functools import partial
from pathlib import Path

import pytest
from conftest import Run

from nprewrite.engine import pipeline
from nprewrite.engine.outcomes import Decorated, Options, Rewriting
from nprewrite.passes.level import Level
from nprewrite.types.precision import Precision

of_a_file = partial(Options, decorated=Decorated.LOOPS)

SEEN: dict[str, Options] = {}


@pytest.fixture(autouse=True)
def _options_seen(rewriter: None, monkeypatch: pytest.MonkeyPatch) -> None:
    SEEN.clear()

    def note(text: str, filename: str, options: Options) -> Rewriting:
        SEEN[filename] = options
        return Rewriting(text, text)

    monkeypatch.setattr(pipeline, "rewrite_source", note)


def _write(folder: Path, table: str, *files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(table)
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x = 1\n")


def test_every_key_reaches_the_rewriter(work: Path, run: Run) -> None:
    _write(
        work,
        """
[tool.nprewrite]
level = "exact"
select = ["NPR101", "NPR201"]
ignore = ["NPR201"]
packages = ["waves"]
verify = "first-call"
on-fallback = "raise"
""",
        "a.py",
    )
    assert run("a.py").code == 0
    selected = frozenset({"NPR101", "NPR201"})
    assert SEEN["a.py"] == of_a_file(
        Level.EXACT, selected, frozenset({"NPR201"}), verify="first-call", on_fallback="raise"
    )


SINGLE = """
[tool.nprewrite]
level = "fast"
precision = "float32"
accumulate = "float32"
keep-output-dtype = true
keep-float64 = ["total"]
"""


def test_single_precision_from_the_file_and_from_options(work: Path, run: Run) -> None:
    _write(work, SINGLE, "a.py")
    assert run("a.py").code == 0
    asked = Precision("float32", True, frozenset({"total"}))
    assert SEEN["a.py"] == of_a_file(Level.FAST, precision=asked)
    run("a.py", "--accumulate", "float64", "--keep-float64", "t, end", "--keep-float64", "s")
    assert SEEN["a.py"].precision == Precision("float64", True, frozenset({"t", "end", "s"}))
    run("a.py", "--isolated", "--level", "fast", "--precision", "float32", "--keep-output-dtype")
    assert SEEN["a.py"].precision == Precision(keep_output_dtype=True)
    assert "'float16' is not 'float32'." in run("a.py", "--precision", "float16").err


def test_show_settings_names_single_precision_where_it_is_asked_for(work: Path, run: Run) -> None:
    _write(work, SINGLE, "a.py")
    shown = tomllib.loads(run("--show-settings", "a.py").out)["tool"]["nprewrite"]
    wanted = tomllib.loads(SINGLE)["tool"]["nprewrite"]
    assert {name: shown[name] for name in wanted} == wanted
    assert "precision" not in run("--show-settings", "--isolated", "a.py").out


def test_the_nearest_file_with_a_table_holds(work: Path, run: Run) -> None:
    _write(work, '[tool.nprewrite]\nlevel = "exact"\n', "a.py")
    _write(work / "inner", "[tool.black]\nline-length = 9\n", "b.py")
    _write(work / "inner" / "deep", "[tool.nprewrite]\n", "c.py")
    run("a.py", "inner/b.py", "inner/deep/c.py")
    levels = {name: options.level for name, options in SEEN.items()}
    assert levels == {"a.py": Level.EXACT, "inner/b.py": Level.EXACT, "inner/deep/c.py": Level.ROUNDING}


def test_the_same_file_from_another_directory(work: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(
        work / "p",
        '[tool.nprewrite]\nlevel = "exact"\n[tool.nprewrite.per-file-ignores]\n"a.py" = ["NPR101"]\n',
        "a.py",
    )
    run("p/a.py")
    monkeypatch.chdir(work / "p")
    run("a.py")
    assert SEEN["p/a.py"] == SEEN["a.py"] == of_a_file(Level.EXACT, ignore=frozenset({"NPR101"}))


def test_options_go_before_the_file(work: Path, run: Run) -> None:
    _write(work, '[tool.nprewrite]\nlevel = "exact"\nselect = ["NPR101"]\nignore = ["NPR101"]\n', "a.py")
    run("a.py", "--level", "fast", "--select", "NPR201", "--ignore", "NPR201")
    assert SEEN["a.py"] == of_a_file(Level.FAST, frozenset({"NPR201"}), frozenset({"NPR201"}))
    run("a.py", "--isolated")
    assert SEEN["a.py"] == of_a_file()


def test_passes_by_name_and_by_the_beginning_of_their_codes(work: Path, run: Run) -> None:
    table = '[tool.nprewrite]\nselect = ["NPR", "masked-store"]\nignore = ["NPR1"]\n'
    _write(work, f'{table}[tool.nprewrite.per-file-ignores]\n"b.py" = ["NPR2"]\n', "a.py", "b.py")
    run("a.py", "b.py")
    both = frozenset({"NPR101", "NPR201"})
    assert SEEN["a.py"] == of_a_file(select=both)
    assert SEEN["b.py"] == of_a_file(select=both, ignore=frozenset({"NPR201"}))
    assert 'select = ["NPR", "NPR101"]\nignore = ["NPR1"]\n' in run("--show-settings", "a.py").out


def test_what_an_option_excludes(work: Path, run: Run) -> None:
    _write(work, '[tool.nprewrite]\nexclude = ["old/"]\n', "a.py", "old/b.py", "new/c.py", "d_gen.py")
    ran = run(".", "--exclude", "*_gen.py", "--exclude", "/new")
    assert (ran.code, ran.err, [*SEEN]) == (0, "", ["a.py"])
    assert run("d_gen.py", "--exclude", "*_gen.py").err == "d_gen.py: left out, as --exclude excludes it\n"
    assert run("d_gen.py", "--exclude", "*_gen.py", "--quiet").err == ""


def test_a_named_file(work: Path, run: Run) -> None:
    _write(work, '[tool.nprewrite]\nlevel = "exact"\n', "a.py")
    (work / "other.toml").write_text('[tool.nprewrite]\nlevel = "fast"\n')
    run("a.py", "--config", "other.toml")
    assert SEEN["a.py"].level is Level.FAST
    ran = run("a.py", "--config", "gone.toml")
    assert (ran.code, ran.err) == (
        2,
        "nprewrite: error: gone.toml: it cannot be read: No such file or directory\n",
    )
    (work / "empty.toml").write_text("[tool.black]\n")
    assert "empty.toml: it has no [tool.nprewrite]" in run("a.py", "--config", "empty.toml").err
    assert "choose one" in run("a.py", "--config", "other.toml", "--isolated").err


PER_FILE = """
[tool.nprewrite.per-file-ignores]
"tests/" = ["NPR101"]
"*_plot.py" = ["NPR201"]
"/one.py" = ["NPR101", "NPR201"]
"""


def test_per_file_ignores(work: Path, run: Run) -> None:
    names = ["one.py", "two.py", "sub/one.py", "a_plot.py", "tests/deep/a_plot.py"]
    _write(work, PER_FILE, *names)
    run(*names[:3])
    run(*names[3:])
    assert {name: sorted(options.ignore) for name, options in SEEN.items()} == {
        "one.py": ["NPR101", "NPR201"],
        "two.py": [],
        "sub/one.py": [],
        "a_plot.py": ["NPR201"],
        "tests/deep/a_plot.py": ["NPR101", "NPR201"],
    }


def test_excluded_files(work: Path, run: Run) -> None:
    names = ["a.py", "old/b.py", "old/keep.py", "c_gen.py"]
    _write(work, '[tool.nprewrite]\nexclude = ["old/*", "!keep.py", "*_gen.py"]\n', *names)
    ran = run(".")
    assert sorted(SEEN) == ["a.py", "old/keep.py"]
    assert (ran.code, ran.err) == (0, "")
    SEEN.clear()
    ran = run("a.py", "c_gen.py")
    assert list(SEEN) == ["a.py"]
    assert ran.err == f"c_gen.py: left out, as {work.resolve()}/pyproject.toml excludes it\n"
    run("c_gen.py", "--isolated")
    assert "c_gen.py" in SEEN


@pytest.mark.parametrize(
    ("table", "line", "message"),
    [
        ('\n[tool.nprewrite]\nlevel = "exact"\nlevle = 1\n', 4, "unknown key 'levle'; did you mean 'level'?"),
        ("[tool.nprewrite]\n\n# why\nspeed = 9\n", 4, "unknown key 'speed'; the keys are level, select,"),
        (
            '[tool.nprewrite]\nlevel = "best"\n',
            2,
            'level has to be "exact" or "fast" or "rounding", not "best"',
        ),
        ("[tool.nprewrite]\nlevel = 3\n", 2, 'level has to be "exact" or "fast" or "rounding", not 3'),
        ('[tool.nprewrite]\nselect = "NPR101"\n', 2, 'select has to be a list of strings, not "NPR101"'),
        ("[tool.nprewrite]\nignore = [1]\n", 2, "ignore has to be a list of strings, not [1]"),
        (
            '[tool.nprewrite]\nselect = [\n  "NPR101",\n  "NPR9",\n]\n',
            2,
            "select: no pass is called 'NPR9'; nprewrite pass lists them",
        ),
        (
            "[tool.nprewrite]\nper-file-ignores = []\n",
            2,
            "per-file-ignores has to be a table of lists of codes",
        ),
        (
            '[tool.nprewrite.per-file-ignores]\n"a.py" = []\n"b.py" = "NPR101"\n',
            3,
            'b.py has to be a list of strings, not "NPR101"',
        ),
        ('[tool.nprewrite]\nexclude = [""]\n', 2, "exclude: '' is not a pattern that could match a path"),
        ("[tool.nprewrite]\npackages = true\n", 2, "packages has to be a list of strings, not True"),
        ("[tool.nprewrite]\nverify = true\n", 2, 'verify has to be "first-call", not True'),
        ('[tool]\nnprewrite = { on-fallback = "shout" }\n', 2, 'on-fallback has to be "raise" or "warn"'),
        ('[tool.nprewrite]\nprecision = "float16"\n', 2, 'precision has to be "float32", not "float16"'),
        ("[tool.nprewrite]\n\nprecision = 32\n", 3, 'precision has to be "float32", not 32'),
        (
            '[tool.nprewrite]\naccumulate = "double"\n',
            2,
            'accumulate has to be "float32" or "float64", not "double"',
        ),
        (
            '[tool.nprewrite]\nkeep-output-dtype = "yes"\n',
            2,
            'keep-output-dtype has to be true or false, not "yes"',
        ),
        (
            '[tool.nprewrite]\nkeep-float64 = "total"\n',
            2,
            'keep-float64 has to be a list of strings, not "total"',
        ),
        ("[tool]\nnprewrite = 1\n", 2, "tool.nprewrite has to be a table"),
        ("tool.nprewrite.verfy = 1\n", 1, "unknown key 'verfy'"),
        ("[tool.nprewrite]\r\n\r\nlevel = 3\r\n", 3, "level has to be"),
        ("name = 'a\u2028b\x85c'\n[tool.nprewrite]\nlevel = 3\n", 3, "level has to be"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    work: Path, run: Run, table: str, line: int, message: str
) -> None:
    _write(work, table, "a.py")
    ran = run("a.py")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith(f"nprewrite: error: {work.resolve()}/pyproject.toml:{line}: {message}")
    assert not SEEN


def test_a_file_that_is_no_toml(work: Path, run: Run) -> None:
    _write(work, "[tool.nprewrite]\nlevel =\n", "a.py")
    ran = run("a.py")
    assert ran.code == 2
    assert "pyproject.toml: this is no TOML: Invalid value (at line 2" in ran.err
    (work / "pyproject.toml").write_bytes(b"[tool.nprewrite]\nlevel = '\xff'\n")
    assert "pyproject.toml: it is not UTF-8" in run("a.py").err


def test_show_settings_can_be_read_back(work: Path, run: Run) -> None:
    _write(
        work,
        '[tool.nprewrite]\nlevel = "fast"\nexclude = ["ö*"]\n'
        '[tool.nprewrite.per-file-ignores]\n"a" = ["NPR101"]\n',
        "a.py",
    )
    ran = run("--show-settings", "a.py", "--ignore", "NPR201")
    assert ran.code == 0
    assert ran.out.startswith(f"# a.py: {work.resolve()}/pyproject.toml\n")
    assert not SEEN
    assert tomllib.loads(ran.out)["tool"]["nprewrite"] == {
        "level": "fast",
        "ignore": ["NPR201"],
        "exclude": ["ö*"],
        "packages": [],
        "on-fallback": "warn",
        "per-file-ignores": {"a": ["NPR101"]},
    }
    assert run("--show-settings", "--isolated", "a.py").out.startswith("# a.py: no configuration file\n")
    (work / "ö.py").touch()
    assert run("--show-settings", "ö.py").out.splitlines()[0].endswith("pyproject.toml, which excludes it")
