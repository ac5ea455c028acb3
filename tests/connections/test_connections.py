"""Connections: tried before they are stored, errors at their fields, and one's own alone."""

import socket
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.messages import get_messages
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.audit.reading import lines
from portal.connections.rate_limits import rate_limiter_of
from portal.connections.services import connections
from portal.connections.services.trial import ServiceAccount
from portal.contract.model import MASK
from tests.support.database_faults import unwritable_entries
from tests.support.fault_server import (
    answer,
    depending,
    garbage,
    no_answer,
    redirect,
    reset,
    silence,
    throttled,
)
from tests.support.html import text_of
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db
NEW = "connections:new"


@pytest.fixture
def own(administrator):
    """A client of the administrator."""
    return admin_client_for(administrator)


def typed(sandbox, **other):
    data = {"name": "Main", "base_url": sandbox.url, "token": sandbox.token, "colour": "teal"}
    return data | other


def said(response):
    return " ".join(str(message) for message in get_messages(response.wsgi_request))


def errors(response):
    return {name: list(texts) for name, texts in response.context["form"].errors.items()}


def test_a_connection_that_works_is_kept_and_its_answer_shown(own, sandbox):
    response = own.post(reverse(NEW), typed(sandbox, base_url=f" {sandbox.url}/ "))
    connection = Connection.objects.get()
    assert response.status_code == 302
    assert connection.base_url == sandbox.url
    assert connection.token.value == sandbox.token
    assert connection.token_hint == sandbox.token[-4:]
    assert connection.colour == "teal"
    assert "people; the service responded in" in said(response)


@pytest.mark.whole_pages
def test_the_way_in_leads_to_the_new_connection(own, sandbox):
    assert b"Add connection" in own.get("/").content
    own.post(reverse(NEW), typed(sandbox))
    key = Connection.objects.get().key
    home = own.get("/")
    assert b">Home</h1>" in home.content
    assert reverse("people:list", args=[key]).encode() in home.content


def test_token_that_service_refuses_is_error_at_token(own, sandbox):
    response = own.post(reverse(NEW), typed(sandbox, token="wrong"))
    assert response.status_code == 422
    assert list(errors(response)) == ["token"]
    assert "does not accept this token" in errors(response)["token"][0]
    assert "may have expired" in errors(response)["token"][0]
    assert 'hx-preserve="true"' in str(response.context["form"]["token"])
    bare = own.post(reverse(NEW), typed(sandbox, base_url=sandbox.url.removesuffix("/v2")))
    assert f"mostly end in a version: {sandbox.url}." in errors(bare)["base_url"][0]
    assert not Connection.objects.exists()


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (answer(404, {"message": "?"}), ("base_url", "No conferencing service found")),
        (answer(200, body=b"<html>"), ("base_url", "No conferencing service found")),
        (garbage(), ("base_url", "cannot be reached")),
        (reset(), ("base_url", "cannot be reached")),
        (no_answer(), ("base_url", "cannot be reached")),
        (silence(), ("base_url", "cannot be reached")),
        (redirect("http://127.0.0.1:1/"), ("base_url", "No conferencing service found")),
        (answer(403, {"message": "Not yours."}), ("token", "Not yours.")),
        (throttled("1"), ("__all__", "busy")),
        (answer(503), ("__all__", "HTTP 503")),
    ],
)
def test_faulty_answer_of_service_is_shown_at_its_field(
    behaviour, expected, own, fault_server, settings
):
    settings.API_TIMEOUT = 0.5
    fault_server.always(behaviour)
    field, words = expected
    values = {"name": "Main", "base_url": fault_server.url, "token": "some-token", "colour": "blue"}
    response = own.post(reverse(NEW), values)
    assert response.status_code == 422
    assert list(errors(response)) == [field]
    assert words in errors(response)[field][0]
    assert response.context["form"]["name"].value() == "Main"
    assert len(fault_server.requests) <= 1


def test_a_port_where_nobody_listens_is_an_error_at_the_address(own, sandbox):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    response = own.post(reverse(NEW), typed(sandbox, base_url=f"http://127.0.0.1:{port}/v2"))
    assert list(errors(response)) == ["base_url"]


@pytest.mark.parametrize(
    "address",
    [
        "http://api.example.com/v2",
        "ftp://api.example.com/v2",
        "https://",
        "https://user:secret@api.example.com/v2",
        "https://api.example.com/v2?a=b",
        "https://10.0.0.5/v2",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:10.0.0.5]/v2",
        "https://[fe80::1]/v2",
        "https://[fd00::1]/v2",
        "https://127.0.0.1/v2",
        "https://localhost/v2",
        "https://0x7f000001/v2",
        "https://no-such-host.invalid/v2",
    ],
)
def test_forbidden_address_is_refused_before_it_is_called(address, own, sandbox, settings):
    settings.ALLOWED_API_HOSTS = []
    response = own.post(reverse(NEW), typed(sandbox, base_url=address))
    assert list(errors(response)) == ["base_url"]
    if "10.0.0.5" in address or address.startswith("http:"):
        assert "allow the host by ALLOWED_API_HOSTS" in errors(response)["base_url"][0]
    assert not Connection.objects.exists()


def test_a_host_that_is_no_longer_allowed_is_not_called(connection, settings):
    settings.ALLOWED_API_HOSTS = []
    client = admin_client_for(connection.owner)
    response = client.post(reverse("connections:test", args=[connection.key]))
    assert "internal" in said(response) or "https" in said(response)


@pytest.mark.parametrize("token", ["with space", "tab\there", "ümlaut", "x" * 4001, ""])
def test_what_is_no_token_is_not_tried(token, own, fault_server):
    data = {"name": "Main", "base_url": fault_server.url, "token": token, "colour": "blue"}
    assert list(errors(own.post(reverse(NEW), data))) == ["token"]
    assert fault_server.requests == []


def test_a_name_is_used_once(own, sandbox, connection):
    response = own.post(reverse(NEW), typed(sandbox, name=connection.name))
    assert list(errors(response)) == ["name"]


def test_two_admins_may_use_the_same_name(connect, administrator, operator):
    assert connect(administrator).key != connect(operator).key


def test_empty_token_keeps_stored_one_and_needs_no_service(own, faulty, fault_server):
    url = reverse("connections:connection", args=[faulty.key])
    data = {"name": "Renamed", "base_url": faulty.base_url, "colour": "red", "read_only": "on"}
    assert own.post(url, data | {"token": ""}).status_code == 302
    token = faulty.token.value
    faulty.refresh_from_db()
    assert (faulty.name, faulty.read_only, faulty.token.value) == ("Renamed", True, token)
    assert fault_server.requests == []


def test_a_stored_token_is_not_sent_to_another_address(own, connection, fault_server):
    url = reverse("connections:connection", args=[connection.key])
    data = {"name": "Sandbox", "base_url": fault_server.url, "colour": "red", "token": ""}
    response = own.post(url, data)
    assert list(errors(response)) == ["token"]
    assert fault_server.requests == []


def test_an_address_is_stored_in_its_one_spelling(own, sandbox, connection):
    spelled = sandbox.url.replace("/v2", "/./%762/")
    own.post(reverse(NEW), typed(sandbox, name="Spelled", base_url=spelled))
    assert Connection.objects.get(name="Spelled").base_url == sandbox.url
    # The stored token is good for it: the address is the same.
    url = reverse("connections:connection", args=[connection.key])
    data = {"name": "Sandbox", "base_url": spelled, "colour": "red", "token": ""}
    assert own.post(url, data).status_code == 302


def test_stored_addresses_are_normalized_by_migration(connection):
    spelled = connection.base_url.replace("/v2", "/%762/.")
    Connection.objects.update(base_url=spelled)
    migration = import_module("portal.access.migrations.0011_base_urls_in_one_spelling")
    migration.normalize(apps, None)
    assert Connection.objects.get().base_url == connection.base_url


def test_a_connection_stays_with_its_account(own, connection, sandbox):
    Connection.objects.update(account_id="another")
    url = reverse("connections:connection", args=[connection.key])
    assert "another account" in errors(own.post(url, typed(sandbox)))["token"][0]
    Connection.objects.update(account_id="")
    assert own.post(url, typed(sandbox)).status_code == 302
    reported = Connection.objects.get().account_id
    assert reported
    # An answer that does not say which account it is takes nothing back.
    stored = Connection.objects.get()
    connections.save(Origin(stored.owner), stored, None, ServiceAccount())
    assert Connection.objects.get().account_id == reported
    stored.base_url = "https://elsewhere.example/v2"
    connections.save(Origin(stored.owner), stored, "token", ServiceAccount())
    assert Connection.objects.get().account_id == ""


def test_connections_to_one_account_have_one_pace(connect, administrator):
    one, other = connect(administrator, "One"), connect(administrator, "Other")
    assert rate_limiter_of(one) is not rate_limiter_of(other)
    Connection.objects.update(account_id="acc-1")
    one.refresh_from_db()
    other = Connection(account_id="acc-1", base_url=one.base_url.replace("/v2", "/%762/"))
    assert rate_limiter_of(one) is rate_limiter_of(other)


def test_a_connection_reports_how_the_service_is(own, faulty, fault_server):
    url = reverse("connections:test", args=[faulty.key])
    assert faulty.health == "unknown"
    for behaviour, health in (
        (answer(200, {"users": [], "total_records": 1}), "reachable"),
        (throttled("1"), "throttled"),
        (answer(503), "down"),
        (answer(401), "reachable"),
    ):
        fault_server.always(behaviour)
        own.post(url)
        assert faulty.health == health


def test_test_now_reports_the_answer(own, connection):
    response = own.post(reverse("connections:test", args=[connection.key]))
    assert "Sandbox: " in said(response)
    assert "people; the service responded in" in said(response)


def test_removing_a_connection_forgets_its_token(own, connection):
    url = reverse("connections:remove", args=[connection.key])
    assert b"deletes this token" in own.get(url).content
    assert Connection.objects.exists()
    own.post(url)
    assert not Connection.objects.exists()


def test_changes_of_a_connection_are_recorded_without_its_token(own, sandbox, administrator):
    own.post(reverse(NEW), typed(sandbox))
    key = Connection.objects.get().key
    url = reverse("connections:connection", args=[key])
    own.post(url, typed(sandbox, name="Other"))
    own.post(url, typed(sandbox, name="Other", token=""))
    own.post(reverse("connections:remove", args=[key]))
    removed, changed, created = lines().filter(operation__startswith="connection.")
    assert created.sent == {
        "name": "Main",
        "base_url": sandbox.url,
        "way": "query",
        "dialect": "",
        "read_only": False,
        "colour": "teal",
        "token": MASK,
    }
    assert (changed.before, changed.sent) == ({"name": "Main"}, {"name": "Other", "token": MASK})
    assert removed.before["name"] == "Other"
    for entry in (created, changed, removed):
        assert (entry.actor, entry.object_id, entry.connection_key) == (administrator, key, key)
        assert entry.request_id
        assert entry.ip == "127.0.0.1"


def test_without_an_entry_nothing_changes(own, connection, administrator):
    own.raise_request_exception = False
    url = reverse("connections:connection", args=[connection.key])
    data = {"name": "Renamed", "base_url": connection.base_url, "colour": "red", "token": ""}
    new = {"oldpassword": PASSWORD, "password1": "battery staple", "password2": "battery staple"}
    with unwritable_entries():
        answers = [
            own.post(url, data),
            own.post(reverse("connections:remove", args=[connection.key])),
            own.post(reverse("team:invite"), {"email": "a@example.com", "role": "viewer"}),
            own.post(reverse("account_change_password"), new),
        ]
    assert [answer.status_code for answer in answers] == [503] * 4
    assert Connection.objects.get().name == "Sandbox"
    assert User.objects.get().check_password(PASSWORD)


def master_account(seen):
    """A service that reports who owns the account of its token, and the account's plan."""
    page = {"page_count": 1, "page_number": 1, "page_size": 1, "total_records": 1}
    data = {
        "/v2/users": {**page, "users": [{"id": "u1"}]},
        "/v2/users/u1": {"id": "u1", "account_id": "a1"},
        "/v2/users/u2": {"id": "u2", "first_name": "Ada", "last_name": "Lovelace"},
        "/v2/accounts/a1": {"id": "a1", "owner_id": "u2", "owner_email": "ada@example.com"},
        "/v2/accounts/a1/plans": {"plan_base": {"type": "Business", "hosts": 12}},
    }
    return answer(200, data[seen.path])


@pytest.mark.whole_pages
def test_connection_names_its_account_wherever_it_is_chosen(own, fault_server):
    fault_server.always(depending(master_account))
    values = {"name": "Main", "base_url": fault_server.url, "token": "some-token", "colour": "blue"}
    assert own.post(reverse(NEW), values).status_code == 302
    Connection.objects.update(people=1312)
    key = Connection.objects.get().key
    words = "Ada Lovelace, Business plan, 1,312 people"
    listed = text_of(own.get(reverse("connections:list")).text)
    assert words in listed
    assert words in text_of(own.get(reverse("accounts-switch")).text)
    assert "ID a1" in listed
    one = text_of(own.get(reverse("connections:connection", args=[key])).text)
    assert words in one
    assert "Account ID a1" in one


def test_what_is_known_of_an_account_is_learned_anew_by_a_test(own, connection, sandbox):
    assert connection.account == connection.account_id == ""
    own.post(reverse("connections:test", args=[connection.key]))
    connection.refresh_from_db()
    user = sandbox.people()[0]
    data = sandbox.client.get(f"/users/{user['id']}").json()
    assert connection.account_id == data["account_id"]


def test_owners_and_plans_are_asked_for_only_if_allowed(operator, fault_server):
    fault_server.always(depending(master_account))
    values = {"name": "Main", "base_url": fault_server.url, "token": "some-token", "colour": "blue"}
    admin_client_for(operator).post(reverse(NEW), values)
    connection = Connection.objects.get()
    assert (connection.account_id, connection.account) == ("a1", "")
    assert not [seen.path for seen in fault_server.requests if "/accounts/" in seen.path]


def test_another_address_forgets_how_many_people_there_are(own, connection, sandbox, fault_server):
    Connection.objects.update(people=1312)
    url = reverse("connections:connection", args=[connection.key])
    own.post(url, typed(sandbox, name="Other", token=""))
    assert Connection.objects.get().people == 1312
    fault_server.always(depending(master_account))
    own.post(url, typed(sandbox, base_url=fault_server.url))
    assert Connection.objects.get().people is None


def test_dialect_is_chosen_and_used(own, sandbox, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "dialects"
    folder.mkdir()
    (folder / "own.toml").write_text('title = "Ours"\n[paths]\n"/groups" = "/nowhere"\n')
    (folder / "broken.toml").write_text("= nonsense")
    page = own.get(reverse(NEW)).text
    assert "Ours" in page
    assert "broken" not in page
    own.post(reverse(NEW), typed(sandbox, dialect="own"))
    connection = Connection.objects.get()
    assert connection.target().dialect.paths == {"/groups": "/nowhere"}
