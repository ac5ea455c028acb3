"""The administrator's browser."""

import pytest
from django.test import Client

from portal.access.models import User
from tests.plugins.portal import admin_client_for


@pytest.fixture
def client(administrator: User) -> Client:
    return admin_client_for(administrator)
