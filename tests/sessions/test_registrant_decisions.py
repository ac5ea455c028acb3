"""Registrants who are approved, denied or cancelled, and who of them was not."""

import pytest

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from tests.sessions.registered import decide, emails, register, rows
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db


def test_many_are_decided_in_chunks_of_thirty(client, connection, session, sandbox):
    ids = register(sandbox, session, *(f"p{number:02}" for number in range(65)))
    done = decide(client, connection, session, "approve", chosen=ids[:3], kept=" ".join(ids[3:]))
    assert "65 registrants are approved" in text_of(done.text)
    assert len(emails(sandbox, session, "approved")) == 65
    sent = AuditEntry.objects.filter(operation__endswith="_registrants.change_status", intent=None)
    assert sorted(len(one.sent["registrants"]) for one in sent) == [5, 30, 30]


def test_all_matching_are_those_shown_when_asked(client, connection, session, sandbox):
    register(sandbox, session, "ada", "bob")
    address = url(connection, session, "registrants-decide", "deny")
    asked = client.post(address, {"all": "1", "matching": "status=pending&q=byron"})
    assert "Ada Byron, Bob Byron" in text_of(asked.text)
    assert emails(sandbox, session, "denied") == []
    register(sandbox, session, "late")
    client.post(address, form_with(asked.text, "confirmed").values)
    assert emails(sandbox, session, "denied") == ["ada@example.com", "bob@example.com"]
    assert emails(sandbox, session, "pending") == ["late@example.com"]


def test_who_is_gone_or_refused_is_named_and_the_others_are_done(
    client, connection, session, sandbox
):
    ids = register(sandbox, session, "ada", "bob", "eve")
    address = url(connection, session, "registrants-decide", "approve")
    asked = client.post(address, {"matching": "status=pending", "chosen": ids})
    confirmed = form_with(asked.text, "confirmed").values
    path = f"/{session.spec.family}/{session.id}/registrants/status"
    body = {"action": "cancel", "registrants": [{"id": ids[1]}]}
    assert sandbox.client.put(path, json=body).status_code == 204
    answer = client.post(address, confirmed, follow=True)
    assert "1 of the selected registrants is no longer in the list" in text_of(answer.text)
    assert emails(sandbox, session, "approved") == ["ada@example.com", "eve@example.com"]


def test_a_chunk_that_is_refused_is_tried_one_by_one(
    client, connection, session, sandbox, fault_server
):
    people = [
        {"id": who, "email": f"{who}@example.com", "first_name": who, "last_name": "B"}
        for who in ("ada", "bad", "eve")
    ]

    def respond(seen):
        if seen.method == "PUT":
            named = [one["id"] for one in seen.json["registrants"]]
            return answer(404, {"message": "Unknown."}) if "bad" in named else answer(204)
        if seen.path.endswith("registrants"):
            return answer(200, {"registrants": people, "total_records": 3})
        return answer(200, {"id": session.id, "topic": "Budget", "host_id": "h"})

    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    fault_server.always(depending(respond))
    data = text_of(decide(client, connection, session, "deny", chosen=["ada", "bad", "eve"]).text)
    assert "2 people were denied, 1 was not" in data
    assert "bad B: Unknown." in data


def test_nothing_chosen_and_unknown_actions_change_nothing(client, connection, session):
    address = url(connection, session, "registrants-decide", "approve")
    assert "Nothing is selected" in client.post(address, follow=True).text
    gone = client.post(address, {"chosen": ["nobody"], "matching": "status=pending"}, follow=True)
    assert "None of the selected registrants is in this list" in gone.text
    assert client.post(url(connection, session, "registrants-decide", "adore")).status_code == 404


def test_registrants_of_one_occurrence_are_decided_alone(
    client, connection, spec, make_session, sandbox
):
    recurring = next(iter(spec.recurring & spec.fixed)).value
    session = make_session(
        spec,
        type=recurring,
        start_time="2031-01-06T09:00:00Z",
        timezone="UTC",
        duration=30,
        recurrence={"type": 1, "repeat_interval": 1, "end_times": 3},
        settings={"approval_type": 0, "registration_type": 2},
    )
    first, second, _ = (str(one["occurrence_id"]) for one in session.now()["occurrences"])
    address = url(connection, session, "registrant-add")
    form = client.get(address).context["form"]
    assert len(form.fields["occurrences"].choices) == 3
    typed = {"email": "ada@example.com", "first_name": "Ada", "last_name": "B"}
    assert client.post(address, typed | {"occurrences": [first, second]}).status_code == 303
    [ada] = emails(sandbox, session, "approved", occurrence_id=second)
    listed = url(connection, session, "registrants")
    page = client.get(listed, {"occurrence": first})
    assert ada in page.text
    [person] = rows(page)
    asked = {"chosen": [person.id], "matching": f"status=approved&occurrence={first}"}
    decided = client.post(url(connection, session, "registrants-decide", "cancel"), asked)
    assert "their other occurrences are kept" in decided.text
    client.post(
        url(connection, session, "registrants-decide", "cancel"),
        form_with(decided.text, "confirmed").values,
    )
    assert emails(sandbox, session, "approved", occurrence_id=first) == []
    assert emails(sandbox, session, "approved", occurrence_id=second) == [ada]
