"""Promise 36 for pages: what fails of the portal's own parts is said plainly, nothing is lost."""

from secrets import token_hex

import pytest
from django.test import Client
from django.urls import reverse

from portal.audit.models import AuditEntry, Outcome
from tests.support.database_faults import (
    database_that_takes_nothing,
    failing_writes,
    impatient_database,
    without_cache,
)
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.portal import PASSWORD, admin_client_for

HTMX = {"HX-Request": "true", "HX-Target": "content"}
TYPED_IS_THERE = "Go back with the browser: what you typed is still there."
NOT_SENT = "Nothing was sent to the conferencing service."

TROUBLES = {
    "database or disk is full": "The Switchboard server is out of",
    'could not extend file "base/1/2": No space left on device': "The Switchboard server is out of",
    "attempt to write a readonly database": "Switchboard cannot save changes",
    "deadlock detected": "Switchboard is busy",
    "FATAL: sorry, too many clients already": "Too many connections to its database are open",
    "server closed the connection unexpectedly": "The Switchboard database is not responding",
}


@pytest.fixture
def browser(administrator):
    client = admin_client_for(administrator)
    client.raise_request_exception = False
    return client


def _names(sandbox):
    return {group["name"] for group in sandbox.client.get("/groups").json()["groups"]}


@pytest.mark.django_db(transaction=True)
def test_locked_database_is_reported_and_form_succeeds_later(browser, connection, sandbox):
    address, name = reverse("groups:create", args=[connection.key]), f"Locked {token_hex(6)}"
    form = form_with(browser.get(address).content.decode(), "name")
    sent = form.values | {"name": name}
    with impatient_database("ui_sentform") as lock:
        lock.take()
        refused = browser.post(address, sent)
        for_htmx = browser.post(address, sent, headers=HTMX)
    assert refused.status_code == for_htmx.status_code == 503
    said = text_of(refused.content.decode())
    assert "Switchboard is busy" in said
    assert NOT_SENT in said
    assert TYPED_IS_THERE in said
    assert refused["X-Request-ID"] in said
    assert "no-store" in refused["Cache-Control"]
    assert (for_htmx["HX-Retarget"], for_htmx["HX-Fault"]) == ("#toasts", "true")
    assert "Switchboard is busy" in for_htmx.content.decode()
    assert name not in _names(sandbox)
    assert browser.post(address, sent).status_code == 303
    assert name in _names(sandbox)


@pytest.mark.django_db(transaction=True)
def test_change_sent_before_database_failed_is_not_undone(browser, faulty, fault_server):
    address = reverse("groups:create", args=[faulty.key])
    form = form_with(browser.get(address).content.decode(), "name")
    with impatient_database("mirror_mirroredgroup") as lock:

        def choose(request):
            if request.method == "POST":
                lock.take()
            return answer(201, {"id": "g1", "name": "Late", "total_members": 0})

        fault_server.always(depending(choose))
        refused = browser.post(address, form.values | {"name": "Late"})
    assert refused.status_code == 503
    said = text_of(refused.content.decode())
    assert "was already sent to the conferencing service" in said
    assert NOT_SENT not in said
    assert len([one for one in fault_server.requests if one.method == "POST"]) == 1
    assert AuditEntry.objects.filter(operation="groups.create", outcome=Outcome.BEGUN).count() == 1
    # The same form, sent again, finds what came of it.
    fault_server.always(answer(200, {"groups": [{"id": "g1", "name": "Late"}]}))
    again = browser.post(address, form.values | {"name": "Late"})
    assert len([one for one in fault_server.requests if one.method == "POST"]) == 1
    assert again.status_code == 303
    assert "/g1/" in again["Location"]


@pytest.mark.django_db
@pytest.mark.parametrize("words", TROUBLES)
def test_database_that_cannot_write_says_why(browser, connection, sandbox, words):
    address, name = reverse("groups:create", args=[connection.key]), f"Full {token_hex(6)}"
    form = form_with(browser.get(address).content.decode(), "name")
    with failing_writes(words):
        refused = browser.post(address, form.values | {"name": name})
        list_page = browser.get(reverse("groups:list", args=[connection.key]))
    assert refused.status_code == 503
    said = text_of(refused.content.decode())
    assert TROUBLES[words] in said
    assert NOT_SENT in said
    assert words not in said
    assert name not in _names(sandbox)
    assert list_page.status_code in {200, 503}
    if list_page.status_code == 503:
        assert "Try again" in text_of(list_page.content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["redis", "files"])
def test_without_its_cache_the_portal_goes_on(browser, connection, sandbox, settings, kind):
    without_cache(settings, kind)
    assert browser.get(reverse("people:list", args=[connection.key])).status_code == 200
    address, name = reverse("groups:create", args=[connection.key]), f"Cacheless {token_hex(6)}"
    form = form_with(browser.get(address).content.decode(), "name")
    done = browser.post(address, form.values | {"name": name}, follow=True)
    assert f"{name} was created." in text_of(done.content.decode())
    assert name in _names(sandbox)


@pytest.mark.django_db
def test_nobody_signs_in_while_guesses_cannot_be_counted(administrator, settings):
    without_cache(settings, "redis")
    client = Client(raise_request_exception=False)
    data = {"login": administrator.email, "password": PASSWORD}
    refused = client.post(reverse("account_login"), data)
    assert refused.status_code == 503
    assert "The Switchboard cache is not responding" in text_of(refused.content.decode())
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db(transaction=True)
def test_read_only_database_is_told_at_sign_in_and_not_ready(administrator):
    client = Client(raise_request_exception=False)
    data = {"login": administrator.email, "password": PASSWORD}
    with database_that_takes_nothing():
        refused = client.post(reverse("account_login"), data)
        ready = client.get("/readyz")
    assert refused.status_code == 503
    assert "The database is read-only." in text_of(refused.content.decode())
    assert (ready.status_code, ready.json()["database"]) == (503, "read-only")
    assert client.get("/readyz").json()["database"] == "ok"
