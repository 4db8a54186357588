"""Keys, positions and slices of unknown type are used as no mask is: nothing is reported.

Hazards: 1.16
"""

import numpy as np


def lookup(table, word, value):
    if word not in table:
        table[word] = value
    return table[word]


def remember(call, cache={}):
    cache[call] = np.pi
    return cache


def swap(order, i, j):
    order[i], order[j] = order[j], order[i]
    return order


def merge(parts, axis: int, name: str, **rest):
    rest[name] = parts[axis]
    return rest


def filed(word, words):
    found, seen = {}, [0] * 9
    first = words.index(word)
    found[word] = seen[first] = len(word)
    return found, seen


def cases():
    yield "lookup", ({}, "a", 1)
    yield "remember", ("x", {})
    yield "swap", ([1, 2, 3], 0, 2)
    yield "merge", ([1, 2], 1, "n")
    yield "filed", ("bb", ["a", "bb"])
