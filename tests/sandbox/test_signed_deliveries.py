"""Signed notifications of the profile `current`, and its question whose address it is."""

import time

import pytest

from portal.contract.events import reported
from portal.webhooks.models import Subscription
from portal.webhooks.signatures import challenge_answer
from tests.sandbox.test_process import forked
from tests.sandbox.test_webhooks import STARTED
from tests.support.sandbox import run_within
from tests.support.subscriber import Subscriber, happens

pytestmark = pytest.mark.deep  # a sandbox of its own
SECRET = "whsec-of-the-app"
ASKED_AGAIN = """
from portal.sandbox.models import Delivery
from portal.sandbox.clock import now
print(*(round((each.due_at - now()).total_seconds() / 3600) for each in Delivery.objects.all()))
"""
MADE_DUE = """
from portal.sandbox.models import Delivery
from portal.sandbox.clock import now
Delivery.objects.update(due_at=now())
"""


def was_signed(heard):
    """By the portal's own reading of it."""
    scheme, sent = Subscription().scheme, {k.lower(): v for k, v in heard.headers.items()}
    names = (scheme.signature_header, scheme.timestamp_header)
    headers = {name: sent[name.lower()] for name in names}
    signed = scheme.secret_of([SECRET], headers, heard.content) == SECRET
    return signed and scheme.is_recent(headers)


def test_app_is_asked_for_its_secret_and_told_what_happens(sandbox_factory):
    hearing = Subscriber(answers=lambda said: challenge_answer(SECRET, said))
    try:
        flags = (f"--hook-url={hearing.url}", f"--hook-secret={SECRET}")
        service = sandbox_factory("--profile=current", "--frozen", *flags)
        question = hearing.next()
        assert question.document["event"] == "endpoint.url_validation"
        assert was_signed(question)

        happens(service, STARTED)
        heard = hearing.next()
        assert was_signed(heard)
        assert "authorization" not in {name.lower() for name in heard.headers}
        document = heard.document
        assert set(document) == {"event", "event_ts", "payload"}
        assert document["event"] == "meeting.started"
        assert abs(document["event_ts"] / 1000 - time.time()) < 60
        assert document["payload"]["object"] == STARTED[1]

        deadline = time.monotonic() + 30
        while (hours := run_within(service, ASKED_AGAIN).split()) != ["72"]:
            assert time.monotonic() < deadline, hours
        run_within(service, MADE_DUE)
        assert hearing.next().document["payload"] == question.document["payload"]
    finally:
        hearing.close()


def test_hook_without_secret_is_refused(tmp_path):
    ran = forked(f"--data-dir={tmp_path}", "--token=t", "--hook-url=http://127.0.0.1/x")
    assert ran.returncode == 1
    assert "SANDBOX_HOOK_SECRET" in ran.stderr


def test_app_is_told_of_changes_to_people_groups_and_sessions(sandbox_factory):
    hearing = Subscriber(answers=lambda said: challenge_answer(SECRET, said))
    try:
        flags = (f"--hook-url={hearing.url}", f"--hook-secret={SECRET}")
        api = sandbox_factory("--profile=current", "--frozen", *flags).client
        assert hearing.next().document["event"] == "endpoint.url_validation"

        def told(answer, event):
            assert answer.is_success, answer.text
            document = hearing.next().document
            assert document["event"] == event
            object_of_event = reported(event).lists and document["payload"]["object"]
            assert object_of_event["id"]
            return object_of_event

        owner = api.get("/users/me").json()
        info = {"email": "new.person@example.com", "type": 1, "first_name": "Ada"}
        created = api.post("/users", json={"action": "create", "user_info": info})
        told(created, "user.created")
        person = f"/users/{created.json()['id']}"
        told(api.patch(person, json={"last_name": "Byron"}), "user.updated")
        made = told(api.post("/groups", json={"name": "Told of"}), "group.created")
        members = f"/groups/{made['id']}/members"
        joined = api.post(members, json={"members": [{"email": info["email"]}]})
        assert told(joined, "group.member_added")["members"][0]["email"] == info["email"]
        told(api.delete(f"/groups/{made['id']}"), "group.deleted")
        gone = told(api.delete(f"{person}?action=delete"), "user.deleted")
        assert gone["email"] == info["email"]
        for kind, once in (("meeting", 2), ("webinar", 5)):
            body = {"topic": "Told of", "type": once, "start_time": "2030-01-01T10:00:00Z"}
            answer = api.post(f"/users/{owner['id']}/{kind}s", json=body)
            session = told(answer, f"{kind}.created")
            told(api.patch(f"/{kind}s/{session['id']}", json={"topic": "T"}), f"{kind}.updated")
            assert told(api.delete(f"/{kind}s/{session['id']}"), f"{kind}.deleted")["topic"] == "T"
    finally:
        hearing.close()
