"""Modules and programs rewritten as they are loaded: the import hook, and what ``nprewrite run`` runs."""
