"""How often each grey value stands in an image, and a carried sum of the results."""

import numpy as np
import nprewrite.runtime as npr


@npr.reduction
def _histogram_reduction(value, image):
    """The reductions of the loop over `value` in `histogram`."""
    return np.count_nonzero(image == value)


def histogram(h: int, w: int, levels: int):
    image = (np.arange(h * w) % 251).astype(np.uint8).reshape(h, w)
    counts = []
    seen = 0.0
    for value, count_value in _histogram_reduction.over(
        range(levels),
        lambda value: (value,),
        (image,),
        (counts,),
    ):
        seen += count_value
        counts.append(seen)
    return np.array(counts)


def cases():
    for h, w, levels in ((5, 7, 256), (1, 1, 3), (0, 4, 2), (150, 130, 20)):
        yield "histogram", (h, w, levels)
