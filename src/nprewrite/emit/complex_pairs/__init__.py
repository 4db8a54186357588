"""Complex arrays as two real ones."""
