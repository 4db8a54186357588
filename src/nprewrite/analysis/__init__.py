"""Questions about a program, each asked in one place; nothing here changes text."""
