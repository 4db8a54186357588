"""A function of numbers as array code with selects."""
