"""What rewritten code names: steps, loops, guards, and the arithmetic beside them."""
