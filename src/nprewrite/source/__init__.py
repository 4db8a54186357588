"""The text as a LibCST module: what stands where, and how nodes take the place of others."""
