"""The measurements as a table: a column for each side, a row for each figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nprewrite.base.columns import in_columns
from nprewrite.benching.measurement import ORIGINAL, REWRITTEN, Measurement, Side, counted
from nprewrite.benching.spread import Spread
from nprewrite.benching.verdict import after, crossing_words, verdict

_NONE = "–"
_NEED_TORCH = (REWRITTEN, "torch.compile")
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def table(measured: Measurement) -> str:
    """The figures of one call, and the verdict."""
    if measured.problem:
        return f"{measured.title}\n  not measured: {measured.problem}"
    lines = [measured.title, *(f"  {line}" for line in _in_columns(list(_rows(measured))))]
    of = f", each of {counted(measured.calls, 'call')}" if measured.calls > 1 else ""
    lines.append(f"  {counted(measured.rounds, 'round')} in turns{of}; {counted(measured.threads, 'thread')}")
    said = {name: side.why or side.note for name, side in measured.sides.items()}
    lines += [f"  {name}: {words}" for name, words in said.items() if words]
    return "\n".join([*lines, *(f"  {words}" for words in verdict(measured))])


def _rows(measured: Measurement) -> Iterator[list[str]]:
    sides = {name: side for name, side in measured.sides.items() if not side.why}
    torch = _NONE if measured.import_torch is None else duration(measured.import_torch)
    yield ["", *sides]
    yield ["import of torch", *(torch if name in _NEED_TORCH else _NONE for name in sides)]
    yield ["first call, empty caches", *(_first(side.cold) for side in sides.values())]
    yield ["first call, full caches", *(_first(side.warm) for side in sides.values())]
    yield ["calls until steady, empty caches", *(_until(name, side) for name, side in sides.items())]
    yield ["steady, median", *(_median(side.steady) for side in sides.values())]
    yield ["  quartiles", *(_quartiles(side.steady) for side in sides.values())]
    yield ["speed-up, median", *(_ratio(side.speed_up) for side in sides.values())]
    yield ["  quartiles", *(_ratios(side.speed_up) for side in sides.values())]
    yield ["break-even, empty caches", *(_earned(measured, name, side.cold) for name, side in sides.items())]
    yield ["break-even, full caches", *(_earned(measured, name, side.warm) for name, side in sides.items())]
    yield ["memory of a call, peak", *(memory(side.memory) for side in sides.values())]


def summary(measurements: Sequence[Measurement]) -> str:
    """One line for each of several measurements, named by size or threads; then where the sides cross."""
    rows = [["", ORIGINAL, REWRITTEN, "speed-up", "break-even", "first call", "full caches"]]
    alone = len(by_call(measurements)) == 1
    rows += [_line(each.range if alone else each.title, each) for each in measurements]
    lines = _in_columns(rows)
    if all(each.size is not None for each in measurements):
        for calls in by_call(measurements):
            title = "" if alone else f"{calls[0].function}: {calls[0].case}: "
            names = dict.fromkeys(name for each in calls for name in each.sides if name != ORIGINAL)
            lines += [title + words for name in names for words in crossing_words(calls, name)]
    return "\n".join(lines)


def by_call(measurements: Sequence[Measurement]) -> list[list[Measurement]]:
    """The measurements of the same call at several sizes or numbers of threads together."""
    groups: dict[int, list[Measurement]] = {}
    for each in measurements:
        groups.setdefault(each.index, []).append(each)
    return list(groups.values())


def _line(title: str, measured: Measurement) -> list[str]:
    if measured.problem:
        return [title, "not measured", *[""] * 5]
    side = measured.rewritten
    return [
        title,
        _median(measured.original.steady),
        _median(side.steady),
        f"{_ratio(side.speed_up)} {_ratios(side.speed_up)}",
        _earned(measured, REWRITTEN, side.cold),
        _first(side.cold),
        _first(side.warm),
    ]


def _in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    return in_columns(rows, right=range(1, len(rows[0])))


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    number, unit = in_units(seconds)
    return f"{_three(number)} {unit}"


def in_units(seconds: float) -> tuple[float, str]:
    """A time as a number of at least 1 and its unit; times below a nanosecond are given in nanoseconds."""
    size, unit = next((each for each in _UNITS if seconds >= each[0]), _UNITS[-1])
    return seconds / size, unit


def memory(count: int | None) -> str:
    """Bytes in MiB; a dash where they are not known."""
    return _NONE if count is None else f"{count / 2**20:.1f} MiB"


def _three(number: float) -> str:
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}" if number >= 1 else f"{number:.3g}"


def _first(calls: Sequence[float]) -> str:
    return duration(calls[0]) if calls else _NONE


def _until(name: str, side: Side) -> str:
    return _NONE if name == ORIGINAL else f"{len(side.cold)} in {duration(sum(side.cold))}"


def _median(spread: Spread | None) -> str:
    return _NONE if spread is None else duration(spread.median)


def _quartiles(spread: Spread | None) -> str:
    return _NONE if spread is None else f"{duration(spread.lower)} to {duration(spread.upper)}"


def _ratio(spread: Spread | None) -> str:
    return _NONE if spread is None else f"{_three(spread.median)} ×"


def _ratios(spread: Spread | None) -> str:
    return _NONE if spread is None else f"({_three(spread.lower)} to {_three(spread.upper)})"


def _earned(measured: Measurement, name: str, calls: tuple[float, ...]) -> str:
    if name == ORIGINAL or not calls:
        return _NONE
    return after(measured.break_even(name, calls))
