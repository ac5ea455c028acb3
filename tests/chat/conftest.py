"""The administrator's browser, and the archive as the service has it."""

import pytest
from django.test import Client

from portal.access.models import Connection, User
from tests.chat.pages import open_archive
from tests.plugins.portal import admin_client_for


@pytest.fixture
def client(administrator: User) -> Client:
    return admin_client_for(administrator)


@pytest.fixture
def reader(client: Client, connection: Connection) -> Client:
    """A browser in which a reason was given for the connection."""
    open_archive(client, connection)
    return client
