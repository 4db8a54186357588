"""``nprewrite profile``: where a program spends its time, and what nprewrite would do there."""
