"""Fixtures of imports of people."""

from tests.people.importing import plan_of, run_of

__all__ = ["plan_of", "run_of"]
