"""Events that services of today report: which lists they refresh, and what they say."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import ServiceToken
from portal.connections.services import connections
from portal.contract.events import REPORTED, followed
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.jobs.models import Job
from portal.mirror.models import MirrorState
from portal.recordings.models import MirroredRecording
from portal.sessions.models import SessionToRead
from portal.webhooks.deauthorization import lasting
from portal.webhooks.deliveries import accept
from portal.webhooks.models import Delivery
from tests.support.deliveries import subscribed
from tests.support.mails import delivered
from tests.webhooks.pages import address

pytestmark = pytest.mark.django_db
NUMBER = 98_765_432_101
OBJECTS = {
    "user": {"id": "u-1", "first_name": "Ada", "last_name": "Byron", "email": "ada@example.com"},
    "group": {"id": "g-1", "name": "Sales", "members": [{"id": "u-1", "email": "ada@example.com"}]},
    "meeting": {"id": NUMBER, "uuid": "u==", "topic": "Stand-up", "host_id": "h-1"},
    "webinar": {"id": NUMBER, "uuid": "u==", "topic": "Launch", "host_id": "h-1"},
    "recording": {"id": NUMBER, "uuid": "r==", "topic": "Stand-up", "host_id": "h-1"},
}
OF_LISTS = [event for event in followed() if event.lists]


@pytest.fixture
def subscription(faulty):
    for mirrored in (USERS, GROUPS):
        state = mirrored.state_of(faulty)
        MirrorState.objects.filter(pk=state.pk).update(viewed_at=timezone.now())
    return subscribed(faulty)


def report(subscription, event, data, **beside):
    return accept(
        subscription,
        {"event": event, "event_ts": 1_790_000_000_000, "payload": {"object": data}, **beside},
        f"{event} {data} {beside}".encode(),
    )


def test_an_event_has_the_lists_that_it_is_about_read_again(subscription):
    connection = subscription.connection
    for event in OF_LISTS:
        MirrorState.objects.update(requested_at=None)
        SessionToRead.objects.all().delete()
        Job.objects.all().delete()
        taken = report(subscription, event.name, OBJECTS[event.name.split(".")[0]])
        assert taken.changes, (event.name, taken.did)
        lists = (("people", USERS), ("groups", GROUPS))
        asked = {name for name, each in lists if each.state_of(connection).requested_at}
        rereads = SessionToRead.objects.filter(connection=connection, session_id=str(NUMBER))
        asked |= set(rereads.values_list("kind", flat=True)) & set(event.lists)
        if Job.objects.filter(connection=connection, kind="recordings.read").exists():
            asked.add("recordings")
        assert asked == event.lists, event.name


def test_an_event_without_a_list_says_so(subscription):
    without = [event.name for event in REPORTED.values() if not event.is_followed]
    said = {report(subscription, name, {"id": "1"}).did for name in without}
    assert said == {"Nothing: no list depends on this event."}


def test_an_unknown_event_is_not_followed(subscription):
    taken = report(subscription, "phone.callee_answered", {"id": "1"})
    assert taken.did == "Nothing: Switchboard does not follow this event."


@pytest.mark.parametrize(
    ("event", "topic", "title"),
    [
        ("user.created", "Ada Byron", "Person created"),
        ("user.tsp_updated", "ada@example.com", "TSP account changed"),
        ("group.created", "Sales", "Group created"),
        ("group.member_added", "ada@example.com", "Added to a group"),
        ("webinar.started", "Launch", "Webinar started"),
        ("meeting.started", "Stand-up", "Meeting started"),
    ],
)
def test_an_event_is_named_by_what_it_is_about(subscription, client, event, topic, title):
    report(subscription, event, OBJECTS[event.split(".")[0]])
    kept = Delivery.objects.get()
    assert kept.topic == topic
    client.force_login(subscription.connection.owner)
    page = client.get(address(subscription.connection, "deliveries")).content.decode()
    assert title in page
    assert topic in page


def test_recordings_named_by_uuid_alone_are_read_by_their_hosts(subscription):
    connection = subscription.connection
    MirroredRecording.objects.create(connection=connection, uuid="r==", host_id="h-7")
    data = {"meetings": [{"meeting_uuid": "r==", "recording_files": []}]}
    taken = report(subscription, "recording.batch_deleted", data)
    assert taken.did == "The recordings of host h-7 are being updated."
    assert Delivery.objects.get().instance == "r=="
    unknown = report(subscription, "recording.batch_trashed", {"meeting_uuids": ["r==", "x=="]})
    assert unknown.did == "The recordings of all hosts are being updated."


def test_many_reports_lead_to_few_readings(subscription):
    state = USERS.state_of(subscription.connection)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=timezone.now())
    report(subscription, "user.created", {"id": "u-1"})
    first = USERS.state_of(subscription.connection).requested_at
    assert first > timezone.now() + timedelta(seconds=20)
    report(subscription, "user.created", {"id": "u-2"})
    assert USERS.state_of(subscription.connection).requested_at == first


def test_a_list_that_no_one_views_is_left_to_who_opens_it(subscription):
    MirrorState.objects.update(viewed_at=None)
    taken = report(subscription, "group.member_added", OBJECTS["group"])
    assert not taken.changes
    assert taken.did == (
        "Groups are updated when someone next opens them.\n"
        "People are updated when someone next opens them."
    )


@pytest.fixture
def deauthorized(subscription):
    at = int(timezone.now().timestamp() * 1000)
    payload = {"account_id": "a", "user_id": "u", "client_id": "c", "event_ts": at}
    sent = {"event": "app_deauthorized", "payload": payload}
    for content in (b"1", b"2"):
        taken = accept(subscription, sent, content)
    assert taken.happened_at
    return subscription


def test_end_of_authorization_is_on_home_and_in_one_mail(deauthorized, client):
    owner = deauthorized.connection.owner
    assert "no longer authorized" in Delivery.objects.latest("pk").did
    told = [one for one in delivered() if "no longer authorized" in one.subject]
    assert [one.to for one in told] == [[owner.email]]
    client.force_login(owner)
    home = client.get(reverse("home"), follow=True).content.decode()
    assert "The app is no longer authorized at the service" in home
    page = client.get(address(deauthorized.connection, "following")).content.decode()
    assert "the app is no longer authorized" in page


@pytest.mark.parametrize("by", ["event", "token", "credentials"])
def test_the_alarm_ends_with_a_later_event_or_a_new_token(deauthorized, by):
    connection = deauthorized.connection
    assert lasting([connection])
    later = timezone.now() + timedelta(minutes=1)
    if by == "event":
        stamp = int(later.timestamp() * 1000)
        report(deauthorized, "user.created", {"id": "u-1"}, event_ts=stamp)
    elif by == "credentials":
        connections.save(Origin(connection.owner), connection, "another-token")
    else:
        ServiceToken.objects.create(connection=connection, received_at=later)
    assert not lasting([connection])


def test_events_to_tick_are_listed_to_copy(subscription, client):
    connection = subscription.connection
    subscription.set_secrets(["a-secret-of-the-app"])
    subscription.save()
    client.force_login(connection.owner)
    page = client.get(address(connection, "following")).content.decode()
    names = " ".join(event.name for event in followed())
    assert f'data-copy="{names}"' in page
    for name in ("app_deauthorized", "user.updated", "recording.batch_trashed", "meeting.started"):
        assert f"<code>{name}</code>" in page
    assert "meeting.risk_alert" not in page


def test_numbers_of_a_delivery_stay_as_they_are(subscription):
    report(subscription, "meeting.updated", {"id": 2**53 + 1, "further": 2**60 + 1})
    kept = Delivery.objects.get()
    assert kept.object_id == str(2**53 + 1)
    assert f'"further": {2**60 + 1}' in kept.payload
