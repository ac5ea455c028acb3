"""Clients on `tests.ui.urls`."""

import pytest
from django.test import Client
from pytest_django import Settings

from portal.access.models import User
from tests.support.portal import admin_client_for


@pytest.fixture
def pages(settings: Settings, administrator: User) -> Client:
    """An administrator who is signed in; a failure of the portal is answered, not raised."""
    settings.ROOT_URLCONF = "tests.ui.urls"
    client = admin_client_for(administrator)
    client.raise_request_exception = False
    return client
