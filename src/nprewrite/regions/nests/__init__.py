"""Nests of scalar loops over indices, and which of their iterations depend on each other."""
