"""Whole-array statements in place of a nest of scalar loops."""
