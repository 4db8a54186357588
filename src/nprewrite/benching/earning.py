"""When compiling pays: after how many calls, and from which size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise


def break_even(first: Sequence[float], steady: float, original: float) -> int | None:
    """The number of calls after which all of them together have taken no longer than as many of the original.

    ``first`` are the seconds of the first calls; each further one takes ``steady``, and each of the original
    ``original``. None where that point is never reached.
    """
    debts = [spent - original * count for count, spent in enumerate(accumulate(first), start=1)]
    if debts[-1] > 0:
        return len(first) + math.ceil(debts[-1] / (original - steady)) if steady < original else None
    if steady > original:
        return None
    paid = len(first)
    while paid > 1 and debts[paid - 2] <= 0:
        paid -= 1
    return paid


def crossings(sizes: Sequence[float], one: Sequence[float], other: Sequence[float]) -> list[float]:
    """The sizes at which ``other`` starts or stops being faster, by a power law between neighbouring sizes.

    ``sizes`` increase; ``one`` and ``other`` are the times at these sizes.
    """
    points = list(zip(sizes, one, other, strict=True))
    leads = [(math.log(size), math.log(first / second)) for size, first, second in points]
    return [
        math.exp(x - lead * (next_x - x) / (next_lead - lead))
        for (x, lead), (next_x, next_lead) in pairwise(leads)
        if (lead > 0) != (next_lead > 0)
    ]
