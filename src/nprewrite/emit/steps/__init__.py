"""Step functions and the loops that run through them."""
