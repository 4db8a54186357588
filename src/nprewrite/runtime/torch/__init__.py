"""Steps that torch compiles. Torch is imported when the first one is compiled."""
