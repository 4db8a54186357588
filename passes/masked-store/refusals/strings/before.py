"""A string is cut to the array's width.

Hazards: 1.17
"""

import numpy as np


def rename():
    names = np.array(["a", "b", "c"], dtype="U3")
    names[names == "b"] = "longer"
    return names


def cases():
    yield "rename", ()
