"""``nprewrite verify``: a program before and after rewriting, run on the same cases, in its own process."""
