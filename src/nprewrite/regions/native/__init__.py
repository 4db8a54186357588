"""Loops that Numba can run in a function of their own."""
