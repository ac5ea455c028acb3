"""Registrants who are registered one by one."""

import pytest

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from tests.sessions.registered import QUESTION, register
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db


def test_somebody_is_registered_with_answers(client, connection, session, sandbox):
    asked = [{"title": QUESTION, "value": "Apple"}, {"title": "Allergies?", "value": "None"}]
    register(sandbox, session, "ada", custom_questions=asked)
    address = url(connection, session, "registrant-add")
    form = form_with(client.get(address).text, "email")
    assert form.values["custom_questions.0.title"] == QUESTION
    typed = form.values | {
        "email": "bob@example.com",
        "first_name": "Bob\u200b",
        "last_name": "\u202aByron\u202c\u3000",
        "custom_questions.0.value": "Cherry",
        "org": "Engines",
    }
    done = client.post(address, typed, follow=True)
    assert done.redirect_chain == [
        (f"{url(connection, session, 'registrants')}?status=pending", 303)
    ]
    assert "pending approval" in text_of(done.text)
    assert "cannot be seen were removed: First name, Last name." in text_of(done.text)
    path = f"/{session.spec.family}/{session.id}/registrants"
    answer = sandbox.client.get(path, params={"status": "pending"}).json()["registrants"]
    bob = next(one for one in answer if one["email"] == "bob@example.com")
    assert bob["custom_questions"] == [{"title": QUESTION, "value": "Cherry"}]
    assert (bob["first_name"], bob["last_name"], bob["org"]) == ("Bob", "Byron", "Engines")
    client.post(address, typed)
    assert (
        AuditEntry.objects.filter(operation__endswith="_registrants.add", intent=None).count() == 1
    )


def test_what_is_wrong_with_a_registration_is_said_at_its_field(
    client, connection, session, sandbox
):
    address = url(connection, session, "registrant-add")
    refused = client.post(address, {"email": "nobody", "first_name": "", "last_name": "x"})
    assert refused.status_code == 422
    assert {"email", "first_name"} <= set(refused.context["form"].errors)
    session.set(settings={"approval_type": 2})
    closed = client.post(
        address, {"email": "ada@example.com", "first_name": "Ada", "last_name": "Byron"}
    )
    assert closed.status_code == 422
    assert "takes no registrations" in closed.text
    listed = client.get(url(connection, session, "registrants")).text
    assert "Registration is not required" in listed
    assert 'href="add/"' not in listed


@pytest.mark.parametrize("is_there", [True, False])
def test_registration_without_answer_is_settled_by_email(
    client, connection, session, fault_server, *, is_there
):
    ada = {"id": "r1", "email": "ADA@example.com", "first_name": "Ada", "last_name": "Byron"}

    def fail(seen):
        if seen.method == "POST":
            return answer(502, {"message": "Broken."})
        if seen.path.endswith("registrants"):
            there = is_there and seen.query["status"] == "pending"
            people = [ada | {"status": "pending"}] if there else []
            return answer(200, {"registrants": people, "total_records": len(people)})
        return answer(404, {"message": "No."})

    address = url(connection, session, "registrant-add")
    idempotency_key = form_with(client.get(address).text, "email").values["idempotency_key"]
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    fault_server.always(depending(fail))
    typed = {
        "email": "ada@example.com",
        "first_name": "Ada",
        "last_name": "Byron",
        "idempotency_key": idempotency_key,
    }
    ended = client.post(address, typed)
    if is_there:
        assert ended["Location"].endswith("?status=pending")
    else:
        assert ended.status_code == 422
        assert "There is no such registrant yet." in ended.text
        assert form_with(ended.text, "email").values["idempotency_key"] != idempotency_key
    client.post(address, typed)
    posts = [seen for seen in fault_server.requests if seen.method == "POST"]
    assert len(posts) == 1, "it was sent again blindly"
