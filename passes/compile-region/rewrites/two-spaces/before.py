"""Indented with two spaces: array code becomes a region."""

import numpy as np
import numpy.typing as npt

import nprewrite


@nprewrite.jit
def mixed(x: npt.NDArray[np.float64], log: list):
  a = np.exp(-x * x) + x  # the first of two
  b = np.sqrt(np.abs(a)) * 2 + a
  log.append(x.size)
  return np.sin(a) + b * 0.5


def cases():
  for size in (0, 1, 9):
    yield "mixed", (np.linspace(-1.0, 2.0, size), [])
