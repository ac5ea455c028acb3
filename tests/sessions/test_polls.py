"""Polls are listed, built question by question, changed as a whole and deleted."""

from typing import Any

import pytest
from django.test import Client

from portal.access.models import Connection, User
from portal.sessions.specs import SessionSpec
from tests.support.fault_server import FaultServer, answer
from tests.support.html import Form, form_with, text_of
from tests.support.people_pages import part
from tests.support.portal import Connect, admin_client_for
from tests.support.sandbox import Sandbox
from tests.support.session_made import Made
from tests.support.session_pages import url
from tests.support.sessions import MakeSession

pytestmark = pytest.mark.django_db

POLL = {
    "title": "Lunch",
    "questions": [
        {"name": "Where?", "type": "single", "answers": ["Inside", "Outside"]},
        {"name": "What?", "type": "multiple", "answers": ["Soup", "Bread", "Fruit"]},
    ],
}


@pytest.fixture
def session(make_session: MakeSession, spec: SessionSpec) -> Made:
    return make_session(spec)


@pytest.fixture
def poll_id(sandbox: Sandbox, session: Made) -> str:
    made = sandbox.client.post(f"/{session.spec.family}/{session.id}/polls", json=POLL)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def _polls(sandbox: Sandbox, session: Made) -> list[dict[str, Any]]:
    found = sandbox.client.get(f"/{session.spec.family}/{session.id}/polls").json()["polls"]
    return [{name: poll[name] for name in ("title", "questions")} for poll in found]


def _typed(*questions: tuple[str, str, list[str]], title: str = "Lunch") -> dict[str, Any]:
    typed: dict[str, Any] = {"title": title}
    for number, (name, kind, answers) in enumerate(questions):
        start = f"questions.{number}"
        typed |= {f"{start}.name": name, f"{start}.type": kind, f"{start}.answers": answers}
    return typed


def _form(client: Client, address: str) -> Form:
    return form_with(client.get(address).text, "title")


WHERE = ("Where?", "single", ["Inside", "Outside"])
WHAT = ("What?", "multiple", ["Soup", "Bread", "Fruit"])


def test_a_poll_is_built_and_listed_with_its_questions(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    new = url(connection, session, "poll-new")
    assert "No polls yet" in client.get(url(connection, session, "polls")).text
    idempotency_key = {"idempotency_key": _form(client, new).values["idempotency_key"]}
    done = client.post(new, _typed(WHERE, WHAT) | idempotency_key, follow=True)
    assert done.redirect_chain == [(url(connection, session, "polls"), 303)]
    assert _polls(sandbox, session) == [POLL]
    shown = text_of(done.text)
    for words in ("Lunch", "Not started", "Where?", "One answer", "Outside", "Several answers"):
        assert words in shown
    assert client.post(new, _typed(WHERE) | idempotency_key).status_code == 303
    assert len(_polls(sandbox, session)) == 1, "a second click added it twice"


@pytest.mark.parametrize(
    ("act", "questions"),
    [
        ("add", [WHERE, WHAT, ("", "single", ["", ""])]),
        ("0 down", [WHAT, WHERE]),
        ("1 up", [WHAT, WHERE]),
        ("0 up", [WHERE, WHAT]),
        ("0 remove", [WHAT]),
        ("1 0 down", [WHERE, ("What?", "multiple", ["Bread", "Soup", "Fruit"])]),
        ("1 2 remove", [WHERE, ("What?", "multiple", ["Soup", "Bread"])]),
        ("0 add", [("Where?", "single", ["Inside", "Outside", ""]), WHAT]),
        ("7 up", [WHERE, WHAT]),
        ("nonsense", [WHERE, WHAT]),
    ],
)
def test_button_rearranges_form_without_checking_it(
    client: Client,
    connection: Connection,
    session: Made,
    sandbox: Sandbox,
    *,
    act: str,
    questions: list[tuple[str, str, list[str]]],
):
    new = url(connection, session, "poll-new")
    answer = client.post(new, _typed(WHERE, WHAT, title="") | {"do": act})
    assert answer.status_code == 200
    form = answer.context["form"]
    assert [
        (each.name.value(), each.type.value(), [line.text for line in each.lines])
        for each in form.questions
    ] == questions
    assert "required" not in text_of(answer.text).lower().replace("title required", "")
    assert _polls(sandbox, session) == []


def test_what_is_missing_is_said_where_it_is_and_nothing_is_lost(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    broken = _typed(
        ("", "single", ["Inside", "Outside"]),
        ("", "single", ["", ""]),
        ("What?", "single", ["Soup", "soup", ""]),
        ("When?", "single", ["Now"]),
        title="",
    )
    answer = client.post(url(connection, session, "poll-new"), broken)
    assert answer.status_code == 422
    errors = answer.context["form"].errors
    assert set(errors) == {
        "title",
        "questions.0.name",
        "questions.1.answers",
        "questions.2.answers",
    }
    assert 'value="soup"' in answer.text
    assert _polls(sandbox, session) == []
    assert client.post(url(connection, session, "poll-new"), {"title": "Empty"}).status_code == 422


def test_a_poll_is_changed_as_a_whole_and_keeps_its_order(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox, poll_id: str
):
    address = url(connection, session, "poll", poll_id)
    was = _form(client, address).values["was"]
    client.post(address, _typed(WHAT, WHERE, title="Dinner") | {"was": was})
    [now] = _polls(sandbox, session)
    assert now["title"] == "Dinner"
    assert now["questions"] == POLL["questions"][::-1]


def test_poll_changed_elsewhere_is_not_overwritten_unseen(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox, poll_id: str
):
    address = url(connection, session, "poll", poll_id)
    was = _form(client, address).values["was"]
    theirs = {**POLL, "questions": POLL["questions"][:1]}
    sandbox.client.put(f"/{session.spec.family}/{session.id}/polls/{poll_id}", json=theirs)
    mine = _typed(WHAT, WHERE) | {"was": was}
    refused = client.post(address, mine)
    assert refused.status_code == 422
    assert "someone else changed these" in refused.text
    assert _polls(sandbox, session) == [theirs]
    again = form_with(refused.text, "title").values["was"]
    assert client.post(address, mine | {"was": again}).status_code == 303
    assert _polls(sandbox, session)[0]["questions"] == POLL["questions"][::-1]


def test_a_poll_is_deleted_after_saying_what_goes(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox, poll_id: str
):
    address = url(connection, session, "poll-delete", poll_id)
    asked = text_of(client.get(address).text)
    assert "2 questions" in asked
    assert client.post(address).status_code == 303
    assert _polls(sandbox, session) == []


def test_the_tab_loads_into_an_open_page(
    client: Client, connection: Connection, session: Made, poll_id: str
):
    panel = part(client, url(connection, session, "polls"), "panel")
    assert "Lunch" in panel.text
    assert "<html" not in panel.text


def test_hostile_words_are_shown_as_text(
    client: Client, connection: Connection, session: Made, sandbox: Sandbox
):
    hostile = "<script>alert(1)</script>"
    poll = {"title": hostile, "questions": [{"name": hostile, "answers": [hostile]}]}
    sandbox.client.post(f"/{session.spec.family}/{session.id}/polls", json=poll)
    assert hostile not in client.get(url(connection, session, "polls")).text


def test_a_viewer_sees_polls_and_is_offered_nothing(
    viewer: User, connect: Connect, session: Made, poll_id: str
):
    mine = connect(viewer)
    page = admin_client_for(viewer).get(url(mine, session, "polls")).text
    assert "Lunch" in page
    for name in ("poll-new", "poll", "poll-delete"):
        assert (
            f'href="{url(mine, session, name, *([] if name == "poll-new" else [poll_id]))}"'
            not in page
        )


def test_a_poll_whose_fate_is_unknown_is_not_sent_twice(
    client: Client, connection: Connection, session: Made, fault_server: FaultServer
):
    new = url(connection, session, "poll-new")
    typed = _typed(WHERE) | {"idempotency_key": _form(client, new).values["idempotency_key"]}
    fault_server.always(answer(500, {"message": "Broken."}))
    mine = Connection.objects.filter(pk=connection.pk)
    mine.update(base_url=fault_server.url)
    assert client.post(new, typed).status_code == 422
    assert client.post(new, typed).status_code == 422
    posts = [seen for seen in fault_server.requests if seen.method == "POST"]
    assert len(posts) == 1

    mine.update(base_url=connection.base_url)
    absent = client.post(new, typed)
    assert "There is no such poll yet. It can be created now." in text_of(absent.text)
    again = typed | {"idempotency_key": form_with(absent.text, "title").values["idempotency_key"]}
    assert client.post(new, again).status_code == 303


def test_a_poll_that_was_there_before_is_not_said_to_be_added(
    client: Client,
    connection: Connection,
    session: Made,
    sandbox: Sandbox,
    fault_server: FaultServer,
):
    new = url(connection, session, "poll-new")
    first = _typed(WHERE) | {"idempotency_key": _form(client, new).values["idempotency_key"]}
    assert client.post(new, first, follow=True).status_code == 200
    second = _typed(WHAT) | {"idempotency_key": _form(client, new).values["idempotency_key"]}
    fault_server.always(answer(500, {"message": "Broken."}))
    mine = Connection.objects.filter(pk=connection.pk)
    mine.update(base_url=fault_server.url)
    assert client.post(new, second).status_code == 422
    mine.update(base_url=connection.base_url)
    shown = text_of(client.post(new, second, follow=True).text)
    assert "did not confirm the first attempt. A matching poll is there now." in shown
    assert "“Lunch” added" not in shown
    assert len(_polls(sandbox, session)) == 1
