"""How fast a program is before and after rewriting."""
