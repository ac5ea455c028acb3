"""Polls are listed, built question by question, changed as a whole and deleted."""

from typing import Any

import pytest
from django.urls import reverse

from portal.access.models import Connection
from portal.audit.reading import lines
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.people_pages import part
from tests.support.portal import admin_client_for
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db

POLL = {
    "title": "Lunch",
    "questions": [
        {"name": "Where?", "type": "single", "answers": ["Inside", "Outside"]},
        {"name": "What?", "type": "multiple", "answers": ["Soup", "Bread", "Fruit"]},
    ],
}


@pytest.fixture
def session(make_session, spec):
    return make_session(spec)


@pytest.fixture
def poll_id(sandbox, session):
    made = sandbox.client.post(f"/{session.spec.family}/{session.id}/polls", json=POLL)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def _polls(sandbox, session):
    found = sandbox.client.get(f"/{session.spec.family}/{session.id}/polls").json()["polls"]
    return [{name: poll[name] for name in ("title", "questions")} for poll in found]


def _typed(*questions, title="Lunch"):
    typed: dict[str, Any] = {"title": title}
    for number, (name, kind, answers) in enumerate(questions):
        start = f"questions.{number}"
        typed |= {f"{start}.name": name, f"{start}.type": kind, f"{start}.answers": answers}
    return typed


def _form(client, address):
    return form_with(client.get(address).text, "title")


WHERE = ("Where?", "single", ["Inside", "Outside"])
WHAT = ("What?", "multiple", ["Soup", "Bread", "Fruit"])


def test_a_poll_is_built_and_listed_with_its_questions(client, connection, session, sandbox):
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
    client, connection, session, sandbox, *, act, questions
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
    client, connection, session, sandbox
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
    client, connection, session, sandbox, poll_id
):
    address = url(connection, session, "poll", poll_id)
    was = _form(client, address).values["was"]
    client.post(address, _typed(WHAT, WHERE, title="Dinner") | {"was": was})
    [now] = _polls(sandbox, session)
    assert now["title"] == "Dinner"
    assert now["questions"] == POLL["questions"][::-1]


def test_poll_changed_elsewhere_is_not_overwritten_unseen(
    client, connection, session, sandbox, poll_id
):
    address = url(connection, session, "poll", poll_id)
    was = _form(client, address).values["was"]
    theirs = {**POLL, "questions": POLL["questions"][:1]}
    sandbox.client.put(f"/{session.spec.family}/{session.id}/polls/{poll_id}", json=theirs)
    mine = _typed(WHAT, WHERE) | {"was": was}
    refused = client.post(address, mine)
    assert refused.status_code == 422
    assert "these were changed in the meantime" in refused.text
    assert _polls(sandbox, session) == [theirs]
    again = form_with(refused.text, "title").values["was"]
    assert client.post(address, mine | {"was": again}).status_code == 303
    assert _polls(sandbox, session)[0]["questions"] == POLL["questions"][::-1]


def test_a_poll_is_deleted_after_saying_what_goes(client, connection, session, sandbox, poll_id):
    address = url(connection, session, "poll-delete", poll_id)
    asked = text_of(client.get(address).text)
    assert "2 questions" in asked
    assert client.post(address).status_code == 303
    assert _polls(sandbox, session) == []


def test_the_tab_loads_into_an_open_page(client, connection, session, poll_id):
    panel = part(client, url(connection, session, "polls"), "panel")
    assert "Lunch" in panel.text
    assert "<html" not in panel.text


def test_hostile_words_are_shown_as_text(client, connection, session, sandbox):
    hostile = "<script>alert(1)</script>"
    poll = {"title": hostile, "questions": [{"name": hostile, "answers": [hostile]}]}
    sandbox.client.post(f"/{session.spec.family}/{session.id}/polls", json=poll)
    assert hostile not in client.get(url(connection, session, "polls")).text


def test_a_viewer_sees_polls_and_is_offered_nothing(viewer, connect, session, poll_id):
    mine = connect(viewer)
    page = admin_client_for(viewer).get(url(mine, session, "polls")).text
    assert "Lunch" in page
    for name in ("poll-new", "poll", "poll-delete"):
        assert (
            f'href="{url(mine, session, name, *([] if name == "poll-new" else [poll_id]))}"'
            not in page
        )


def test_a_poll_whose_fate_is_unknown_is_not_sent_twice(client, connection, session, fault_server):
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
    client, connection, session, sandbox, fault_server
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


QUIZ: dict[str, Any] = {
    "id": "quiz1",
    "status": "deactivated",
    "title": "Own quiz",
    "poll_type": 3,
    "anonymous": True,
    "questions": [
        {
            "name": "2 + 2?",
            "type": "single",
            "answers": ["3", "4"],
            "right_answers": ["4"],
            "answer_required": True,
        },
        {
            "name": "Which?",
            "type": "matching",
            "answers": ["1", "2"],
            "prompts": [{"prompt_question": "a", "prompt_right_answers": ["1"]}],
        },
        {"name": "How was it?", "type": "rating_scale", "rating_max_value": 7},
        {"name": "Why?", "type": "single", "answers": ["x", "y"], "show_as_dropdown": True},
    ],
}


def _serve(fault_server, quiz):
    """Lets the service have this quiz alone; returns the address of its form."""
    meeting = {"id": 81234567890, "topic": "Board", "type": 2}

    def chosen(seen):
        if seen.method == "PUT":
            return answer(204)
        return answer(200, quiz if seen.path.endswith("quiz1") else meeting)

    fault_server.always(depending(chosen))
    return "/meetings/81234567890/polls/quiz1/"


def test_poll_made_elsewhere_is_sent_back_whole(client, faulty, fault_server):
    address = f"/c/{faulty.key}{_serve(fault_server, QUIZ)}"
    page = client.get(address)
    shown = text_of(page.text)
    for words in ("Matching", "Rating scale", "Right answers", "Kind of poll, Anonymous"):
        assert words in shown
    form = form_with(page.text, "title")
    answers = {"questions.3.answers": ["x", "y"]}
    moved = client.post(address, form.values | answers | {"do": "3 up"})
    form = form_with(moved.text, "title")
    done = client.post(
        address, form.values | {"questions.2.answers": ["x", "y"], "title": "New title"}
    )
    assert done.status_code == 303, text_of(done.text)
    sent = next(one for one in fault_server.requests if one.method == "PUT").json
    one, two, three, four = QUIZ["questions"]
    kept = {name: QUIZ[name] for name in ("poll_type", "anonymous")}
    assert sent == {**kept, "title": "New title", "questions": [one, two, four, three]}


def test_undo_of_a_poll_restores_what_no_form_shows(client, faulty, fault_server):
    address = f"/c/{faulty.key}{_serve(fault_server, QUIZ)}"
    form = form_with(client.get(address).text, "title")
    more = {"questions.3.answers": ["x", "y"], "title": "New title"}
    assert client.post(address, form.values | more).status_code == 303
    entry = lines().filter(operation="meeting_polls.update")[0]
    _serve(fault_server, {**QUIZ, "title": "New title"})
    undo = reverse("changes:undo", args=[faulty.key, entry.sequence])
    form = form_with(client.get(undo).text, "seen")
    assert client.post(form.action, form.values).status_code == 303
    sent = [one for one in fault_server.requests if one.method == "PUT"][-1].json
    assert sent == {name: QUIZ[name] for name in QUIZ if name not in {"id", "status"}}
