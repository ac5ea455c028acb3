"""Creating a person: each way in, what is checked, and that one form makes one person."""

from secrets import token_hex

import pytest
from django.urls import reverse

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.contract.users import CreateAction, LicenceType
from portal.directory.models import MirroredUser
from portal.ui import idempotency
from portal.ui.models import SentForm
from tests.support.fault_server import (
    answer,
    depending,
    no_answer,
    reset,
    throttled,
)
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for, after_the_wait

pytestmark = pytest.mark.django_db

PASSWORD = "long enough for anyone"


def _url(connection, name="create", **query):
    return reverse(f"people:{name}", args=[connection.key], query=query or None)


def _filled_in(client, connection, **more):
    form = form_with(client.get(_url(connection)).content.decode(), "idempotency_key")
    form.values |= {
        "action": "custCreate",
        "user_info.email": f"{token_hex(6)}@brightwater.example",
        "user_info.first_name": "Grace",
        "user_info.last_name": "Hopper",
        "user_info.type": "2",
        **{name.replace("__", "."): value for name, value in more.items()},
    }
    return form


def _on_account(sandbox, email):
    return [user["email"] for user in sandbox.people("active", "pending")].count(email)


def test_every_way_in_and_every_licence_is_explained(client, connection):
    said = text_of(client.get(_url(connection)).content.decode())
    for choice in [*CreateAction, *LicenceType]:
        assert choice.label in said
        assert choice.explanation in said


@pytest.mark.parametrize("action", list(CreateAction))
def test_a_person_is_created_and_their_page_opens(client, connection, sandbox, action):
    form = _filled_in(client, connection, action=action.value)
    if action is CreateAction.AUTO_CREATE:
        form.values["user_info.password"] = PASSWORD
    answered = client.post(_url(connection), form.values)
    email = form.values["user_info.email"]
    created = sandbox.client.get(f"/users/{email}").json()
    assert answered.headers["Location"] == reverse(
        "people:person", args=[connection.key, created["id"]]
    )
    assert (created["first_name"], created["type"]) == ("Grace", 2)
    row = MirroredUser.objects.get(connection=connection, email=email)
    assert row.status == ("pending" if action is CreateAction.CREATE else "active")
    assert "Grace Hopper was created" in text_of(
        client.get(answered.headers["Location"]).content.decode()
    )


def test_creating_another_keeps_the_way_in_and_the_licence(client, connection):
    form = _filled_in(client, connection, action="ssoCreate", user_info__type="3")
    answered = client.post(_url(connection), form.values | {"another": "yes"}, follow=True)
    html = answered.content.decode()
    again = form_with(html, "idempotency_key").values
    assert "Grace Hopper was created" in text_of(html)
    assert (again["action"], again["user_info.type"]) == ("ssoCreate", "3")
    assert again["user_info.email"] == ""
    assert again["idempotency_key"] != form.values["idempotency_key"]


def test_password_with_other_way_in_is_error_that_keeps_input(client, connection, sandbox):
    form = _filled_in(client, connection, user_info__password=PASSWORD)
    answered = client.post(_url(connection), form.values)
    html = answered.content.decode()
    kept = form_with(html, "idempotency_key").values
    assert answered.status_code == 422
    assert "takes a password" in text_of(html)
    for name in ("action", "user_info.email", "user_info.first_name", "user_info.type"):
        assert kept[name] == form.values[name]
    assert PASSWORD not in html
    assert _on_account(sandbox, form.values["user_info.email"]) == 0


def test_creating_with_a_password_asks_for_one(client, connection):
    form = _filled_in(client, connection, action="autoCreate")
    answered = client.post(_url(connection), form.values)
    assert answered.status_code == 422
    assert "Set the password" in text_of(answered.content.decode())


def test_a_password_goes_only_where_it_belongs_and_nowhere_else(client, connection):
    form = _filled_in(client, connection, action="autoCreate", user_info__password=PASSWORD)
    client.post(_url(connection), form.values)
    entry = AuditEntry.objects.get(operation="users.create", outcome="begun")
    assert PASSWORD not in str(entry.sent)
    assert entry.sent["user_info"]["password"]
    other = _filled_in(client, connection, user_info__password="")
    client.post(_url(connection), other.values)
    entry = AuditEntry.objects.filter(operation="users.create", outcome="begun").latest("sequence")
    assert "password" not in entry.sent["user_info"]


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("user_info.email", "", "required"),
        ("user_info.email", "nobody", "not an email address"),
        ("user_info.first_name", "x" * 65, "at most 64"),
        ("user_info.last_name", "一二三四五六", "5 Chinese"),
        ("user_info.type", "7", "Choose one of"),
        ("action", "", "required"),
    ],
)
def test_what_breaks_a_limit_is_said_at_its_field(client, connection, field, typed, said):
    form = _filled_in(client, connection)
    answered = client.post(_url(connection), form.values | {field: typed})
    assert answered.status_code == 422
    assert said in text_of(answered.content.decode())
    assert not AuditEntry.objects.filter(operation="users.create").exists()


def test_a_taken_address_leads_to_the_person_who_has_it(client, connection, person):
    form = _filled_in(client, connection, user_info__email=person.email)
    answered = client.post(_url(connection), form.values)
    html = answered.content.decode()
    assert answered.status_code == 422
    assert reverse("people:person", args=[connection.key, person.id]) in html
    assert form_with(html, "idempotency_key").values["user_info.first_name"] == "Grace"


def test_after_taken_address_corrected_form_creates_person(client, connection, person, sandbox):
    form = _filled_in(client, connection)
    free = form.values["user_info.email"]
    refused = client.post(_url(connection), form.values | {"user_info.email": person.email})
    again = form_with(refused.content.decode(), "idempotency_key").values
    client.post(_url(connection), again | {"user_info.email": free})
    assert _on_account(sandbox, free) == 1


def test_whether_an_address_is_free_is_said_while_it_is_typed(client, connection, person):
    headers = {"HX-Request": "true", "HX-Target": "email-availability"}

    def ask(email):
        url = _url(connection, "create-email-check", **{"user_info.email": email})
        return client.get(url, headers=headers).content.decode()

    assert "Free" in text_of(ask("nobody-at-all@brightwater.example"))
    taken = ask(person.email.upper())
    assert "Taken" in text_of(taken)
    assert person.id in taken
    assert not text_of(ask("half"))


def test_a_form_that_is_sent_twice_creates_one_person(client, connection, sandbox):
    form = _filled_in(client, connection)
    first = client.post(_url(connection), form.values)
    second = client.post(_url(connection), form.values, follow=True)
    assert second.redirect_chain[0][0] == first.headers["Location"]
    assert "created by the first click" in text_of(second.content.decode())
    assert AuditEntry.objects.filter(operation="users.create", outcome="begun").count() == 1
    assert _on_account(sandbox, form.values["user_info.email"]) == 1


def test_a_form_that_is_still_being_sent_is_not_sent_again(
    client, connection, administrator, monkeypatch
):
    form = _filled_in(client, connection)
    SentForm.objects.create(user=administrator, ticket=form.values["idempotency_key"])
    monkeypatch.setattr(idempotency, "TIMEOUT", 0.0)
    html = client.post(_url(connection), form.values).content.decode()
    assert "being sent already" in text_of(html)
    assert "Check if they exist" in form_with(html, "idempotency_key").buttons
    assert not AuditEntry.objects.filter(operation="users.create").exists()


@pytest.fixture
def behind(connect, administrator, fault_server):
    """A connection to the fault server."""
    connection = connect(administrator, "Faulty")
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    connection.refresh_from_db()
    return connection


@pytest.mark.parametrize(
    "trouble",
    [no_answer(), answer(500), answer(502), answer(201, ["what?"])],
    ids=["hangs up", "500", "502", "an answer that makes no sense"],
)
def test_creation_without_outcome_is_looked_up_not_resent(client, behind, fault_server, trouble):
    form = _filled_in(client, behind)
    email = form.values["user_info.email"]
    fault_server.then(trouble)
    lost = client.post(_url(behind), form.values)
    html = lost.content.decode()
    page = form_with(html, "idempotency_key")
    assert lost.status_code == 422
    assert "may have been created" in text_of(html)
    assert "Add person" not in page.buttons
    assert page.values["user_info.email"] == email

    client.post(_url(behind), page.values)
    assert [seen.method for seen in fault_server.requests] == ["POST"]

    created = {"id": "u-9", "email": email, "first_name": "Grace", "last_name": "Hopper"}

    def service(seen):
        if seen.path.endswith("/users/email"):
            return answer(200, {"existed_email": True})
        return answer(200, created)

    fault_server.always(depending(service))
    look = page.buttons["Check if they exist"]["formaction"]
    found = client.post(look, page.values)
    assert found.headers["Location"] == reverse("people:person", args=[behind.key, "u-9"])
    assert MirroredUser.objects.filter(connection=behind, email=email).exists()


def test_a_creation_that_did_not_happen_can_be_sent_again(client, behind, fault_server):
    form = _filled_in(client, behind)
    fault_server.then(no_answer())
    page = form_with(client.post(_url(behind), form.values).content.decode(), "idempotency_key")
    look = page.buttons["Check if they exist"]["formaction"]

    fault_server.always(reset())
    still_open = form_with(client.post(look, page.values).content.decode(), "idempotency_key")
    assert "Add person" not in still_open.buttons

    fault_server.always(answer(200, {"existed_email": False}))
    html = client.post(look, page.values).content.decode()
    again = form_with(html, "idempotency_key")
    assert "nothing was created" in text_of(html)
    assert "Add person" in again.buttons
    assert again.values["user_info.email"] == form.values["user_info.email"]

    user = {"id": "u-1", "email": form.values["user_info.email"]}
    fault_server.always(depending(lambda seen: answer(201 if seen.method == "POST" else 200, user)))
    created = client.post(_url(behind), again.values)
    assert created.headers["Location"].endswith("/u-1/")


def test_address_taken_outside_account_is_said_at_its_field(client, behind, fault_server):
    form = _filled_in(client, behind)
    fault_server.then(no_answer())
    page = form_with(client.post(_url(behind), form.values).content.decode(), "idempotency_key")
    fault_server.then(answer(200, {"existed_email": True}), answer(404, {"message": "No user."}))
    look = page.buttons["Check if they exist"]["formaction"]
    html = client.post(look, page.values).content.decode()
    assert "outside this account" in text_of(html)
    assert "Add person" in form_with(html, "idempotency_key").buttons


def test_refusal_to_wait_leaves_form_ready_to_be_sent_again(client, behind, fault_server):
    form = _filled_in(client, behind)
    fault_server.always(throttled("60"))
    html = client.post(_url(behind), form.values).content.decode()
    page = form_with(html, "idempotency_key")
    assert "60 seconds" in text_of(html)
    assert "Add person" in page.buttons
    after_the_wait()
    user = {"id": "u-1", "email": form.values["user_info.email"]}
    fault_server.always(depending(lambda seen: answer(201 if seen.method == "POST" else 200, user)))
    assert client.post(_url(behind), page.values).status_code == 303


def test_person_not_yet_reported_by_service_is_created(client, behind, fault_server):
    form = _filled_in(client, behind)
    fault_server.then(answer(201, {"id": "u-1", "email": form.values["user_info.email"]}))
    fault_server.always(answer(500))
    created = client.post(_url(behind), form.values)
    assert created.headers["Location"].endswith("/u-1/")


def test_a_viewer_creates_nobody(connect, viewer):
    connection = connect(viewer)
    client = admin_client_for(viewer)
    assert client.get(_url(connection)).status_code == 403
    assert client.post(_url(connection), {"action": "create"}).status_code == 403
    assert client.post(_url(connection, "create-look"), {}).status_code == 403


def test_hostile_names_are_shown_as_text(client, connection, person):
    script = "<script>alert(1)</script>"
    form = _filled_in(client, connection, user_info__first_name=script)
    html = client.post(
        _url(connection), form.values | {"user_info.email": person.email}
    ).content.decode()
    assert script not in html
    assert form_with(html, "idempotency_key").values["user_info.first_name"] == script
