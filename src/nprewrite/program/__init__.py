"""A function as passes see it: its tree, its names, the steps that it holds."""
