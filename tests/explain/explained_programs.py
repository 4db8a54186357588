"""Programs to explain."""

LOOPS = '''\
"""Neighbours are averaged, and the large ones cut; <script>alert("x")</script> & "more"."""
import numpy as np


def spread(u, trips):
    u = u.copy()
    for n in range(trips):
        v = u * 0.5 + 1.0  # <script>alert("x")</script> & "more"
        u[1:-1] = v[2:] + v[:-2]
        u[u > 3.0] = 0.5
    return u


def fail(x):
    """There is nothing to compile."""
    raise ValueError("no luck")


def hang(x):
    while True:
        pass
'''

BRANCHES = '''\
"""What happens depends on the data, in a loop."""
import numpy as np


def f(x):
    for n in range(3):
        if x.sum() > n:
            x = x + 1.0
    return x
'''
