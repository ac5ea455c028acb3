"""Scenarios of each operation with the running sandbox, by the operation's name."""

from tests.support.scenarios import account, history, sessions
from tests.support.scenarios.people import SCENARIOS, is_gone, person

__all__ = ["SCENARIOS", "account", "history", "is_gone", "person", "sessions"]
