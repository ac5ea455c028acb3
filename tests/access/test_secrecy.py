"""Promises 4 to 6, for typed secrets: passwords, tokens and links are in no log."""

import logging
import re
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portal.access.models import Session
from portal.audit.models import AuditEntry
from portal.config.logs import logging_config
from portal.sign_in.session_store import SessionStore
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db
NEW_PASSWORD = "a new battery staple"


@pytest.fixture
def log():
    """Yields the text that the portal's logging writes, with every logger at DEBUG."""
    written = StringIO()
    recipe: dict[str, Any] = dict(logging_config("DEBUG", as_json=True)["formatters"]["events"])
    handler = logging.StreamHandler(written)
    handler.setFormatter(recipe.pop("()")(**recipe))
    root, before = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.setLevel(before)
    root.removeHandler(handler)


def what_sessions_keep():
    return str([SessionStore(session.pk).load() for session in Session.objects.all()])


def test_sign_in_and_password_change_leave_no_password(viewer, log):
    client = Client()
    data = {"login": viewer.email, "password": PASSWORD}
    client.post(reverse("account_login"), data | {"password": "wrong-canary"})
    client.post(reverse("account_login"), data)
    client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
    )
    viewer.refresh_from_db()
    assert viewer.check_password(NEW_PASSWORD)
    assert "request_finished" in log.getvalue()
    kept = log.getvalue() + str(list(AuditEntry.objects.values_list()))
    kept += "".join(
        str(SessionStore(key).load()) for key in Session.objects.values_list("pk", flat=True)
    )
    for secret in ("wrong-canary", PASSWORD, NEW_PASSWORD):
        assert secret not in kept


def test_a_set_password_link_is_in_no_log_and_no_audit_entry(viewer, log, mailoutbox):
    Client().post(reverse("account_reset_password"), {"email": viewer.email})
    link = re.findall(r"http://testserver(\S+/key/\S+)", mailoutbox[0].body)[0]
    key = link.rstrip("/").rpartition("/")[2]
    Client().get(link)
    assert "GET /account/password/reset/key/" in log.getvalue()
    assert key not in log.getvalue()
    assert key not in str(list(AuditEntry.objects.values_list()))


def test_adding_a_connection_leaves_no_token_behind(administrator, sandbox, log):
    client = admin_client_for(administrator)
    data = {"name": "Main", "base_url": sandbox.url, "colour": "blue"}
    for token in ("wrong-canary", sandbox.token):
        client.post(reverse("connections:new"), data | {"token": token})
    kept = log.getvalue() + str(list(AuditEntry.objects.values_list()))
    kept += "".join(
        str(SessionStore(key).load()) for key in Session.objects.values_list("pk", flat=True)
    )
    assert "users.list" in log.getvalue()
    for secret in ("wrong-canary", sandbox.token):
        assert secret not in kept
