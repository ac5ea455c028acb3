"""Deliveries in any order, and again, leave sessions as the service has them."""

import random

import pytest

from portal.sessions import rereading
from portal.sessions.models import MirroredSession, RecordedSession
from portal.webhooks.models import Delivery
from portal.webhooks.subscriptions import FOLLOWED
from tests.support.deliveries import notification, post, subscribed

pytestmark = pytest.mark.django_db
EARLIER, LATER = "2026-05-04T10:00:00Z", "2026-05-04T10:05:00Z"


@pytest.fixture
def subscription(connection):
    return subscribed(connection)


@pytest.mark.parametrize("event", [one.value for one in FOLLOWED])
def test_older_event_overwrites_nothing_newer(subscription, make_session, spec, event):
    connection = subscription.connection
    made = make_session(spec, topic="As it is now")
    data = {"id": made.id, "type": int(spec.once), "host_id": "h"}
    post(subscription, notification(event, "newer", LATER, **data, topic="As it is now"))
    rereading.reread(connection.pk)
    before = _state(connection)
    post(subscription, notification(event, "older", EARLIER, **data, topic="As it was"))
    rereading.reread(connection.pk)
    assert _state(connection) == before
    assert "As it was" not in repr(before)
    late = Delivery.objects.get(event_id="older")
    assert late.is_late
    assert not Delivery.objects.get(event_id="newer").is_late


def _state(connection):
    own = MirroredSession.objects.filter(connection=connection)
    recorded = RecordedSession.objects.filter(connection=connection)
    return (
        list(own.values_list("session_id", "topic", "fingerprint")),
        list(recorded.values_list("session_id", flat=True)),
    )


def test_shuffled_doubles_leave_each_event_once_and_right(subscription, make_session, spec):
    chance = random.Random(7)  # noqa: S311
    made = [make_session(spec, topic=f"Session {number}") for number in range(3)]
    sent = [
        notification(
            event.value,
            f"{event.value}-{one.id}-{number}",
            f"2026-05-04T10:{number:02}:00Z",
            id=one.id,
            type=int(spec.once),
            topic="Outdated",
        )
        for one in made
        for event in FOLLOWED[:3]
        for number in range(4)
    ]
    both = [*sent, *sent, *chance.sample(sent, 12)]
    chance.shuffle(both)
    for each in both:
        assert post(subscription, each) == 204
    assert Delivery.objects.count() == len(sent)
    assert sum(Delivery.objects.values_list("times", flat=True)) == len(both)
    rereading.reread(subscription.connection.pk)
    topics = MirroredSession.objects.filter(connection=subscription.connection)
    found = dict(topics.values_list("session_id", "topic"))
    assert found == {one.id: f"Session {number}" for number, one in enumerate(made)}
