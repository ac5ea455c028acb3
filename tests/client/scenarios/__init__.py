"""What each operation does, as scenarios with the running sandbox, by the operation's name."""

from tests.client.scenarios import account, history, sessions
from tests.client.scenarios.people import SCENARIOS, is_gone, person

__all__ = ["SCENARIOS", "account", "history", "is_gone", "person", "sessions"]
