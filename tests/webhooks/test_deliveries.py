"""Deliveries are stored once each, without secrets, in any order, and for a while."""

import threading
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone, translation

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.contract.model import MASK
from portal.sessions.mirror import state_of
from portal.sessions.models import SessionToRead
from portal.webhooks import deliveries
from portal.webhooks.models import Delivery
from tests.support.deliveries import notification, post, subscribed

pytestmark = pytest.mark.django_db
SECRETS = ("hunter2-pass", "tok-4711", "zak-4712", "pwd-4713", "444333")
EARLIER, LATER = "2026-05-04T10:00:00Z", "2026-05-04T10:05:00Z"


@pytest.fixture
def subscription(connection):
    return subscribed(connection)


def test_a_delivery_is_kept_with_what_it_did(subscription):
    sent = notification(at=EARLIER, id="123456789", uuid="u==", type=2, topic="Stand-up ü")
    assert post(subscription, sent) == 204
    kept = Delivery.objects.get()
    assert (kept.event, kept.event_id, kept.times) == ("meeting_started", "e-1", 1)
    assert (kept.object_id, kept.instance, kept.topic) == ("123456789", "u==", "Stand-up ü")
    assert kept.happened_at
    assert kept.happened_at.isoformat() == "2026-05-04T10:00:00+00:00"
    assert timezone.now() - kept.came_at < timedelta(minutes=1)
    assert (kept.did, kept.changes) == ("Meeting 123456789 is being updated.", True)
    assert '"topic": "Stand-up ü"' in kept.payload


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (notification("participant_joined", id="1"), "no list depends on this event"),
        (notification("of_a_later_version"), "Switchboard does not follow this event"),
        (notification(id="9" * 20), "no session can have this number"),
        (notification(), "All sessions are being updated: the event names none."),
        (notification("recording_completed", id="5", type=2, host_id="h"), "noted as recorded"),
        (notification("recording_completed", id="5", type=2, host_id="h"), "of host h are being"),
        (
            notification("recording_transcript_completed", host_id="h"),
            "of host h are being updated",
        ),
        (notification("meeting_registered", id="5", type=5), "Webinar 5 is being updated."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_it_says_what_it_changed_or_why_nothing(subscription, sent, words):
    post(subscription, sent)
    kept = Delivery.objects.get()
    assert words in kept.did
    assert kept.changes == (not kept.did.startswith("Nothing"))


def test_of_lists_that_nobody_opens_it_says_when_they_are_read(connection):
    hook = subscribed(connection)
    state_of(connection).__class__.objects.update(viewed_at=None)
    post(hook, notification(id="1", type=2))
    kept = Delivery.objects.get()
    assert not kept.changes
    assert "updated when someone next opens them" in kept.did


def test_a_double_is_counted_and_changes_nothing_else(subscription):
    post(subscription, notification(id="1", type=2, topic="First"))
    SessionToRead.objects.all().delete()
    before = Delivery.objects.values().get()
    for _ in range(3):
        assert post(subscription, notification(id="2", type=2, topic="Other")) == 204
    after = Delivery.objects.values().get()
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"times", "last_came_at", "changed_at"}
    assert after["times"] == 4
    assert not SessionToRead.objects.exists()


def test_nothing_secret_is_kept_whatever_it_is_called(subscription):
    password, token, zak, pwd, pin = SECRETS
    sent = notification(
        id="1",
        type=2,
        topic=f"Join https://someone:{password}@conf.example/j/1?pwd={pwd} now",
        password=password,
        h323_password=[password],
        pin=pin,
        host_key=int(pin),
        start_url=f"https://conf.example/s/1?zak={zak}",
        join_url=f"https://conf.example/w/1?tk={token}",
        files=[{"download_url": f"https://conf.example/d/{token}", "download_token": token}],
        settings={"Access_Token": {"value": token}, "passcode": 444333},
    )
    assert post(subscription, sent) == 204
    kept = Delivery.objects.get()
    whole = repr(Delivery.objects.values().get())
    assert [secret for secret in SECRETS if secret in whole] == []
    assert f"https://conf.example/{MASK}" in kept.payload
    assert not kept.is_cut


def test_what_is_too_long_is_cut_and_can_still_be_played(subscription):
    data = {f"field-{number}": "x" * 400 for number in range(90)}
    nested: object = "deep"
    for _ in range(40):
        nested = [nested]
    post(subscription, notification(**data, id="77", type=2, nested=nested))
    kept = Delivery.objects.get()
    assert kept.is_cut
    assert len(kept.payload) < 20_000
    SessionToRead.objects.all().delete()
    deliveries.play(Origin(subscription.connection.owner), [kept])
    assert SessionToRead.objects.get().session_id == "77"


@pytest.mark.django_db(transaction=True)
def test_the_same_delivery_twice_at_once_is_taken_once(faulty):
    hook = subscribed(faulty)
    together = threading.Barrier(4)
    statuses: list[int] = []

    def deliver():
        together.wait()
        try:
            statuses.append(post(hook, notification(id="1", type=2)))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=deliver) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert statuses == [204] * 4
    assert Delivery.objects.get().times == 4


def test_a_delivery_is_played_again_as_an_act_of_the_person(subscription):
    owner = subscription.connection.owner
    post(subscription, notification(id="1", type=2, topic="Stand-up"))
    SessionToRead.objects.all().delete()
    [played] = deliveries.play(Origin(owner), list(Delivery.objects.all()))
    assert SessionToRead.objects.get().session_id == "1"
    assert (played.played, played.did) == (1, "Meeting 1 is being updated.")
    entry = AuditEntry.objects.latest("sequence")
    assert (entry.operation, entry.actor) == ("webhooks.play_deliveries", owner)
    assert (entry.object_id, entry.object_label) == ("e-1", "Meeting started: Stand-up")
    assert deliveries.play(Origin(owner), []) == []


def test_they_are_kept_for_two_weeks_and_the_latest_of_too_many(subscription, monkeypatch):
    monkeypatch.setattr(deliveries, "MOST_STORED", 3)
    for number in range(6):
        post(subscription, notification("participant_left", f"e-{number}"))
    Delivery.objects.filter(event_id="e-5").update(came_at=timezone.now() - timedelta(days=15))
    assert deliveries.prune() == 3
    kept = Delivery.objects.order_by("pk").values_list("event_id", flat=True)
    assert list(kept) == ["e-2", "e-3", "e-4"]
    assert deliveries.prune() == 0


def test_each_effect_of_delivery_is_said_in_language_of_reader():
    lines = (
        "The recordings of host h are being updated.",
        "Nothing: no list depends on this event.",
    )
    kept = Delivery(did="\n".join(lines))
    assert kept.did_in_words == " ".join(lines)
    with translation.override("de"):
        assert not any(line in kept.did_in_words for line in lines)
