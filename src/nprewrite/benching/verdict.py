"""The verdict on the figures, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nprewrite.benching.earning import crossings
from nprewrite.benching.measurement import REWRITTEN, Measurement, counted
from nprewrite.verification.ways import AS_WRITTEN


def verdict(measured: Measurement) -> tuple[str, str]:
    """Whether the rewritten function is faster and earns its compilation back; and how it ran."""
    return _speed(measured), f"It ran {_how(measured.ran)}."


def _how(ran: Sequence[str]) -> str:
    if all(each.startswith(AS_WRITTEN) for each in ran):
        return AS_WRITTEN + "; ".join(each.removeprefix(AS_WRITTEN) for each in ran)
    return "; ".join(ran)


def _speed(measured: Measurement) -> str:
    side = measured.rewritten
    assert side.speed_up is not None
    ratio = side.speed_up.median
    if side.is_slower:
        return f"Slower: it takes {1 / ratio:.3g} times as long. Compiling is never earned back."
    if not side.is_faster:
        kept = all(way.startswith(AS_WRITTEN) for way in measured.ran)
        says = "NumPy is kept, and it is as fast" if kept else "No clear difference"
        return f"{says}. Compiling is never earned back."
    cold, warm = (measured.break_even(REWRITTEN, calls) for calls in (side.cold, side.warm))
    faster = f"Faster: {ratio:.3g} times as fast."
    # A gain in most rounds need not be one of the medians.
    if cold is None:
        return f"{faster} Compiling is never earned back."
    earned = f"What compiling costs is earned back after {after(cold)} ({after(warm)} with full caches)."
    return f"{faster} {earned}"


def after(calls: int | None) -> str:
    """A break-even in words."""
    return "never" if calls is None else counted(calls, "call")


def crossing_words(measurements: Sequence[Measurement], name: str = REWRITTEN) -> Iterator[str]:
    """From which size on a side is faster, for measurements of increasing sizes."""
    known = [each for each in measurements if not each.problem and each.sides[name].steady]
    if len(known) < 2:
        return
    sizes, original, other = times_by_size(known, name)
    lead = original[0] > other[0]
    places = crossings(sizes, original, other)
    if not places:
        yield f"{name}: {'faster' if lead else 'not faster'} at every size measured"
    for place in places:
        lead = not lead
        yield f"{name}: {'faster' if lead else 'no faster'} from about n = {rounded(place)}"


def rounded(size: float) -> str:
    """A size to three digits."""
    return f"{float(f'{size:.3g}'):,.0f}"


def times_by_size(
    measurements: Sequence[Measurement], name: str
) -> tuple[list[float], list[float], list[float]]:
    """Sizes, and the medians of the original and of a side at them.

    Where no difference is clear the side gets the original's time, so that noise makes no crossing.
    """
    sizes: list[float] = []
    originals: list[float] = []
    others: list[float] = []
    for each in measurements:
        original, side = each.original.steady, each.sides[name]
        if original is None or side.steady is None:
            continue
        clear = side.is_faster or side.is_slower
        sizes.append(float(each.size or 0))
        originals.append(original.median)
        others.append(side.steady.median if clear else original.median)
    return sizes, originals, others
