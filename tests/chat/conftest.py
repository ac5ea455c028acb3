"""The archive as the service has it."""

import pytest
from django.test import Client

from portal.access.models import Connection
from tests.support.chat_pages import open_archive


@pytest.fixture
def reader(client: Client, connection: Connection) -> Client:
    """A browser in which a reason was given for the connection."""
    open_archive(client, connection)
    return client
