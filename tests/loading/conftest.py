"""Fixtures of the tests of loading."""

from loading_tools import command, environment, package, python

__all__ = ["command", "environment", "package", "python"]
