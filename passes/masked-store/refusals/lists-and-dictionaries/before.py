"""Subscripts of lists and dictionaries are no sites: nothing is reported.

Hazards: 1.16
"""


def tally(words: list, limit: int):
    counts = {}
    slots = [0, 0]
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        slots[len(word) > limit] += 1
    return counts, slots


def cases():
    yield "tally", (["a", "bb", "a", "ccc"], 1)
    yield "tally", ([], 1)
