"""The rewriter: text in, text and outcomes out. Nothing here runs the user's code."""
