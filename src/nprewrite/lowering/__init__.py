"""Lowers scalar loops to typed text for Numba that computes what Python and NumPy would, or says why not.

Nothing here runs the user's program or imports Numba: the passes ask whether a loop can be lowered, the
runtime asks for the text.
"""
