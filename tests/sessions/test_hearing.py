"""What the service tells by itself of a session has that one read again, and no other."""

import base64
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection
from portal.jobs.models import Job
from portal.mirror import sessions as mirror
from portal.mirror.models import MirroredSession, MirrorState, RecordedSession, Subscription
from portal.mirror.models.hooks import keyed
from portal.sessions import hearing
from portal.sessions.jobs.reading import KIND
from portal.sessions.models import SessionToRead
from tests.plugins.fault_server import FaultServer, answer
from tests.plugins.sandbox import Sandbox
from tests.sessions.conftest import MakeSession

pytestmark = pytest.mark.django_db
Tell = Callable[..., None]


def watched(connection: Connection) -> Tell:
    """Tells a portal in which somebody looks at sessions what happened, as the service does."""
    looked_at(connection, timezone.now())
    made = Subscription(connection=connection, path="a-path", auth_user="conf")
    made.password_hash = keyed("secret")
    made.save()
    signed = base64.b64encode(b"conf:secret").decode()

    def tell(event: str, **told: Any) -> None:
        content = json.dumps({"event": event, "payload": {"object": told}})
        answered = Client().post(
            reverse("hook", args=[made.path]),
            content,
            content_type="application/json",
            headers={"Authorization": f"Basic {signed}"},
        )
        assert answered.status_code == 204

    return tell


@pytest.fixture
def tell(connection: Connection) -> Tell:
    return watched(connection)


def looked_at(connection: Connection, when: Any) -> None:
    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(viewed_at=when)


def waiting() -> list[tuple[str, str]]:
    return list(SessionToRead.objects.order_by("kind").values_list("kind", "session_id"))


def topics(connection: Connection) -> dict[str, str]:
    found = MirroredSession.objects.filter(connection=connection)
    return dict(found.values_list("session_id", "topic"))


@pytest.mark.parametrize("event", ["meeting_started", "meeting_ended", "meeting_registered"])
def test_the_session_that_is_told_of_is_read_again_and_no_other(
    connection: Connection, tell: Tell, make_session: MakeSession, kind: Any, event: str
):
    told, other = make_session(kind, topic="Told"), make_session(kind, topic="Other")
    tell(event, id=told.id, type=int(kind.once))
    assert waiting() == [(kind.family, told.id)]
    hearing.reread(connection)
    assert waiting() == []
    assert topics(connection) == {told.id: "Told"}
    assert other.id not in topics(connection)
    assert not Job.objects.filter(kind=KIND).exists()


def test_what_is_told_many_times_is_read_once(faulty: Connection, fault_server: FaultServer):
    tell = watched(faulty)
    for _ in range(5):
        tell("meeting_registered", id="111", type=2)
    assert waiting() == [("meetings", "111")]
    fault_server.always(answer(200, {"id": 111, "topic": "Once", "type": 2, "host_id": "h"}))
    hearing.reread(faulty)
    assert [seen.path.rpartition("/v2")[2] for seen in fault_server.requests] == ["/meetings/111"]


def test_a_session_that_is_gone_leaves_the_list(
    connection: Connection, sandbox: Sandbox, tell: Tell, make_session: MakeSession, kind: Any
):
    made = make_session(kind)
    tell("meeting_started", id=made.id, type=int(kind.once))
    hearing.reread(connection)
    assert made.id in topics(connection)
    sandbox.client.delete(f"/{kind.family}/{made.id}")
    tell("meeting_ended", id=made.id)  # of a kind that is known
    assert waiting() == [(kind.family, made.id)]
    hearing.reread(connection)
    assert made.id not in topics(connection)


def test_a_recording_is_noted_without_a_question(faulty: Connection, fault_server: FaultServer):
    watched(faulty)("recording_completed", id="222", type=5)
    found = RecordedSession.objects.filter(connection=faulty)
    assert list(found.values_list("kind", "session_id")) == [("webinars", "222")]
    assert waiting() == []
    assert fault_server.requests == []


def test_where_neither_type_nor_number_is_told_more_is_read(connection: Connection, tell: Tell):
    tell("meeting_started", id="333")
    assert waiting() == [("meetings", "333"), ("webinars", "333")]
    for told in ({}, {"id": "../users"}, {"id": {"a": 1}, "type": [2]}):
        tell("meeting_started", **told)
    assert len(waiting()) == 2
    assert Job.objects.filter(kind=KIND).count() == 1


def test_lists_that_nobody_looks_at_are_left_alone(connection: Connection, tell: Tell):
    looked_at(connection, timezone.now() - timedelta(days=2))
    for told in ({"id": "444", "type": 2}, {}):
        tell("meeting_started", **told)
    assert waiting() == []
    assert not Job.objects.exists()


def test_what_cannot_be_read_stays_for_the_sweep_and_not_for_ever(
    faulty: Connection, fault_server: FaultServer
):
    watched(faulty)("meeting_started", id="555", type=2)
    fault_server.always(answer(403, {"message": "Not now."}))
    hearing.reread(faulty)
    assert waiting() == [("meetings", "555")]
    assert hearing.sweep() == 1
    SessionToRead.objects.update(told_at=timezone.now() - timedelta(hours=1))
    assert hearing.sweep() == 0
    assert waiting() == []


def test_what_is_told_while_it_is_read_has_it_read_again(
    connection: Connection,
    tell: Tell,
    make_session: MakeSession,
    kind: Any,
    monkeypatch: pytest.MonkeyPatch,
):
    made, put = make_session(kind), mirror.put
    tell("meeting_started", id=made.id, type=int(kind.once))

    def put_and_hear(*told: Any) -> None:
        put(*told)
        tell("meeting_ended", id=made.id, type=int(kind.once))

    monkeypatch.setattr(mirror, "put", put_and_hear)
    hearing.reread(connection)
    assert waiting() == [(kind.family, made.id)]
