"""A gap in what is reported is noticed, said, and closed by reading the lists again."""

import json
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.client import ServerFault, limits
from portal.client.limits import Ahead
from portal.config import cache
from portal.connections.api import api_for
from portal.contract.dashboards import SessionMetric
from portal.dashboards.models import LiveSnapshot
from portal.dashboards.services.live.picture import LiveList, LiveSession, dumped
from portal.jobs.models import Job
from portal.mirror.models import MirrorState
from portal.recordings.models import MirroredRecording
from portal.sessions.jobs.reading import READING
from portal.webhooks import deliveries, gaps, subscriptions
from portal.webhooks.models import Delivery, Gap, Subscription
from tests.support.deliveries import notification, subscribed
from tests.support.fault_server import answer, depending

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def api(connection):
    return api_for(scope_of(connection.owner, connection))


@pytest.fixture
def own(connection, api):
    """A subscription that stands at the service."""
    made = subscriptions.follow(api, connection)
    _watch(connection)
    yield made
    subscriptions.unfollow(api, connection, Origin())


def _watch(connection):
    for kind in ("sessions", "recordings"):
        MirrorState.objects.update_or_create(
            connection=connection, kind=kind, defaults={"viewed_at": timezone.now()}
        )


def _began(subscription, ago):
    at = timezone.now() - ago
    Subscription.objects.filter(pk=subscription.pk).update(created_at=at)
    subscription.created_at = at
    return at


def test_what_stands_is_said_to_stand_and_nothing_is_read(own, api):
    assert gaps.check(api, own) == "The webhook works, and no event was missed."
    own.refresh_from_db()
    assert own.checked_at
    assert not own.trouble
    assert not Gap.objects.exists()
    assert not Job.objects.filter(kind=READING.job_type).exists()


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (None, "gone"),
        ({"url": "https://elsewhere.example/hook"}, "elsewhere"),
        ({"auth_user": "somebody"}, "sign-in"),
        ({"events": ["meeting_started"]}, "events"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_webhook_that_does_not_stand_is_gap_until_it_does_again(
    own, connection, sandbox, change, trouble
):
    api = api_for(scope_of(connection.owner, connection))
    kept = sandbox.client.get(f"/webhooks/{own.webhook_id}").json()
    if change is None:
        sandbox.client.delete(f"/webhooks/{own.webhook_id}")
    else:
        sandbox.client.patch(f"/webhooks/{own.webhook_id}", json=change)
    words = gaps.check(api, own)
    own.refresh_from_db()
    assert own.trouble == trouble
    gap = Gap.objects.get()
    assert gap.why in words
    assert gap.ended_at is None
    assert sorted(gap.lists) == ["recordings", "sessions"]
    assert Job.objects.filter(kind=READING.job_type).exists()
    gaps.check(api, own)
    assert Gap.objects.count() == 1
    if change is None:
        assert subscriptions.follow(api, connection).pk != own.pk  # subscribed anew
        gaps.end(connection, timezone.now())
    else:
        names = ("url", "auth_user", "events")
        sandbox.client.patch(
            f"/webhooks/{own.webhook_id}", json={name: kept[name] for name in names}
        )
        assert "works again" in gaps.check(api, own)
    gap.refresh_from_db()
    assert gap.ended_at


def test_version_1_is_told_from_a_webhook_that_is_gone(own, api, sandbox):
    sandbox.client.patch("/webhooks/options", json={"version": "v1"})
    try:
        gaps.check(api, own)
        own.refresh_from_db()
        assert own.trouble == "version"
    finally:
        sandbox.client.patch("/webhooks/options", json={"version": "v2"})
        gaps.check(api, own)


def _live(connection, number, at):
    said = {"id": number, "uuid": f"uuid-{number}", "start_time": at.isoformat()}
    metric = SessionMetric.read(json.dumps(said | {"topic": "Stand-up"}).encode())
    one = LiveSession.of("meetings", metric, timezone.now())
    LiveSnapshot.objects.update_or_create(
        connection=connection,
        defaults={
            "asked_at": timezone.now(),
            "version": number,
            "content": dumped({"meetings": LiveList((one,)), "webinars": LiveList()}),
        },
    )


def test_a_meeting_that_runs_and_was_not_reported_is_a_gap(own, api, connection):
    began = _began(own, HOUR)
    at = timezone.now() - HOUR / 2
    _live(connection, "111", at)
    assert "were not reported" in gaps.check(api, own)
    gap = Gap.objects.get()
    assert gap.began_at == began
    assert gap.ended_at
    assert gap.ended_at >= at
    assert gap.why == "“Meeting started” was not reported for Stand-up"
    gaps.check(api, own)
    assert Gap.objects.count() == 1  # noticed once


def test_a_gap_is_between_the_deliveries_around_it(own, api, connection):
    _began(own, HOUR)
    now = timezone.now()
    for minutes, name in ((40, "before"), (20, "after")):
        Delivery.objects.create(
            connection=connection, event_id=name, came_at=now - timedelta(minutes=minutes)
        )
    _live(connection, "112", now - HOUR / 2)
    gaps.check(api, own)
    gap = Gap.objects.get()
    assert (now - gap.began_at, now - (gap.ended_at or now)) == (
        timedelta(minutes=40),
        timedelta(minutes=20),
    )


def test_reported_recent_and_first_events_are_no_gaps(own, api, connection):
    _began(own, HOUR)
    now = timezone.now()
    sent = notification(id="113", uuid="uuid-113", at=(now - HOUR / 2).isoformat())
    deliveries.accept(own, sent)
    for number, ago in (("113", HOUR / 2), ("114", timedelta(seconds=20)), ("115", 2 * HOUR)):
        _live(connection, number, now - ago)
        assert gaps.check(api, own) == "The webhook works, and no event was missed."


def test_what_began_before_the_webhook_was_known_is_no_gap(faulty, fault_server):
    began: list[datetime] = []

    def service(_seen):
        began.append(timezone.now())
        return answer(201, {"webhook_id": "w-1"})

    fault_server.always(depending(service))
    made = subscriptions.follow(api_for(scope_of(faulty.owner, faulty)), faulty)
    made.refresh_from_db()
    assert made.created_at > began[0]


def test_signed_webhook_is_awaited_from_the_services_first_sign(connection, api, client):
    own = subscriptions.follow_signed(Origin(), connection, "a secret token", Subscription().scheme)
    _began(own, HOUR)
    _watch(connection)
    _live(connection, "118", timezone.now() - HOUR / 2)
    page = client.get(reverse("webhooks:following", args=[connection.key])).content.decode()
    unchecked = "The service has not checked the address of the webhook yet."
    assert (unchecked in page, gaps.check(api, own)) == (True, unchecked)
    own.note(validated_at=timezone.now())
    own.refresh_from_db()
    assert gaps.check(api, own) == "The webhook works, and no event was missed."
    _began(own, HOUR)  # what happens from then on is awaited
    assert "were not reported" in gaps.check(api, own)


def test_what_began_just_now_by_the_services_clock_is_no_gap(own, api, connection, monkeypatch):
    _began(own, HOUR)
    monkeypatch.setattr(limits, "ahead_of", lambda _service: Ahead(360.0, 361.0))
    _live(connection, "116", timezone.now() - timedelta(minutes=6))
    assert gaps.check(api, own) == "The webhook works, and no event was missed."
    _live(connection, "117", timezone.now() - timedelta(minutes=10))
    assert "were not reported" in gaps.check(api, own)


def test_meeting_reported_to_start_and_runs_no_more_is_gap(own, api, connection):
    _began(own, HOUR)
    now = timezone.now()
    sent = notification(id="117", uuid="uuid-117", topic="Stand-up", at=now.isoformat())
    deliveries.accept(own, sent)
    Delivery.objects.update(came_at=now - HOUR / 2)
    others = LiveSnapshot(connection=connection, asked_at=now, version="others")

    def look(ago):
        """A check after a picture without it."""
        others.content = dumped({"meetings": LiveList((), now - ago), "webinars": LiveList()})
        others.asked_at = timezone.now()
        others.save()
        return gaps.check(api, own)

    assert look(timedelta(seconds=30)) == "The webhook works, and no event was missed."
    assert look(timedelta(hours=3)) == "The webhook works, and no event was missed."  # too old
    cache.delete(f"webhooks-ended:{connection.pk}")
    assert "were not reported" in look(timedelta(minutes=3))
    assert Gap.objects.get().why == "“Meeting ended” was not reported for Stand-up"
    deliveries.accept(own, notification("meeting_ended", "e-2", id="117", uuid="uuid-117"))
    Gap.objects.all().delete()
    assert look(timedelta(minutes=3)) == "The webhook works, and no event was missed."


def test_a_recording_of_which_nobody_was_told_is_a_gap(own, api, connection):
    _began(own, 5 * HOUR)
    at = timezone.now() - 4 * HOUR
    MirroredRecording.objects.create(
        connection=connection, uuid="r", session_id="9", topic="Budget", start_time=at, duration=30
    )
    gaps.check(api, own)
    assert Gap.objects.get().why == "“Recordings ready” was not reported for recording of Budget"


def test_when_the_lists_were_read_again_is_noted(own, api, connection):
    _began(own, HOUR)
    _live(connection, "116", timezone.now() - HOUR / 2)
    gaps.check(api, own)
    gap = Gap.objects.get()
    assert gaps.read_again_at(gap) is None
    read = gap.asked_at + timedelta(minutes=1)
    MirrorState.objects.filter(kind="sessions").update(refreshed_at=read)
    assert gaps.read_again_at(gap) is None
    MirrorState.objects.filter(kind="recordings").update(refreshed_at=read)
    gaps.record_readings()
    gap.refresh_from_db()
    assert gap.read_at == read


def test_silent_service_reports_nothing_and_blocks_no_other(faulty, fault_server, own):
    broken = subscribed(faulty, path="broken")
    fault_server.always(answer(500, {"message": "Out of order."}))
    with pytest.raises(ServerFault):
        gaps.check(api_for(scope_of(faulty.owner, faulty)), broken)
    assert gaps.check_all() == 1
    broken.refresh_from_db()
    assert broken.checked_at is None
    assert not Gap.objects.exists()


def test_what_was_not_reported_is_said_in_language_of_reader():
    gap = Gap(why="“Recordings ready” was not reported for recording of Stand-up")
    with translation.override("de"):
        assert gap.why_in_words.startswith("„Aufzeichnungen bereit“ wurde nicht gemeldet: ")
        assert gap.why_in_words.endswith("Stand-up")
