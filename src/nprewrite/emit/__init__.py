"""The writers of new text, as LibCST nodes."""
