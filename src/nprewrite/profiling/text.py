"""The profile as a table, with what stands in the way below it and what to do at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nprewrite.base.columns import in_columns
from nprewrite.engine.wording import Obstacle, obstacles
from nprewrite.profiling.profile import Profile, Row
from nprewrite.profiling.source import MODULE

_HEAD = ("time", "", "arrays", "where", "what nprewrite would do", "gain")
_EXPLAINED = 0.05
"""The part of the program's time from which on a row says what stands in the way."""
_MOST_OBSTACLES = 4
_ALL = 0.995
_CLEARLY = 1.1
"""Running the program through nprewrite is advised where it saves this many times as much as a decorator."""
_LITTLE = 0.1


def text_of(profile: Profile) -> str:
    """The whole report."""
    parts = [_title(profile)]
    if profile.samples.count:
        parts += [_table(profile), *_in_the_way(profile), *_tried(profile)]
    return "\n\n".join([*parts, advice(profile)])


def _title(profile: Profile) -> str:
    found = profile.attribution
    imports = f", and {seconds(found.imports)} of imports" if found.imports >= 0.05 else ""
    arrays = f", {percent(found.array, found.total)} of it array code" if found.total else ""
    return f"{profile.program}: {seconds(found.total)}{arrays}{imports} ({profile.samples.count} samples)"


def _table(profile: Profile) -> str:
    rows = [_HEAD, *(cells(each, profile) for each in profile.rows)]
    return "\n".join(in_columns(rows, right=range(3)))


def cells(row: Row, profile: Profile) -> tuple[str, ...]:
    """Time, part of the program, part in array code, place, what would be done, gain."""
    unit = row.unit
    return (
        seconds(unit.time),
        percent(unit.time, profile.total),
        percent(unit.array, unit.weight),
        where(row, profile),
        what(row),
        gain(row),
    )


def where(row: Row, profile: Profile) -> str:
    """The function and its line, and the loop in which most of its time is spent."""
    unit, loop = row.unit, row.unit.loop
    file = "" if len(profile.attribution.sources) == 1 else f"{unit.source.name}:"
    name = unit.label if unit.name == MODULE else f"{unit.label} ({file or 'line '}{unit.line})"
    return f"{name}, loop in line {loop.line}" if loop is not None else name


def what(row: Row) -> str:
    """What nprewrite would do with a function."""
    unit, found = row.unit, row.outlook
    if found.problem:
        return found.problem
    if unit.name == MODULE and unit.loop is None:
        return "nothing: it is not in a function"
    if found.deferred:
        when = "while it runs, by" if unit.name == MODULE else "at a first call, which shows"
        return f"decide {when} the types"
    covered = unit.seconds_on(found.lines)
    if not covered:
        return "leave it as it is"
    native = any(each.native for each in found.parts)
    if covered >= _ALL * unit.time:
        return "compile its loops" if native else "compile all of it"
    return f"compile {percent(covered, unit.time)} of it"


def gain(row: Row) -> str:
    """The seconds that would be saved."""
    if row.measured and row.unit.name == MODULE:
        # What the functions that it calls save is part of this.
        return f"{seconds(row.measured)} by nprewrite run, measured"
    if row.measured is not None:
        return f"{seconds(row.measured)}, measured" if row.measured > 0 else "none, measured"
    if row.outlook.deferred:
        return "--try measures it"
    return f"about {seconds(row.gain)}" if row.gain >= 0.01 * row.unit.time and row.gain >= 0.01 else "none"


def _in_the_way(profile: Profile) -> Iterator[str]:
    lines: list[str] = []
    for row in profile.rows:
        found = in_the_way(row)
        if found and row.unit.time >= _EXPLAINED * profile.total:
            lines += [f"  {row.unit.label}", *(f"    {each}" for each in found[:_MOST_OBSTACLES])]
            left = len(found) - _MOST_OBSTACLES
            lines += [f"    and {left} more (nprewrite explain {row.unit.source.name})"] if left > 0 else []
    if lines:
        yield "\n".join(["In the way:", *lines])


def in_the_way(row: Row) -> tuple[Obstacle, ...]:
    """What keeps lines on which time is spent from being compiled, the most expensive first."""
    found = obstacles(row.outlook.refused, row.unit.source.text)
    return tuple(sorted(found, key=lambda each: -row.unit.seconds_on(each.lines)))


def _tried(profile: Profile) -> Iterator[str]:
    """The times of the whole program, and what could not be tried."""
    trials = profile.trials
    if trials is None:
        return
    lines = [*trials.notes]
    if trials.whole is not None:
        original, rewritten = seconds(trials.whole.original), seconds(trials.whole.rewritten)
        lines.insert(0, f"measured: {original} as written, {rewritten} through nprewrite run, once compiled")
    yield "\n".join(lines)


def advice(profile: Profile) -> str:
    """The one thing to do."""
    advised = profile.advised()
    whole = profile.trials.whole if profile.trials is not None else None
    best = advised[0].gain if advised else 0.0
    if whole is not None and whole.paid and whole.gain > _CLEARLY * best:
        of = seconds(whole.original)
        return f"To do: {profile.command} (saves {seconds(whole.gain)} of {of}, measured)"
    if not advised:
        return f"To do: nothing. {_why_nothing(profile)}"
    return f"To do: {_advised(profile, advised)}"


def _advised(profile: Profile, advised: Sequence[Row]) -> str:
    saved, measured = sum(each.gain for each in advised), advised[0].measured is not None
    expected = f" (about {seconds(saved)} of {seconds(profile.total)}, an estimate)" if saved else ""
    if measured:
        expected = f" (saves {seconds(saved)}, measured)"
    unit = advised[0].unit
    if len(advised) > 1 or unit.name == MODULE:
        return f"{profile.command}{expected}"
    name = unit.name.rpartition(".")[2]
    return f"put @nprewrite.jit above `def {name}` in line {unit.line} of {unit.source.name}{expected}"


def _why_nothing(profile: Profile) -> str:
    if not profile.samples.count:
        return "The program was over before anything could be seen of it."
    if profile.trials is not None:
        return "Nothing that was tried gains a twentieth of the time."
    if profile.attribution.array < _LITTLE * profile.total:
        return "Little of the time is spent in array code, and nothing else would be compiled."
    return "What could be compiled here would gain less than a twentieth of the time."


def seconds(value: float) -> str:
    """``12 s``, ``3.4 s``, ``0.21 s``."""
    return f"{value:.0f} s" if value >= 10 else f"{value:.1f} s" if value >= 1 else f"{value:.2f} s"


def percent(part: float, whole: float) -> str:
    """``51 %``."""
    return f"{100 * part / whole:.0f} %" if whole else "0 %"
