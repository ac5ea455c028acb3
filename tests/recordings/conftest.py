"""The fixtures that tests of recordings share with those of sessions."""

from tests.sessions.conftest import client

__all__ = ["client"]
