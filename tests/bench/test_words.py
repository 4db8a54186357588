"""What the figures come to, in words, in the table and in the document."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from bench_tools import measurement, of_sizes

from nprewrite.benching import machine
from nprewrite.benching.document import document
from nprewrite.benching.measurement import Measurement, Side
from nprewrite.benching.road import Outcome
from nprewrite.benching.table import duration, summary, table
from nprewrite.benching.verdict import verdict

FASTER = measurement([1.0] * 4, [0.25] * 4)
SLOWER = measurement([0.25] * 4, [1.0] * 4, ran=("as written: NumPy is kept",))


def test_faster_is_said_with_what_it_takes() -> None:
    assert verdict(FASTER) == (
        "Faster: 4 times as fast. What compiling costs is earned back after 13 calls "
        "(3 calls with full caches).",
        "It ran compiled.",
    )


def test_faster_by_rounds_and_not_by_medians_is_never_earned_back() -> None:
    uneven = measurement([1.0, 1.0, 9.0, 9.0, 9.0], [0.9, 0.9, 8.9, 9.5, 8.9], cold=(100.0,))
    assert uneven.rewritten.is_faster
    even = replace(
        uneven, sides={**uneven.sides, "rewritten": replace(uneven.rewritten, steady=uneven.original.steady)}
    )
    assert verdict(even)[0].endswith("times as fast. Compiling is never earned back.")


def test_slower_is_said() -> None:
    speed, ran = verdict(SLOWER)
    assert speed == "Slower: it takes 4 times as long. Compiling is never earned back."
    assert ran == "It ran as written: NumPy is kept."


@pytest.mark.parametrize(
    ("ran", "says"),
    [
        (("as written: a list", "as written: a string"), "It ran as written: a list; a string."),
        (("as written: a list", "compiled (2 loops)"), "It ran as written: a list; compiled (2 loops)."),
    ],
)
def test_how_it_ran_is_one_sentence(ran: tuple[str, ...], says: str) -> None:
    assert verdict(measurement([1.0] * 4, [1.0] * 4, ran=ran))[1] == says


@pytest.mark.parametrize(
    ("ran", "says"), [("compiled", "No clear difference."), ("as written: why", "NumPy is kept, and it is")]
)
def test_no_difference_is_not_sold_as_one(ran: str, says: str) -> None:
    close = measurement([1.0, 1.0, 1.0, 1.0], [0.9, 1.1, 0.9, 1.1], ran=(ran,))
    assert verdict(close)[0].startswith(says)
    assert close.break_even("rewritten", (10.0,)) is None, "never, as long as it is not known to be faster"


def test_the_table() -> None:
    lines = {line[:36].strip(): line[36:].split() for line in table(FASTER).splitlines()}
    assert lines[""] == ["as", "written", "rewritten"]
    assert lines["import of torch"] == ["–", "900", "ms"]
    assert lines["first call, empty caches"] == ["1.00", "s", "10.0", "s"]
    assert lines["first call, full caches"] == ["1.00", "s", "2.00", "s"]
    assert lines["steady, median"] == ["1.00", "s", "250", "ms"]
    assert lines["speed-up, median"] == ["–", "4.00", "×"]
    assert lines["break-even, empty caches"] == ["–", "13", "calls"]
    assert lines["break-even, full caches"] == ["–", "3", "calls"]
    assert lines["memory of a call, peak"] == ["1.0", "MiB", "–"]
    assert "4 rounds in turns; 2 threads" in table(FASTER)
    never = {line[:36].strip(): line[36:].split() for line in table(SLOWER).splitlines()}
    assert never["break-even, empty caches"] == ["–", "never"]


def test_a_peer_that_is_not_applicable_has_its_reason() -> None:
    sides = {
        **FASTER.sides,
        "Numba": Side(why="numba is not installed"),
        "JAX": Side(note="answers otherwise"),
    }
    told = table(replace(FASTER, sides=sides))
    assert "Numba: numba is not installed" in told
    assert "JAX: answers otherwise" in told
    assert "Numba" not in told.splitlines()[1]
    assert "JAX" in told.splitlines()[1]


def test_what_could_not_be_measured_is_in_the_table() -> None:
    failed = Measurement(0, "f", "f(1)", problem="f as written raises ValueError: no")
    assert "not measured: f as written raises ValueError: no" in table(failed)
    assert "not measured" in summary([FASTER, failed])


def test_sizes_and_where_they_cross() -> None:
    slower = of_sizes([10, 1000], [1e-5, 1e-1], [1e-3, 1e-3])
    assert "rewritten: faster from about n = 100" in summary(slower)
    assert "n = 10 " in summary(slower)
    assert "rewritten: faster at every size measured" in summary(of_sizes([1, 2], [2, 2], [1, 1]))
    assert "rewritten: not faster at every size measured" in summary(of_sizes([1, 2], [1, 1], [2, 2]))
    falls = of_sizes([10, 1000], [1e-3, 1e-3], [1e-5, 1e-1])
    assert "rewritten: no faster from about n = 100" in summary(falls)


def test_noise_crosses_nothing() -> None:
    """Up to n = 100 neither is clearly the faster, whichever median is the smaller by a little."""
    noisy = [
        measurement([1.0, 1.02, 1.01], [1.01, 1.0, 1.02], size=10),
        measurement([1.02, 1.0, 1.03], [1.01, 1.01, 1.0], size=100),
        measurement([100.0] * 3, [1.0] * 3, size=1000),
    ]
    assert summary(noisy).splitlines()[-1] == "rewritten: faster from about n = 100"
    assert "not faster at every size measured" in summary(noisy[:2])


def test_the_document() -> None:
    sized = of_sizes([10, 1000], [1e-5, 1e-1], [1e-3, 1e-3])
    failed = Measurement(1, "f", "f(1)", problem="no")
    told = json.loads(json.dumps(document(Outcome([*sized, failed], ["a note"]), "waves.py")))
    assert (told["schema"], told["exit"], told["file"], told["notes"]) == (1, 2, "waves.py", ["a note"])
    assert told["crossings"] == ["rewritten: faster from about n = 100"]
    first, second, third = told["measurements"]
    assert (first["size"], first["sides"]["rewritten"]["break_even"]) == (10, {"cold": None, "warm": None})
    assert second["sides"]["rewritten"]["speed_up"]["median"] == pytest.approx(100)
    assert second["sides"]["rewritten"]["break_even"] == {"cold": 101, "warm": 21}
    assert second["verdict"].startswith("Faster")
    assert (third["problem"], third["verdict"], third["sides"]) == ("no", None, {})
    assert Outcome(sized).exit_status == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(10.84, "10.8 s"), (0.3125, "312 ms"), (1.5e-6, "1.50 µs"), (7e-10, "0.7 ns"), (1234.0, "1,234 s")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_busy_machine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "is_shared", lambda: False)
    assert machine.disturbed() is None
    monkeypatch.setattr(machine, "is_shared", lambda: True)
    assert "measure again" in (machine.disturbed() or "")
