"""A function as passes see it: its tree, its names, the steps in it."""
