"""Kinds of jobs about sessions."""
