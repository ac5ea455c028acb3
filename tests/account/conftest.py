"""The administrator's browser, and people of a department."""

from secrets import token_hex

import pytest
from django.test import Client

from portal.access.models import Connection, User
from portal.directory import users
from tests.account.baselines import fresh
from tests.people.conftest import Made, MakePerson, make_group, make_person
from tests.plugins.portal import admin_client_for

__all__ = ["make_group", "make_person"]


@pytest.fixture
def client(administrator: User) -> Client:
    return admin_client_for(administrator)


@pytest.fixture
def dept() -> str:
    return f"Sales {token_hex(4)}"


@pytest.fixture
def two(make_person: MakePerson, dept: str, connection: Connection) -> list[Made]:
    """Two people of a department of their own, who both have chat on."""
    found = [make_person(first_name=name) for name in ("Ada", "Grace")]
    users.change(connection, [one.id for one in found], dept=dept)
    for one in found:
        one.set(in_meeting={"chat": True, "closed_caption": False})
    fresh(connection)
    return found
