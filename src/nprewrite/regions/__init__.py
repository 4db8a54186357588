"""The parts of a function that can run elsewhere, with their inputs and results: loops, nests, statements."""
