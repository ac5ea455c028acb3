"""Idempotency keys: a form is processed once, however often it is submitted.

A form that creates something carries an idempotency key, made when it was shown. The first to send
it takes the key, in the database, where only one can; a second click or a reload cannot, and
learns what became of the first.
"""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portal.access.models import User
from portal.client import ApiError
from portal.config import clock
from portal.ui.models import SentForm

TIMEOUT = 3.0  # seconds that a second attempt waits for the first one's end
_STORED_FOR = timedelta(days=2)
_LONGEST_KEY = 64
_REFUSED_HERE = (PermissionDenied, ReauthenticationRequired)  # before anything was sent


class Sending:
    """One attempt to carry a form out. `earlier` is the attempt that took its key before."""

    def __init__(self, form: SentForm, earlier: SentForm | None) -> None:
        self._form = form
        self.earlier = earlier
        self.is_resolved = earlier is not None

    def done(self, result: str) -> None:
        """Marks the form as processed; later submits of it see `result`."""
        self._resolve(SentForm.State.DONE, result)

    def unknown(self) -> None:
        """Marks the outcome as unknown, so that this form is not sent again."""
        self._resolve(SentForm.State.UNKNOWN)

    def undone(self) -> None:
        """Marks the form as not processed: the same form may be sent again."""
        self._form.delete()
        self.is_resolved = True

    def _resolve(self, state: SentForm.State, result: str = "") -> None:
        self._form.state, self._form.result = state, result
        self._form.save(update_fields=["state", "result"])
        self.is_resolved = True


@contextmanager
def attempt(user: User, idempotency_key: str, *, reaches_service: bool = True) -> Iterator[Sending]:
    """Yields one attempt, which ends in any case: as `done` says, or by what was raised.

    Without either, or if nothing can have happened at the service, the form may be sent again.
    What does not reach the service is undone by whatever is raised.
    """
    sending = send(user, idempotency_key)
    try:
        yield sending
    except BaseException as error:
        if not sending.is_resolved:
            _fail(sending, error, reaches_service)
        raise
    if not sending.is_resolved:
        sending.undone()


def _fail(sending: Sending, error: BaseException, reaches_service: bool) -> None:
    is_undone = isinstance(error, _REFUSED_HERE) or not reaches_service
    if isinstance(error, ApiError):
        is_undone = not error.may_have_happened
    sending.undone() if is_undone else sending.unknown()


def new_key() -> str:
    return secrets.token_urlsafe(16)


def send(user: User, idempotency_key: str, timeout: float | None = None) -> Sending:
    """Begins to carry a form out, unless that was begun before.

    If another request is at it right now, waits for its end for up to `timeout` seconds, or
    `TIMEOUT`. A form without a key gets one of its own.
    """
    SentForm.objects.filter(user=user, sent_at__lt=clock.now() - _STORED_FOR).delete()
    idempotency_key = idempotency_key.replace("\x00", "")[:_LONGEST_KEY] or new_key()
    try:
        with transaction.atomic():
            return Sending(SentForm.objects.create(user=user, ticket=idempotency_key), None)
    except IntegrityError:
        wait = TIMEOUT if timeout is None else timeout
        return _follow(user, idempotency_key, time.monotonic() + wait)


def result_of(user: User, idempotency_key: str) -> str:
    """Returns the result of a processed form; empty if none was."""
    done = SentForm.objects.filter(user=user, ticket=idempotency_key, state=SentForm.State.DONE)
    return done.values_list("result", flat=True).first() or ""


def _follow(user: User, idempotency_key: str, until: float) -> Sending:
    while True:
        earlier = SentForm.objects.filter(user=user, ticket=idempotency_key).first()
        if earlier is None:  # nothing came of it, so that this attempt is the first again
            return send(user, idempotency_key)
        if earlier.state != SentForm.State.SENDING or time.monotonic() >= until:
            return Sending(earlier, earlier)
        time.sleep(0.1)
