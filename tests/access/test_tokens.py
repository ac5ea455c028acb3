"""Promises 1, 2, 3 and 6: tokens at rest, their keys, and where they never show."""

import sqlite3
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.db import connection as database
from django.urls import reverse

from portal.access import tokens
from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.connections.services import connections
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db
CANARY = "canary-3f9a71c0de5bead2"


def keep(owner, token=CANARY, name="Kept"):
    connection = Connection(owner=owner, name=name, base_url="http://127.0.0.1:1/v2")
    connections.save(Origin(owner), connection, token)
    return connection


@pytest.mark.django_db(transaction=True)
def test_a_token_is_nowhere_in_the_database_its_log_or_a_backup(administrator, tmp_path):
    keep(administrator)
    if database.vendor != "sqlite":
        with database.cursor() as cursor:
            cursor.execute("SELECT row_to_json(c)::text FROM access_connection c")
            assert CANARY not in str(cursor.fetchall())
        return
    path = Path(str(database.settings_dict["NAME"]))
    backup = tmp_path / "backup.sqlite3"
    with sqlite3.connect(path) as source, sqlite3.connect(backup) as target:
        source.backup(target)
    # What was just written is in one of the first two.
    kept = path.read_bytes() + path.with_name(f"{path.name}-wal").read_bytes()
    for content in (kept, backup.read_bytes()):
        assert b"Kept" in content
        assert CANARY.encode() not in content


def test_a_token_comes_back_as_it_was(administrator):
    assert keep(administrator).token.value == CANARY


def test_a_connection_does_not_print_its_token(administrator):
    connection = keep(administrator)
    for shown in (connection, connection.token, connection.target(), vars(connection)):
        assert CANARY not in f"{shown!r} {shown}"


@pytest.mark.parametrize(
    ("token", "hint"),
    [("abcdefghijklmnopqrst", "qrst"), ("abcdefgh", "gh"), ("abcd", "d"), ("abc", ""), ("", "")],
)
def test_hint_shows_four_characters_or_quarter_of_token(token, hint):
    assert tokens.hint(token) == hint


def test_rotated_key_is_useless_and_everything_is_readable(administrator, settings, capsys):
    connection = keep(administrator)
    old, new = settings.TOKEN_KEYS[0], Fernet.generate_key().decode()
    settings.TOKEN_KEYS = [new, old]
    call_command("rotate_token_keys")
    assert "1 secrets" in capsys.readouterr().out
    connection.refresh_from_db()
    settings.TOKEN_KEYS = [old]
    with pytest.raises(tokens.TokenUnreadable):
        _ = connection.token
    settings.TOKEN_KEYS = [new]
    assert connection.token.value == CANARY
    assert AuditEntry.objects.filter(operation="connection.rotate_keys").exists()


def test_a_rotation_names_what_no_key_opens_and_does_the_rest(administrator, settings):
    lost = keep(administrator, name="Lost")
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    kept = keep(administrator)
    settings.TOKEN_KEYS = [Fernet.generate_key().decode(), *settings.TOKEN_KEYS]
    with pytest.raises(CommandError, match=f"connection {lost.key}"):
        call_command("rotate_token_keys")
    kept.refresh_from_db()
    settings.TOKEN_KEYS = settings.TOKEN_KEYS[:1]
    assert kept.token.value == CANARY


def test_a_wrong_key_is_a_page_that_says_so(connection, administrator, settings):
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    asks = reverse("people:person", args=[connection.key, "u1"])
    answer = admin_client_for(administrator).get(asks)
    assert answer.status_code == 503
    assert "TOKEN_KEYS" in answer.content.decode()
    assert reverse("connections:connection", args=[connection.key]) in answer.content.decode()


@pytest.mark.parametrize(
    "page",
    [
        "people:list",
        "people:licences",
        "groups:list",
        "meetings:list",
        "recordings:list",
        "sessions:calendar",
        "dashboards:now",
        "jobs:list",
        "webhooks:following",
        "webhooks:deliveries",
    ],
)
def test_what_is_stored_is_shown_without_the_key(page, connection, administrator, settings):
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    client = admin_client_for(administrator)
    assert client.get(reverse(page, args=[connection.key])).status_code == 200


def test_with_a_wrong_key_the_token_can_be_given_anew(connect, administrator, settings):
    connection = connect(administrator)
    token = connection.token.value
    settings.TOKEN_KEYS = [Fernet.generate_key().decode()]
    client = admin_client_for(administrator)
    url = reverse("connections:connection", args=[connection.key])
    assert client.get(url).status_code == 200
    typed = {"name": "Sandbox", "base_url": connection.base_url, "colour": "blue"}
    assert client.post(url, typed).status_code == 422
    assert client.post(url, typed | {"token": token}).status_code == 302
    connection.refresh_from_db()
    assert connection.token.value == token


def test_no_page_shows_a_token(connect, administrator):
    connection = connect(administrator)
    client = admin_client_for(administrator)
    key = [connection.key]
    last = AuditEntry.objects.latest("sequence").sequence
    for url in (
        reverse("connections:list"),
        reverse("connections:connection", args=key),
        reverse("connections:remove", args=key),
        reverse("audit:trail"),
        reverse("audit:entry", args=[last]),
        reverse("audit-export", args=["jsonl"]),
        reverse("people:list", args=key),
    ):
        answer = client.get(url)
        assert answer.status_code == 200
        assert connection.token.value.encode() not in answer.getvalue()


def test_what_was_typed_as_a_token_is_not_shown_again(visitor, administrator):
    visitor.force_login(administrator)
    typed = {"name": "", "base_url": "https://", "token": CANARY, "colour": "blue"}
    answer = visitor.post(reverse("connections:new"), typed)
    assert answer.status_code == 422
    assert CANARY not in answer.content.decode()
