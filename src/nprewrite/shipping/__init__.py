"""Compiling ahead of time, and the cache on its way to another machine."""
