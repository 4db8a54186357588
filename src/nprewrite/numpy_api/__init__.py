"""NumPy's functions, a record for each."""
