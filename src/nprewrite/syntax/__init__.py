"""The text of a module: exact spans and edits, and what its names stand for."""
