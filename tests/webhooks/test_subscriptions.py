"""Promise 27: notifications are taken from the service alone, once each, and hold nothing up."""

import base64
import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import scope_of
from portal.audit.models import AuditEntry
from portal.client import ServerFault
from portal.connections.api import api_for
from portal.mirror.models import MirrorState
from portal.sessions.mirror import state_of
from portal.sessions.models import SessionToRead
from portal.webhooks import deliveries, subscriptions
from portal.webhooks.models import Delivery, Subscription, keyed
from portal.webhooks.views.receiver import LARGEST
from tests.support.fault_server import answer, reset
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db
STARTED = {
    "event": "meeting_started",
    "event_id": "e-1",
    "payload": {"object": {"id": "1", "type": 2}},
}


@pytest.fixture
def subscription(connection):
    """One that the service never heard of."""
    return _subscribed(connection)


def _subscribed(connection):
    """A subscription of a connection with viewed sessions."""
    state = state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(viewed_at=timezone.now())
    return Subscription.objects.create(
        connection=connection, path="a-path", auth_user="conf", password_hash=keyed("pa:ss wörd")
    )


def _post(subscription, content, *, user="conf", password="pa:ss wörd"):
    body = json.dumps(content).encode() if isinstance(content, dict) else content
    signed = base64.b64encode(f"{user}:{password}".encode()).decode()
    client = Client(enforce_csrf_checks=True)
    url = reverse("hook", args=[subscription.path])
    answered = client.post(
        url, body, content_type="application/json", headers={"Authorization": f"Basic {signed}"}
    )
    return int(answered.status_code)


def _is_wanted(subscription):
    """Returns whether anything is to be read again."""
    return (
        SessionToRead.objects.filter(connection=subscription.connection).exists()
        or state_of(subscription.connection).is_wanted
    )


def test_a_notification_asks_for_a_newer_copy_and_calls_nobody(faulty, fault_server):
    subscription = _subscribed(faulty)
    assert _post(subscription, STARTED) == 204
    assert _is_wanted(subscription)
    assert fault_server.requests == []
    subscription.refresh_from_db()
    assert subscription.heard_at


def test_a_replay_changes_nothing(subscription):
    assert _post(subscription, STARTED) == 204
    SessionToRead.objects.all().delete()
    assert _post(subscription, STARTED) == 204
    assert not _is_wanted(subscription)
    assert Delivery.objects.count() == 1
    assert _post(subscription, {**STARTED, "event_id": "e-2"}) == 204
    assert _is_wanted(subscription)


def test_unstorable_ids_still_tell_deliveries_apart(subscription):
    ids = ["\ud800", "\ud801", "a\0b", "ab", "x" * 300, "x" * 299, {"a": 1}, {"a": 2}, 7]
    for event_id in [*ids, *ids]:
        assert _post(subscription, {**STARTED, "event_id": event_id}) == 204
    assert Delivery.objects.count() == len(ids)


@pytest.mark.parametrize(
    ("user", "password"),
    [("conf", "wrong"), ("wrong", "pa:ss wörd"), ("", ""), ("conf", ""), ("cönf", "pa:ss wörd")],
)
def test_nobody_else_is_let_in(subscription, user, password):
    assert _post(subscription, STARTED, user=user, password=password) == 401
    assert not _is_wanted(subscription)


@pytest.mark.parametrize(
    "header", ["", "Basic", "Basic ???", "Basic /w==", "Bearer abc", "Basic é"]
)
def test_a_malformed_sign_in_is_refused(subscription, header):
    url = reverse("hook", args=[subscription.path])
    sent = {"HTTP_AUTHORIZATION": header} if header else {}
    answered = Client().post(url, b"{}", content_type="application/json", **sent)
    assert answered.status_code == 401
    assert "Basic" in answered["WWW-Authenticate"]


def test_address_that_was_never_made_looks_like_wrong_password(subscription):
    unknown = Subscription(path="never-made")
    assert _post(unknown, STARTED, user="nobody", password="") == 401


def test_both_names_and_passwords_are_compared_in_constant_time(subscription, monkeypatch):
    compared: list[int] = []

    def compare(one, other):
        compared.append(1)
        return bool(one == other)

    monkeypatch.setattr("portal.webhooks.models.constant_time_compare", compare)
    for path, user in ((subscription.path, "conf"), (subscription.path, "x"), ("never", "conf")):
        compared.clear()
        _post(Subscription(path=path), STARTED, user=user)
        assert len(compared) == 2


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[1]", 400),
        (b"null", 400),
        (b"\xff\xfe", 400),
        (b"[" * 50_000, 400),
        (b" " * (LARGEST + 1), 413),
        (b"{}" + b" " * (LARGEST - 2), 204),
        (b'{"event": "of_a_later_version", "event_id": "e"}', 204),
        (b'{"event": "meeting\\u0000", "event_id": "a\\u0000b"}', 204),
        (b'{"event": ["meeting_started"], "event_id": {"a": 1}}', 204),
        (b'{"event": "\\ud800", "event_id": "\\ud800"}', 204),
        (b'{"event_id": ' + b"9" * 4000 + b"}", 204),
        (b'{"event_id": ' + b"9" * 5000 + b"}", 400),
    ],
    ids=lambda value: str(value)[:16],
)
def test_what_is_no_notification_of_ours_changes_nothing(subscription, content, status):
    assert _post(subscription, content) == status
    assert not _is_wanted(subscription)


def test_what_was_taken_is_forgotten_after_two_weeks(subscription):
    _post(subscription, STARTED)
    _post(subscription, {**STARTED, "event_id": "e-2"})
    Delivery.objects.filter(event_id="e-1").update(came_at=timezone.now() - timedelta(days=15))
    assert deliveries.prune() == 1
    assert list(Delivery.objects.values_list("event_id", flat=True)) == ["e-2"]


def test_following_and_no_longer_following(connection, sandbox, settings):
    client = admin_client_for(connection.owner)
    page = reverse("webhooks:following", args=[connection.key])
    assert "Subscribe" in client.get(page).content.decode()
    before = sandbox.client.get("/webhooks").json()["total_records"]
    for _ in range(2):  # a second click makes no second webhook
        assert client.post(reverse("webhooks:follow", args=[connection.key])).status_code == 303
    kept = Subscription.objects.get(connection=connection)
    data = sandbox.client.get(f"/webhooks/{kept.webhook_id}").json()
    assert sandbox.client.get("/webhooks").json()["total_records"] == before + 1
    assert (data["url"], data["auth_user"]) == (kept.url, kept.auth_user)
    assert kept.url.startswith(f"{settings.SITE_URL}/hooks/")
    assert kept.lets_in(data["auth_user"], data["auth_password"])
    html = client.get(page).content.decode()
    assert "Unsubscribe" in html
    removing = client.get(reverse("connections:remove", args=[connection.key]))
    assert page in removing.content.decode()
    for place in (html, repr(vars(kept)), repr(list(AuditEntry.objects.values()))):
        assert data["auth_password"] not in place
    assert client.post(reverse("webhooks:unfollow", args=[connection.key])).status_code == 303
    assert not Subscription.objects.exists()
    assert sandbox.client.get(f"/webhooks/{kept.webhook_id}").status_code == 404


def test_a_refused_subscription_leaves_nothing_behind(faulty, fault_server):
    fault_server.always(answer(500, {"message": "Out of order."}))
    with pytest.raises(ServerFault):
        subscriptions.follow(api_for(scope_of(faulty.owner, faulty)), faulty)
    assert not Subscription.objects.exists()


def test_an_answer_that_is_lost_is_made_good_by_looking(faulty, fault_server, monkeypatch):
    monkeypatch.setattr(
        "portal.webhooks.subscriptions.secrets.token_urlsafe", lambda _size: "a-path"
    )
    url = Subscription(path="a-path").url
    listed = {"webhooks": [{"webhook_id": "w1", "url": url}], "total_records": 1}
    fault_server.then(reset(after_reading=True), answer(200, listed))
    assert subscriptions.follow(api_for(scope_of(faulty.owner, faulty)), faulty).webhook_id == "w1"
