"""Promise 27 of a webhook that was made at the service: it signs what it sends."""

import json
from unittest.mock import patch

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.contract.webhooks import WebhookEvent
from portal.mirror.models import MirrorState
from portal.sessions.mirror import state_of
from portal.webhooks import signatures, subscriptions
from portal.webhooks.models import Delivery, Refusal, Subscription
from portal.webhooks.payloads import event_in
from portal.webhooks.signatures import SigningScheme
from tests.support.deliveries import forget_counts

pytestmark = pytest.mark.django_db
# Vectors that two clients of such a service agree on.
SECRET = "whsec-Switchboard-2026"
AT = 1795564800
CHALLENGE = (
    b'{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"},'
    b'"event_ts":1795564800123}'
)
CHALLENGE_SIGNATURE = "v0=8e558282d11754e8a9673ae9c32144fe2a1334ab557719deac4aeed54b2934a4"
STARTED = (
    '{"event":"meeting.started","event_ts":1795564800123,"payload":{"account_id":"AAAAAABBBB",'
    '"object":{"id":"1234567890","uuid":"4444AAAiAAAAAiAiAiiAii==","host_id":'
    '"x1yCzABCDEfg23HiJKl4mN","topic":"Köln \\u00fc \\/ “quoted”","type":2,'
    '"start_time":"2026-11-24T12:00:00Z","duration":60,"timezone":"Europe/Berlin"}}}'
).encode()
STARTED_SIGNATURE = "v0=ba921e8b879d4b7769cd3a3e4697445752474a796f63cf9f362390da566889cf"


@pytest.fixture(autouse=True)
def _then():
    forget_counts()
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def subscription(connection):
    state = state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(viewed_at=timezone.now())
    return subscriptions.follow_signed(Origin(), connection, SECRET, Subscription().scheme)


def _post(subscription, body, signature, timestamp=AT):
    scheme = subscription.scheme
    headers = {scheme.signature_header: signature, scheme.timestamp_header: str(timestamp)}
    client = Client(enforce_csrf_checks=True)
    url = reverse("hook", args=[subscription.path])
    answer: HttpResponse = client.post(url, body, content_type="application/json", headers=headers)
    return answer


def _signed(subscription, body, secret=SECRET):
    return _post(subscription, body, subscription.scheme.signature(secret, str(AT), body))


def test_event_signed_over_its_bytes_is_taken_once(subscription):
    assert _post(subscription, STARTED, STARTED_SIGNATURE).status_code == 204
    assert _post(subscription, STARTED, STARTED_SIGNATURE).status_code == 204
    delivery = Delivery.objects.get()
    assert (delivery.event, delivery.object_id, delivery.times) == (
        "meeting_started",
        "1234567890",
        2,
    )
    assert delivery.changes
    assert delivery.happened_at
    assert delivery.happened_at.isoformat() == "2026-11-25T00:00:00.123000+00:00"


def test_event_without_a_moment_is_taken_once_for_each_signature(subscription):
    body = b'{"event":"meeting.started","payload":{"object":{"id":"1234567890"}}}'
    for _ in range(2):
        assert _signed(subscription, body).status_code == 204
    later = AT + 60
    signature = subscription.scheme.signature(SECRET, str(later), body)
    assert _post(subscription, body, signature, later).status_code == 204
    assert sorted(Delivery.objects.values_list("times", flat=True)) == [1, 2]


def test_question_whose_address_it_is_gets_its_answer(subscription):
    answer = _post(subscription, CHALLENGE, CHALLENGE_SIGNATURE)
    assert answer.status_code == 200
    assert json.loads(answer.content) == {
        "plainToken": "qgg8vlvZRS6UYooatFL8Aw",
        "encryptedToken": "5435ad260b95a429326684366fd6c9480ae4f5ab4161be18ed23e0249af289c9",
    }
    subscription.refresh_from_db()
    assert subscription.validated_at
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(
    ("signature", "timestamp"),
    [
        (STARTED_SIGNATURE[:-1] + "0", AT),
        (STARTED_SIGNATURE.removeprefix("v0="), AT),
        ("", AT),
        ("v0=é", AT),
        (STARTED_SIGNATURE, AT + 1),
        (STARTED_SIGNATURE, ""),
    ],
)
def test_event_with_another_signature_is_refused(subscription, signature, timestamp):
    assert _post(subscription, STARTED, signature, timestamp).status_code == 401
    assert Refusal.objects.get().why == Refusal.Why.SIGNATURE
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(("off", "status"), [(300, 204), (-300, 204), (301, 401), (-301, 401)])
def test_event_is_refused_five_minutes_after_its_signature(subscription, off, status):
    with time_machine.travel(AT + off, tick=False):
        assert _post(subscription, STARTED, STARTED_SIGNATURE).status_code == status


def test_events_with_dots_are_read_by_the_names_of_the_interface():
    sent = {
        "meeting.started": WebhookEvent.MEETING_STARTED,
        "meeting.ended": WebhookEvent.MEETING_ENDED,
        "meeting.participant_left": WebhookEvent.PARTICIPANT_LEFT,
        "meeting.registration_created": WebhookEvent.MEETING_REGISTERED,
        "webinar.ended": "webinar.ended",
        "meeting.participant_jbh_joined": WebhookEvent.MEETING_JBH,
        "meeting.participant_jbh_waiting": WebhookEvent.MEETING_JOIN,
        "meeting.participant_joined": WebhookEvent.PARTICIPANT_JOINED,
        "webinar.participant_left": "webinar.participant_left",
        "webinar.registration_created": "webinar.registration_created",
        "recording.completed": WebhookEvent.RECORDING_COMPLETED,
        "recording.transcript_completed": WebhookEvent.RECORDING_TRANSCRIPT_COMPLETED,
        "phone.callee_ringing": "phone.callee_ringing",
    }
    assert {event: event_in({"event": event}) for event in sent} == sent
    assert {*WebhookEvent} <= {*sent.values()}


def test_each_secret_is_compared_in_constant_time():
    scheme = Subscription().scheme
    headers = {
        scheme.signature_header: scheme.signature("first", str(AT), b"{}"),
        scheme.timestamp_header: str(AT),
    }
    compare = signatures.constant_time_compare
    with patch.object(signatures, "constant_time_compare", wraps=compare) as compared:
        assert scheme.secret_of(["first", "second"], headers, b"{}") == "first"
    assert compared.call_count == 2


def test_password_lets_nobody_in_where_events_are_signed(subscription):
    url = reverse("hook", args=[subscription.path])
    headers = {"Authorization": "Basic Og=="}
    assert Client().post(url, STARTED, "application/json", headers=headers).status_code == 401


def test_earlier_secret_counts_until_it_is_removed(client, connection):
    page = reverse("webhooks:follow-signed", args=[connection.key])
    scheme = {"signature_header": "X-Sign", "timestamp_header": "X-Time", "version": "v1"}
    for secret in ("the first secret", "the second secret"):
        assert client.post(page, {"secret": secret, **scheme}).status_code == 303
    own = Subscription.objects.get()
    assert own.scheme == SigningScheme("X-Sign", "X-Time", "v1")
    for secret in ("the first secret", "the second secret"):
        assert _signed(own, STARTED, secret).status_code == 204
    client.post(reverse("webhooks:forget-earlier-secrets", args=[connection.key]))
    assert _signed(own, STARTED, "the first secret").status_code == 401
    assert _signed(own, STARTED, "the second secret").status_code == 204

    stored = str(Subscription.objects.values().get()) + str(list(AuditEntry.objects.values()))
    shown = client.get(reverse("webhooks:following", args=[connection.key])).content.decode()
    assert own.url in shown
    assert not any("second secret" in text for text in (stored, shown))
    client.post(reverse("webhooks:unfollow", args=[connection.key]))
    assert not Subscription.objects.exists()


def test_secret_is_refused_where_service_signs_in_by_password(client, connection):
    Subscription.objects.create(connection=connection, path="p", auth_user="u", password_hash="h")
    page = reverse("webhooks:follow-signed", args=[connection.key])
    sent = {"secret": "a secret token", "version": "v 0", "signature_header": "X:Y"}
    wrong = client.post(page, sent).content.decode()
    assert "not the name of a header" in wrong
    assert "Letters, digits and dots" in wrong
    right = {"version": "v0", "signature_header": "X-Sign", "timestamp_header": "X-Time"}
    assert "Unsubscribe first" in client.post(page, sent | right).content.decode()
