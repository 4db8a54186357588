"""What is known of a value without running the program, and where it comes from."""
