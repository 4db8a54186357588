"""Loops that Numba compiles. Numba is imported when the first one runs."""
