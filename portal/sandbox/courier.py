"""Carries notifications to subscribers, at least once each, beside the requests.

Every worker process has one courier; all share the table of deliveries. A courier claims a delivery
by moving its `due_at` on, so that no other takes it; if that process dies, the delivery is due
again at the end of the lease. A failed delivery is tried again at growing intervals, for a day.
"""

import base64
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import httpcore
from django.db import Error as DatabaseFault, close_old_connections
from django.utils.encoding import iri_to_uri

from portal.sandbox.clock import now
from portal.sandbox.current.webhooks import APP, ASKED_EVERY, is_answer, is_question, signed
from portal.sandbox.models import Delivery, Webhook
from portal.sandbox.options import options
from portal.sandbox.writing import turn

log = logging.getLogger(__name__)

_LEASE = timedelta(seconds=30)
_LONGEST_PAUSE = timedelta(minutes=5)
_GIVEN_UP_AFTER = timedelta(days=1)
_AT_ONCE = 8
_LOOKED_AT = 200
_LOOKS_EVERY = 0.5
_PATIENCE = 5.0
_TIMEOUT = {"timeout": dict.fromkeys(("connect", "read", "write", "pool"), _PATIENCE)}
_FAILURES = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.UnsupportedProtocol,
    ValueError,
    OSError,
)

_called = threading.Event()


def wake() -> None:
    """Lets this process's courier look for due deliveries at once."""
    _called.set()


def start() -> None:
    """Starts a courier that runs as long as the process."""
    threading.Thread(target=_Courier().work, name="courier", daemon=True).start()


class _Courier:
    def __init__(self) -> None:
        self._free = threading.Semaphore(_AT_ONCE)
        self._carriers = ThreadPoolExecutor(_AT_ONCE, "carrier")
        # Neither follows redirects nor goes by a proxy.
        self._connections = httpcore.ConnectionPool(max_connections=_AT_ONCE, keepalive_expiry=5)

    def work(self) -> None:
        while True:
            _called.wait(_LOOKS_EVERY)
            _called.clear()
            try:
                self._send_off_what_is_due()
            except DatabaseFault:
                log.exception("The courier could not read what is due.")
                close_old_connections()

    def _send_off_what_is_due(self) -> None:
        # What was never tried goes first: a subscriber that is away delays no other.
        due = Delivery.objects.filter(due_at__lte=now()).order_by("attempts", "due_at", "id")
        for delivery in due[:_LOOKED_AT]:
            self._free.acquire()
            taken = False
            try:
                taken = _take(delivery)
            finally:
                if not taken:
                    self._free.release()
            if taken:
                self._carriers.submit(self._carry, delivery)

    def _carry(self, delivery: Delivery) -> None:
        try:
            hook = Webhook.objects.filter(id=delivery.webhook_id).first()
            if hook is not None:
                _settle(delivery, arrived=self._send(hook, delivery.content))
        except DatabaseFault:
            log.exception("Delivery %s was not settled; it is sent again.", delivery.pk)
            close_old_connections()
        finally:
            self._free.release()

    def _send(self, hook: Webhook, content: str) -> bool:
        """Returns whether the subscriber accepted the delivery, with any 2xx. The rest of the
        answer is not read."""
        headers = [
            *_proof(hook, content),
            ("Content-Type", "application/json"),
            ("User-Agent", "conf-webhooks/2"),
        ]
        try:
            with self._connections.stream(
                "POST",
                iri_to_uri(hook.url),
                content=content.encode(),
                headers=headers,
                extensions=_TIMEOUT,
            ) as answer:
                if hook.id == APP and is_question(content):
                    return is_answer(options().hook_secret, content, answer.read())
                return answer.status // 100 == 2
        except _FAILURES:
            return False


def _proof(hook: Webhook, content: str) -> list[tuple[str, str]]:
    """Returns the headers that identify the sender to the subscriber."""
    if hook.id == APP:
        return signed(options().hook_secret, content)
    credentials = base64.b64encode(f"{hook.auth_user}:{hook.auth_password}".encode())
    return [("Authorization", f"Basic {credentials.decode()}")]


def _take(delivery: Delivery) -> bool:
    """Claims a delivery for this process. Returns False if another process was faster."""
    same = Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at)
    with turn():
        delivery.due_at = now() + _LEASE
        return same.update(due_at=delivery.due_at) == 1


def _settle(delivery: Delivery, *, arrived: bool) -> None:
    mine = Delivery.objects.filter(pk=delivery.pk)
    with turn():
        if delivery.webhook_id == APP and is_question(delivery.content):
            if arrived:
                mine.update(attempts=0, due_at=now() + ASKED_EVERY)
                return
        elif arrived or now() - delivery.reported_at > _GIVEN_UP_AFTER:
            mine.delete()
            return
        pause = min(_LONGEST_PAUSE, timedelta(seconds=2 ** min(delivery.attempts, 20)))
        # Unless it has become due again in between, at another address.
        same = mine.filter(due_at=delivery.due_at)
        same.update(attempts=delivery.attempts + 1, due_at=now() + pause)
