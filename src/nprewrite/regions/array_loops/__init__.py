"""Loops of array code: what an iteration reads, changes and hands on."""
