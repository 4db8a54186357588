"""``@nprewrite.jit``: functions rewritten at their calls."""
