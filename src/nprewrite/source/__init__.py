"""The text as a LibCST module: where things are, and how nodes are replaced by others."""
