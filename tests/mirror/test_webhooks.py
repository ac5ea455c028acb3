"""Promise 27: notifications are taken from the service alone, once each, and hold nothing up."""

import base64
import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from portal.access.api import api_for
from portal.access.grants import scope_of
from portal.access.models import AuditEntry, Connection
from portal.client import ServerFault
from portal.mirror import deliveries, webhooks
from portal.mirror.models import Delivery, MirrorState, Subscription
from portal.mirror.models.webhooks import keyed
from portal.mirror.views.receiver import LARGEST
from portal.sessions.mirror import state_of
from portal.sessions.models import SessionToRead
from tests.support.fault_server import FaultServer, answer, reset
from tests.support.portal import admin_client_for
from tests.support.sandbox import Sandbox

pytestmark = pytest.mark.django_db
STARTED = {
    "event": "meeting_started",
    "event_id": "e-1",
    "payload": {"object": {"id": "1", "type": 2}},
}


@pytest.fixture
def subscription(connection: Connection) -> Subscription:
    """One that the service never heard of."""
    return _subscribed(connection)


def _subscribed(connection: Connection) -> Subscription:
    """A subscription of a connection with viewed sessions."""
    state = state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(viewed_at=timezone.now())
    return Subscription.objects.create(
        connection=connection, path="a-path", auth_user="conf", password_hash=keyed("pa:ss wörd")
    )


def _post(
    subscription: Subscription,
    content: bytes | dict[str, Any],
    *,
    user: str = "conf",
    password: str = "pa:ss wörd",
) -> int:
    body = json.dumps(content).encode() if isinstance(content, dict) else content
    signed = base64.b64encode(f"{user}:{password}".encode()).decode()
    client = Client(enforce_csrf_checks=True)
    url = reverse("hook", args=[subscription.path])
    answered = client.post(
        url, body, content_type="application/json", headers={"Authorization": f"Basic {signed}"}
    )
    return int(answered.status_code)


def _is_wanted(subscription: Subscription) -> bool:
    """Returns whether anything is to be read again."""
    return (
        SessionToRead.objects.filter(connection=subscription.connection).exists()
        or state_of(subscription.connection).is_wanted
    )


def test_a_notification_asks_for_a_newer_copy_and_calls_nobody(
    faulty: Connection, fault_server: FaultServer
) -> None:
    subscription = _subscribed(faulty)
    assert _post(subscription, STARTED) == 204
    assert _is_wanted(subscription)
    assert fault_server.requests == []
    subscription.refresh_from_db()
    assert subscription.heard_at


def test_a_replay_changes_nothing(subscription: Subscription) -> None:
    assert _post(subscription, STARTED) == 204
    SessionToRead.objects.all().delete()
    assert _post(subscription, STARTED) == 204
    assert not _is_wanted(subscription)
    assert Delivery.objects.count() == 1
    assert _post(subscription, {**STARTED, "event_id": "e-2"}) == 204
    assert _is_wanted(subscription)


def test_unstorable_ids_still_tell_deliveries_apart(
    subscription: Subscription,
) -> None:
    ids = ["\ud800", "\ud801", "a\0b", "ab", "x" * 300, "x" * 299, {"a": 1}, {"a": 2}, 7]
    for event_id in [*ids, *ids]:
        assert _post(subscription, {**STARTED, "event_id": event_id}) == 204
    assert Delivery.objects.count() == len(ids)


@pytest.mark.parametrize(
    ("user", "password"),
    [("conf", "wrong"), ("wrong", "pa:ss wörd"), ("", ""), ("conf", ""), ("cönf", "pa:ss wörd")],
)
def test_nobody_else_is_let_in(subscription: Subscription, user: str, password: str) -> None:
    assert _post(subscription, STARTED, user=user, password=password) == 401
    assert not _is_wanted(subscription)


@pytest.mark.parametrize(
    "header", ["", "Basic", "Basic ???", "Basic /w==", "Bearer abc", "Basic é"]
)
def test_a_malformed_sign_in_is_refused(subscription: Subscription, header: str) -> None:
    url = reverse("hook", args=[subscription.path])
    sent = {"HTTP_AUTHORIZATION": header} if header else {}
    answered = Client().post(url, b"{}", content_type="application/json", **sent)
    assert answered.status_code == 401
    assert "Basic" in answered["WWW-Authenticate"]


def test_address_that_was_never_made_looks_like_wrong_password(
    subscription: Subscription,
) -> None:
    unknown = Subscription(path="never-made")
    assert _post(unknown, STARTED, user="nobody", password="") == 401


def test_both_names_and_passwords_are_compared_in_constant_time(
    subscription: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []

    def compare(one: Any, other: Any) -> bool:
        compared.append(1)
        return bool(one == other)

    monkeypatch.setattr("portal.mirror.models.webhooks.constant_time_compare", compare)
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
def test_what_is_no_notification_of_ours_changes_nothing(
    subscription: Subscription, content: bytes, status: int
) -> None:
    assert _post(subscription, content) == status
    assert not _is_wanted(subscription)


def test_what_was_taken_is_forgotten_after_two_weeks(subscription: Subscription) -> None:
    _post(subscription, STARTED)
    _post(subscription, {**STARTED, "event_id": "e-2"})
    Delivery.objects.filter(event_id="e-1").update(came_at=timezone.now() - timedelta(days=15))
    assert deliveries.prune() == 1
    assert list(Delivery.objects.values_list("event_id", flat=True)) == ["e-2"]


def test_following_and_no_longer_following(
    connection: Connection, sandbox: Sandbox, settings: Settings
) -> None:
    client = admin_client_for(connection.owner)
    page = reverse("mirror:following", args=[connection.key])
    assert "Subscribe" in client.get(page).content.decode()
    before = sandbox.client.get("/webhooks").json()["total_records"]
    for _ in range(2):  # a second click makes no second webhook
        assert client.post(reverse("mirror:follow", args=[connection.key])).status_code == 303
    kept = Subscription.objects.get(connection=connection)
    data = sandbox.client.get(f"/webhooks/{kept.webhook_id}").json()
    assert sandbox.client.get("/webhooks").json()["total_records"] == before + 1
    assert (data["url"], data["auth_user"]) == (kept.url, kept.auth_user)
    assert kept.url.startswith(f"{settings.SITE_URL}/hooks/")
    assert kept.lets_in(data["auth_user"], data["auth_password"])
    html = client.get(page).content.decode()
    assert "Unsubscribe" in html
    removing = client.get(reverse("access:connection-remove", args=[connection.key]))
    assert page in removing.content.decode()
    for place in (html, repr(vars(kept)), repr(list(AuditEntry.objects.values()))):
        assert data["auth_password"] not in place
    assert client.post(reverse("mirror:unfollow", args=[connection.key])).status_code == 303
    assert not Subscription.objects.exists()
    assert sandbox.client.get(f"/webhooks/{kept.webhook_id}").status_code == 404


def test_a_refused_subscription_leaves_nothing_behind(
    faulty: Connection, fault_server: FaultServer
) -> None:
    fault_server.always(answer(500, {"message": "Out of order."}))
    with pytest.raises(ServerFault):
        webhooks.follow(api_for(scope_of(faulty.owner, faulty)), faulty)
    assert not Subscription.objects.exists()


def test_an_answer_that_is_lost_is_made_good_by_looking(
    faulty: Connection, fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.mirror.webhooks.secrets.token_urlsafe", lambda _size: "a-path")
    url = Subscription(path="a-path").url
    listed = {"webhooks": [{"webhook_id": "w1", "url": url}], "total_records": 1}
    fault_server.then(reset(after_reading=True), answer(200, listed))
    assert webhooks.follow(api_for(scope_of(faulty.owner, faulty)), faulty).webhook_id == "w1"
