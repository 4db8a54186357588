"""The computation of a function in float32 and complex64."""
