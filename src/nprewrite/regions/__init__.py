"""The parts of a function that can run elsewhere: loops, nests, runs of statements; what goes in and out."""
