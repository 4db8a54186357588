"""Files: their bytes to text and back, one file through the rewriter, and writing it whole or not at all."""
