"""Connections that sign in by a bearer token, or by one that is renewed."""

import json
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs

import pytest
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from portal.access import availability
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, ServiceToken, Way
from portal.audit.models import AuditEntry
from portal.client import ClientCredentials, NotAvailable, Secret, Unauthorized, Unreachable
from portal.connections.api import api_for
from portal.connections.connection_form import ConnectionForm
from portal.connections.rate_limits import rate_limiter_of
from portal.connections.services import connections
from portal.connections.services.checking import check_now
from portal.connections.services.keys import rotate
from portal.ui.error_messages import explain
from tests.support.fault_server import Behaviour, Seen, answer, depending

pytestmark = pytest.mark.django_db
SECRET = "client-secret-5be1c07f92"
USER = {"id": "u1", "email": "a@example.com", "type": 1}
PEOPLE = {"page_count": 1, "page_number": 1, "page_size": 1, "total_records": 1, "users": [USER]}


class Service:
    """Issues tokens one after another, each of which ends the one before."""

    def __init__(self) -> None:
        self.issued: list[str] = []
        self.asked: list[Seen] = []
        self.lifetime: Any = 3600
        self.refuses = False
        self.with_scope = 0  # the first token that has the scope

    def behave(self, seen: Seen) -> Behaviour:
        if "/oauth/token" in seen.path:
            self.asked.append(seen)
            if self.refuses:
                return answer(400, {"error": "invalid_client", "reason": f"No {SECRET} here"})
            self.issued.append(f"issued-token-number-{len(self.issued)}-abcdef")
            document = {"access_token": self.issued[-1], "expires_in": self.lifetime}
            return answer(
                200, document | {"scope": "b:read a:read", "api_url": "https://eu.example"}
            )
        if not self.issued or seen.headers.get("authorization") != f"Bearer {self.issued[-1]}":
            return answer(401, {"code": 124, "message": "Invalid access token."})
        if len(self.issued) <= self.with_scope:
            words = "Invalid access token, does not contain scopes:[user:read:list_users:admin]."
            return answer(400, {"code": 4711, "message": words})
        return answer(200, PEOPLE)


@pytest.fixture
def service(fault_server):
    made = Service()
    fault_server.always(depending(made.behave))
    return made


@pytest.fixture
def renewing(service, fault_server, administrator):
    made = Connection(owner=administrator, name="Real", base_url=fault_server.url, way=Way.RENEWING)
    client = ClientCredentials(f"{fault_server.url}/oauth/token", "id1", Secret(SECRET), "A1")
    connections.save(Origin(administrator), made, SECRET, client=client)
    return made


def api(connection):
    scope = scope_of(connection.owner, connection)
    return api_for(scope)


def typed(fault_server, **other):
    return {
        "name": "Real",
        "base_url": fault_server.url,
        "colour": "teal",
        "way": "renewing",
        "token_url": f"{fault_server.url}/oauth/token",
        "client_account": "A1",
        "client_id": "id1",
        "token": SECRET,
        "extra": "audience=api",
    } | other


def test_renewing_connection_is_tested_and_kept_sealed(service, fault_server, client, caplog):
    caplog.set_level("DEBUG")
    assert client.post(reverse("connections:new"), typed(fault_server)).status_code == 302

    connection, row = Connection.objects.get(), ServiceToken.objects.get()
    [asked] = service.asked
    form = {name: value[0] for name, value in parse_qs(asked.body.decode()).items()}
    grant = {"grant_type": "account_credentials", "account_id": "A1", "audience": "api"}
    assert form == grant
    assert (row.scopes, row.lifetime) == (["a:read", "b:read"], 3600)
    stored = f"{vars(connection)} {vars(row)} {list(AuditEntry.objects.values())}"
    page = client.get(reverse("connections:connection", args=[connection.key])).content.decode()
    for secret in (SECRET, service.issued[0]):
        assert secret not in stored
        assert secret not in page
        assert secret not in caplog.text
    assert "users.list" in caplog.text
    assert "/oauth/token" not in stored + caplog.text
    assert "https://eu.example" in page
    assert "<code>a:read</code> <code>b:read</code>" in page
    assert api(connection).users.list().total_records == 1
    assert len(service.issued) == 1


def test_form_says_where_the_three_values_are(client):
    page = client.get(reverse("connections:new")).content.decode()
    assert all(label in page for label in ("Account ID", "Client ID", "Client secret"))
    assert "Manage, your server-to-server OAuth app, App credentials" in page


def test_refused_secret_stands_at_its_field_without_the_secret(service, fault_server, client):
    service.refuses = True
    response = client.post(reverse("connections:new"), typed(fault_server))
    assert response.status_code == 422
    assert "token" in response.context["form"].errors
    assert SECRET not in response.content.decode()
    assert "audience=api" in response.content.decode()


@pytest.mark.parametrize("url", ["https://169.254.169.254/token", "http://public.example/token"])
def test_token_url_is_under_the_address_policy(service, fault_server, client, url):
    data = typed(fault_server, token_url=url)
    response = client.post(reverse("connections:new"), data)
    assert "token_url" in response.context["form"].errors
    assert not service.asked


def test_bearer_connection_sends_the_token_in_the_header_alone(service, fault_server, client):
    service.issued.append("a-token-that-does-not-end")
    data = typed(fault_server, way="bearer", token=service.issued[0])
    assert client.post(reverse("connections:new"), data).status_code == 302
    assert all("access_token" not in seen.target for seen in fault_server.requests)


def test_new_way_needs_the_token_again(renewing, client):
    data = {"name": "Real", "base_url": renewing.base_url, "colour": "teal", "way": "bearer"}
    response = client.post(reverse("connections:connection", args=[renewing.key]), data)
    assert "token" in response.context["form"].errors


def test_way_is_changed_later_and_the_new_one_is_used(renewing, service, client, fault_server):
    page = reverse("connections:connection", args=[renewing.key])
    api(renewing).users.list()
    service.issued.append("a-token-that-does-not-end")
    data = typed(fault_server, way="bearer", token=service.issued[-1])
    assert client.post(page, data).status_code == 302
    changed = Connection.objects.get()
    assert (changed.way, ServiceToken.objects.count()) == (Way.BEARER, 0)
    assert api(changed).users.list().total_records == 1
    assert len(service.asked) == 1

    assert client.post(page, typed(fault_server, client_account="")).status_code == 302
    assert api(Connection.objects.get()).users.list().total_records == 1
    assert len(service.asked) == 2
    sent = parse_qs(service.asked[-1].body.decode())
    assert sent == {"grant_type": ["client_credentials"], "audience": ["api"]}


def test_token_is_renewed_before_its_end_and_after_a_401(renewing, service):
    api(renewing).users.list()
    api(renewing).users.list()
    assert len(service.issued) == 1

    early = timezone.now() - timedelta(seconds=3400)
    ServiceToken.objects.update(received_at=early)
    api(renewing).users.list()
    assert len(service.issued) == 2

    service.issued.append("a token of another program")
    ServiceToken.objects.update(received_at=timezone.now() - timedelta(seconds=2000))
    api(renewing).users.list()
    assert len(service.asked) == 3


def test_token_of_another_process_is_taken_after_a_401(renewing, service):
    first, second = api(renewing), api(renewing)
    first.users.list()
    second.users.list()
    ServiceToken.objects.update(received_at=timezone.now() - timedelta(seconds=3400))
    api(renewing).users.list()

    assert first.users.list().total_records == second.users.list().total_records == 1
    assert len(service.asked) == 2


def test_young_token_that_was_ended_elsewhere_is_renewed(renewing, service):
    calls = api(renewing)
    calls.users.list()
    received_at = timezone.now() - timedelta(seconds=15)
    ServiceToken.objects.update(received_at=received_at)
    service.issued.append("ended elsewhere")
    calls.users.list()
    assert len(service.asked) == 2


def received(seconds_ago):
    received_at = timezone.now() - timedelta(seconds=seconds_ago)
    ServiceToken.objects.update(received_at=received_at)


def test_token_ended_elsewhere_at_once_is_renewed_once_more(renewing, service):
    calls = api(renewing)
    calls.users.list()
    received(3)
    service.issued.append("ended elsewhere")
    calls.users.list()
    assert len(service.asked) == 2

    received(3)
    service.issued.append("ended elsewhere again")
    with pytest.raises(Unauthorized):
        calls.users.list()
    assert len(service.asked) == 2


def test_repeat_after_a_401_passes_the_rate_limiter(renewing, service):
    calls = api(renewing)
    calls.users.list()
    received(20)
    service.issued.append("ended elsewhere")
    limiter = rate_limiter_of(renewing)
    with patch.object(limiter, "acquire", wraps=limiter.acquire) as acquired:
        calls.users.list()
    assert acquired.call_count == 2


def test_token_of_a_trial_is_leased_until_it_is_stored(renewing, service, fault_server):
    calls = api(renewing)
    calls.users.list()
    before = timezone.now()
    form = ConnectionForm(typed(fault_server), instance=renewing)
    assert form.is_valid()
    assert form.first
    assert ServiceToken.objects.get().lease == form.first.lease != ""

    new = {"client": form.client, "first": form.first}
    connections.save(Origin(renewing.owner), renewing, SECRET, **new)
    row = ServiceToken.objects.get()
    assert (row.lease, row.token) == ("", Secret(service.issued[-1]))
    assert row.received_at
    assert before <= row.received_at <= form.first.asked_at
    calls.users.list()
    assert len(service.asked) == 2


def test_trial_that_fails_gives_its_lease_back(renewing, service, client, fault_server):
    calls = api(renewing)
    calls.users.list()
    page = reverse("connections:connection", args=[renewing.key])
    fault_server.always(
        depending(lambda seen: service.behave(seen) if seen.method == "POST" else answer(500, {}))
    )
    assert client.post(page, typed(fault_server)).status_code == 422
    assert ServiceToken.objects.get().lease == ""


def test_failure_of_renewal_is_shown_in_the_readers_language(renewing, fault_server):
    fault_server.always(answer(503, {}))
    with translation.override("de"), pytest.raises(Unreachable):
        api(renewing).users.list()
    row = ServiceToken.objects.get()
    assert row.failure == "The token URL failed (HTTP 503)."
    with translation.override("de"):
        assert row.failure_in_words == gettext("The token URL failed (HTTP %(status)s).") % {
            "status": "503"
        }
        assert row.failure_in_words != row.failure


def test_lease_of_a_dead_process_is_waited_for(renewing, service, settings):
    settings.API_TIMEOUT = 1.0
    until = timezone.now() + timedelta(seconds=0.3)
    ServiceToken.objects.create(connection=renewing, lease="dead", lease_until=until)
    api(renewing).users.list()
    assert timezone.now() >= until
    assert len(service.asked) == 1


def test_failed_renewal_is_said_until_new_credentials(renewing, service, client, fault_server):
    service.refuses = True
    for _again in range(2):
        with pytest.raises(Unauthorized) as refused:
            api(renewing).users.list()
        assert refused.value.is_sign_in
        assert SECRET not in str(refused.value)
    assert len(service.asked) == 1
    assert renewing.health == "signed_out"
    assert "could not be renewed" in client.get(reverse("home")).content.decode()

    service.refuses = False
    page = reverse("connections:connection", args=[renewing.key])
    assert client.post(page, typed(fault_server)).status_code == 302
    api(renewing).users.list()
    assert "could not be renewed" not in client.get(page).content.decode()


def test_valid_token_is_used_while_its_renewal_fails(renewing, service):
    api(renewing).users.list()
    service.refuses = True
    ServiceToken.objects.update(received_at=timezone.now() - timedelta(seconds=3400))
    assert api(renewing).users.list().total_records == 1
    assert ServiceToken.objects.get().failure


def test_token_that_is_over_is_a_failure_with_a_pause(renewing, service, client, fault_server):
    service.lifetime = 0.001
    with pytest.raises(Unreachable):
        api(renewing).users.list()
    page = client.get(reverse("people:person", args=[renewing.key, "u1"]))
    assert page.status_code == 502
    assert len(service.asked) == 1
    refused = client.post(reverse("connections:new"), typed(fault_server, name="Other"))
    assert "already ended when it came" in refused.text


def test_short_token_is_renewed_once_for_a_call(renewing, service):
    service.lifetime = 1.5
    assert api(renewing).users.list().total_records == 1
    assert len(service.asked) == 1


def test_token_url_that_is_down_may_be_back_later(renewing, fault_server):
    fault_server.always(answer(503, {}))
    with pytest.raises(Unreachable) as down:
        api(renewing).users.list()
    assert down.value.reason == "connect"


def test_keys_rotate_for_client_and_issued_token(renewing, service):
    api(renewing).users.list()
    before = Connection.objects.get().sealed_client, ServiceToken.objects.get().sealed
    assert all(before)
    assert rotate().rotated >= 3
    assert json.dumps(renewing.credentials.form())


def an_hour_passes():
    ServiceToken.objects.update(received_at=timezone.now() - timedelta(minutes=50))


def test_scope_that_was_added_is_seen_at_the_first_refusal(renewing, service):
    service.with_scope = 1
    with pytest.raises(NotAvailable) as refused:
        api(renewing).users.list()
    assert len(service.issued) == 1
    assert "Switchboard gets a new token by itself" in explain(refused.value).text
    an_hour_passes()
    availability.forget(renewing.key)
    assert api(renewing).users.list().users
    assert len(service.issued) == 2


@pytest.mark.parametrize("look", [connections.try_now, check_now])
def test_scope_that_was_added_is_seen_by_whoever_looks(renewing, service, look):
    service.with_scope = 1
    with pytest.raises(NotAvailable):
        api(renewing).users.list()
    an_hour_passes()
    look(renewing)
    assert len(service.issued) == 2
    assert not availability.out_of_reach(renewing.key)


def test_new_token_that_cannot_be_had_leaves_the_one_before(renewing, service):
    assert api(renewing).users.list().users
    an_hour_passes()
    service.refuses = True
    assert connections.try_now(renewing).passed
