"""Fixtures of the tests of loading."""

from loading_tools import environment, package, python

__all__ = ["environment", "package", "python"]
