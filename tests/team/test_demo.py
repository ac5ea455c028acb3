"""The demonstration's administrator and connection, made once and corrected ever after."""

import json

import pytest
from django.core.management import CommandError, call_command

from portal.access.models import Connection, User, Way
from portal.audit.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def credentials(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    return {
        "url": "http://127.0.0.1:8000",
        "email": "admin@example.com",
        "password": "a long demo password",
        "sandbox_url": "http://127.0.0.1:8001/v2",
        "sandbox_token": "sandbox-token-1",
    }


def seed(credentials, settings):
    (settings.DATA_DIR / "demo-credentials.json").write_text(json.dumps(credentials))
    call_command("seed_demo")


def test_it_makes_the_administrator_and_the_connection(credentials, settings):
    seed(credentials, settings)
    user, connection = User.objects.get(), Connection.objects.get()
    assert user.is_administrator
    assert user.check_password("a long demo password")
    assert (connection.owner, connection.name) == (user, "Sandbox")
    assert connection.base_url == "http://127.0.0.1:8001/v2"
    assert connection.token.value == "sandbox-token-1"


def test_a_second_run_changes_nothing(credentials, settings):
    seed(credentials, settings)
    before = (User.objects.get().password, Connection.objects.get().sealed_token)
    entries = AuditEntry.objects.count()
    seed(credentials, settings)
    assert (User.objects.get().password, Connection.objects.get().sealed_token) == before
    assert AuditEntry.objects.count() == entries


def test_another_port_and_token_are_taken_over(credentials, settings):
    seed(credentials, settings)
    key = Connection.objects.get().key
    moved = {"sandbox_url": "http://127.0.0.1:9001/v2", "sandbox_token": "sandbox-token-2"}
    seed(credentials | moved, settings)
    connection = Connection.objects.get()
    assert (connection.key, connection.base_url) == (key, "http://127.0.0.1:9001/v2")
    assert connection.token.value == "sandbox-token-2"


def test_sandbox_of_today_is_connected_by_renewed_tokens(credentials, settings):
    seed(credentials, settings)
    seed(credentials | {"sandbox_profile": "current"}, settings)
    connection = Connection.objects.get()
    assert (connection.way, connection.dialect) == (Way.RENEWING, "current")
    assert connection.credentials.token_url == "http://127.0.0.1:8001/oauth/token"
    seed(credentials | {"sandbox_profile": "plain"}, settings)
    connection = Connection.objects.get()
    assert (connection.way, connection.dialect) == (Way.QUERY, "")


def test_outside_the_demo_it_makes_nothing(credentials, settings):
    settings.DEMO = False
    with pytest.raises(CommandError, match="not a demonstration"):
        seed(credentials, settings)
    assert not User.objects.exists()


def test_without_credentials_it_says_so(credentials, settings):
    with pytest.raises(CommandError, match="missing or incomplete"):
        call_command("seed_demo")
    with pytest.raises(CommandError, match="missing or incomplete"):
        seed({"email": "admin@example.com"}, settings)
