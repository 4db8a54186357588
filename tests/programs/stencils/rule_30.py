"""Wolfram's elementary cellular automaton with a rule's table, one row of the picture a generation."""

import numpy as np

ENTRY = "automaton"
SIZES = {"bench": (6000, 1200), "small": (31, 12)}


def automaton(rule, width, generations):
    table = np.array([(rule >> i) & 1 for i in range(8)], dtype=np.uint8)
    picture = np.zeros((generations, width), dtype=np.uint8)
    picture[0, width // 2] = 1
    for t in range(1, generations):
        row = picture[t - 1]
        code = 4 * np.roll(row, 1) + 2 * row + np.roll(row, -1)
        picture[t] = table[code]
    return picture


def setup(width, generations):
    return 30, width, generations
