"""Imports of what the service lists whole and people know by its name: a declaration for each."""
