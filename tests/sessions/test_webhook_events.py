"""Events of the service about a session have that one read again, and no other."""

import base64
import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings, strategies as st

from portal.contract.webhooks import WebhookEvent
from portal.jobs.models import Job
from portal.mirror.models import MirrorState
from portal.sessions import mirror, rereading
from portal.sessions.jobs.reading import READING
from portal.sessions.models import MirroredSession, RecordedSession, SessionToRead
from portal.webhooks.models import Subscription, keyed
from tests.support.fault_server import answer

pytestmark = pytest.mark.django_db
Notify = Callable[..., None]


def watched(connection):
    """Sends events as the service does, to a portal in which a user looks at sessions."""
    post = posting(connection)

    def notify(event, **values):
        assert post({"event": event, "payload": {"object": values}}) == 204

    return notify


def posting(connection):
    """Delivers any notification to such a portal. Returns the status that it answers with."""
    mark_viewed(connection, timezone.now())
    hook = {"path": "a-path", "auth_user": "conf", "password_hash": keyed("secret")}
    made, _ = Subscription.objects.get_or_create(connection=connection, defaults=hook)
    signed = base64.b64encode(b"conf:secret").decode()

    def post(notification):
        answered = Client(raise_request_exception=False).post(
            reverse("hook", args=[made.path]),
            json.dumps(notification),
            content_type="application/json",
            headers={"Authorization": f"Basic {signed}"},
        )
        return int(answered.status_code)

    return post


@pytest.fixture
def notify(connection):
    return watched(connection)


def mark_viewed(connection, when):
    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(viewed_at=when)


def waiting():
    return list(SessionToRead.objects.order_by("kind").values_list("kind", "session_id"))


def topics(connection):
    found = MirroredSession.objects.filter(connection=connection)
    return dict(found.values_list("session_id", "topic"))


@pytest.mark.parametrize("event", ["meeting_started", "meeting_ended", "meeting_registered"])
def test_session_that_is_reported_of_is_read_again_and_no_other(
    connection, notify, make_session, spec, event
):
    data, other = make_session(spec, topic="Started"), make_session(spec, topic="Other")
    notify(event, id=data.id, type=int(spec.once))
    assert waiting() == [(spec.family, data.id)]
    rereading.reread(connection.pk)
    assert waiting() == []
    assert topics(connection) == {data.id: "Started"}
    assert other.id not in topics(connection)
    assert not Job.objects.filter(kind=READING.job_type).exists()


def test_what_is_reported_many_times_is_read_once(faulty, fault_server):
    notify = watched(faulty)
    for _ in range(5):
        notify("meeting_registered", id="111", type=2)
    assert waiting() == [("meetings", "111")]
    fault_server.always(answer(200, {"id": 111, "topic": "Once", "type": 2, "host_id": "h"}))
    rereading.reread(faulty.pk)
    assert [seen.path.rpartition("/v2")[2] for seen in fault_server.requests] == ["/meetings/111"]


def test_a_session_that_is_gone_leaves_the_list(connection, sandbox, notify, make_session, spec):
    made = make_session(spec)
    notify("meeting_started", id=made.id, type=int(spec.once))
    rereading.reread(connection.pk)
    assert made.id in topics(connection)
    sandbox.client.delete(f"/{spec.family}/{made.id}")
    notify("meeting_ended", id=made.id)  # of a kind that is known
    assert waiting() == [(spec.family, made.id)]
    rereading.reread(connection.pk)
    assert made.id not in topics(connection)


def test_a_recording_is_noted_without_a_question(faulty, fault_server):
    watched(faulty)("recording_completed", id="222", type=5)
    found = RecordedSession.objects.filter(connection=faulty)
    assert list(found.values_list("kind", "session_id")) == [("webinars", "222")]
    assert waiting() == []
    assert fault_server.requests == []


def test_where_neither_type_nor_number_is_reported_more_is_read(connection, notify):
    notify("meeting_started", id="333")
    assert waiting() == [("meetings", "333"), ("webinars", "333")]
    for each in ({}, {"id": "../users"}, {"id": {"a": 1}, "type": [2]}):
        notify("meeting_started", **each)
    assert len(waiting()) == 2
    assert Job.objects.filter(kind=READING.job_type).count() == 1


def test_lists_that_nobody_looks_at_are_left_alone(connection, notify):
    mark_viewed(connection, timezone.now() - timedelta(days=2))
    for each in ({"id": "444", "type": 2}, {}):
        notify("meeting_started", **each)
    assert waiting() == []
    assert not Job.objects.exists()


def test_what_cannot_be_read_stays_for_sweep_and_not_for_ever(faulty, fault_server):
    watched(faulty)("meeting_started", id="555", type=2)
    fault_server.always(answer(403, {"message": "Not now."}))
    rereading.reread(faulty.pk)
    assert waiting() == [("meetings", "555")]
    assert rereading.REREADS.sweep() == 1
    SessionToRead.objects.update(notified_at=timezone.now() - timedelta(hours=1))
    assert rereading.REREADS.sweep() == 0
    assert waiting() == []


@pytest.mark.parametrize("number", ["9" * 20, 10**19, "9" * 300])
def test_a_number_that_no_session_has_is_set_aside_and_said_so(faulty, number, caplog):
    notify = watched(faulty)
    for event in ("meeting_started", "recording_completed"):
        notify(event, id=number, type=2)
    assert waiting() == []
    assert not RecordedSession.objects.exists()
    assert caplog.text.count("notification set aside") == 2
    assert "is not a number" in caplog.text


def test_refused_delivery_is_set_aside_and_blocks_no_other(faulty, fault_server, caplog):
    notify = watched(faulty)
    for number in ("111", "222", "333"):
        notify("meeting_started", id=number, type=2)
    # As an earlier release has left it.
    SessionToRead.objects.filter(session_id="111").update(session_id="9" * 20)
    notify("meeting_started", id="111", type=2)
    data = {"id": 1, "topic": "Read", "type": 2, "host_id": "h"}
    fault_server.then(
        answer(400, {"message": "Refused."}),
        answer(500, {"message": "Broken."}),
        answer(200, {**data, "id": 111, "duration": 10**30}),
    )
    rereading.reread(faulty.pk)
    assert waiting() == [("meetings", "333")]
    assert caplog.text.count("session set aside") == 2
    assert "Refused." in caplog.text
    assert MirroredSession.objects.get(session_id="111").duration is None
    fault_server.always(answer(200, {**data, "id": 333}))
    rereading.reread(faulty.pk)
    assert waiting() == []
    assert topics(faulty) == {"111": "Read", "333": "Read"}


NUMBERS = st.sampled_from(
    ["1", "0", "-1", "9" * 19, "9" * 20, "9" * 400, "\u0663", "1.5", " 1", "../x"]
)
TEXTS = st.sampled_from(["", "\ud800", "a\0b", "x" * 5000, "meeting_started", "\U0001f600"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | NUMBERS | TEXTS,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(TEXTS, each, max_size=3),
    max_leaves=5,
)
PAYLOADS = st.fixed_dictionaries(
    {},
    optional={
        "event": st.sampled_from([event.value for event in WebhookEvent]) | ANYTHING,
        "event_id": ANYTHING,
        "payload": ANYTHING
        | st.fixed_dictionaries(
            {"object": ANYTHING | st.fixed_dictionaries({"id": NUMBERS | ANYTHING})}
        )
        | st.fixed_dictionaries(
            {"object": st.fixed_dictionaries({"id": NUMBERS | ANYTHING, "type": ANYTHING})}
        ),
    },
)


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(payload=PAYLOADS)
def test_no_notification_fails_or_holds_up_the_one_after_it(faulty, fault_server, payload):
    post = posting(faulty)
    fault_server.always(answer(200, {"id": 777, "topic": "Read", "type": 2, "host_id": "h"}))
    assert post(payload) in (204, 400)
    assert post({"event": "meeting_ended", "payload": {"object": {"id": "777", "type": 2}}}) == 204
    rereading.reread(faulty.pk)
    assert waiting() == []
    assert topics(faulty)["777"] == "Read"
    MirroredSession.objects.all().delete()


def test_what_is_reported_while_it_is_read_has_it_read_again(
    connection, notify, make_session, spec, monkeypatch
):
    made, put = make_session(spec), mirror.put
    notify("meeting_started", id=made.id, type=int(spec.once))

    def put_and_hear(*arguments):
        put(*arguments)
        notify("meeting_ended", id=made.id, type=int(spec.once))

    monkeypatch.setattr(mirror, "put", put_and_hear)
    rereading.reread(connection.pk)
    assert waiting() == [(spec.family, made.id)]
