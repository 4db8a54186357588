"""The command line: ``nprewrite FILE…``, ``nprewrite pass``.

Nothing here imports NumPy or torch, and the rewriter itself is imported only when a file is
rewritten, so that ``--help`` answers at once.
"""

from nprewrite.cli.command import main

__all__ = ["main"]
