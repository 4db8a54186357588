"""The passes: one module each; none imports another."""
