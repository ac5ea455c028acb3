"""Decisions on requests for approval, and their effects."""
