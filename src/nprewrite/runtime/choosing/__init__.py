"""Which of two ways is faster, measured on the calls of the program."""
