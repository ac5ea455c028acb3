"""Sessions in the database, encrypted, since they contain secrets.

Such as an authenticator's secret until it is activated, the key of a set-password link, or a form
that waits for a proof of identity. The key is derived from SECRET_KEY, so that a new one ends all
sessions, as it does everywhere in Django.

Each is one row, written with the session: so a user's sessions are a query, and a session ends with
its row.
"""

from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from portal.access.models import Session
from portal.config import clock
from portal.config.database import Busy, briefly
from portal.config.database_errors import is_read_only
from portal.config.middleware import client_address

BEGUN = "begun"
SEEN = "seen"
ADDRESS = "address"
USER_AGENT = "user_agent"


@receiver(user_logged_in)
def begin(request: HttpRequest, **_kwargs: object) -> None:
    request.session[BEGUN] = int(clock.now().timestamp())
    request.session.update(_use_of(request))


def record_use_briefly(request: HttpRequest) -> None:
    """Records a session's use, which may go on from another address, and in a newer browser."""
    record_briefly(request, _use_of(request))


def record_briefly(request: HttpRequest, values: dict[str, object]) -> None:
    """Stores values that are a convenience: a page does not wait for another writer of the
    database, and the next one stores them then."""
    was_modified = request.session.modified
    request.session.update(values)
    if was_modified:
        return  # it is written in any case
    try:
        with briefly():
            request.session.save()
    except Busy:
        pass
    except UpdateError:
        return  # it may have ended meanwhile: its middleware finds that out
    request.session.modified = False


def _use_of(request: HttpRequest) -> dict[str, object]:
    return {
        SEEN: int(clock.now().timestamp()),
        ADDRESS: _stored(client_address(request), 45),
        USER_AGENT: user_agent(request),
    }


def user_agent(request: HttpRequest) -> str:
    """Returns the browser's name for itself, in 300 characters at most."""
    return _stored(request.headers.get("User-Agent", ""), 300)


def _stored(text: str, longest: int) -> str:
    """As any database takes it."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()[:longest]


class SessionStore(db.SessionStore):
    """Store in which an unreadable session is an empty one: its person signs in again."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        row.user_id = data.get(SESSION_KEY)
        row.handle = _handle(row.session_key)
        row.begun_at, row.seen_at = _moment(data.get(BEGUN)), _moment(data.get(SEEN))
        row.ip, row.user_agent = data.get(ADDRESS, ""), data.get(USER_AGENT, "")
        return row

    def save(self, must_create: bool = False) -> None:
        """A database that takes nothing has ended no session."""
        try:
            super().save(must_create)
        except UpdateError as ended:
            error = ended.__context__
            if isinstance(error, DatabaseError) and is_read_only(error):
                raise error from error.__cause__
            raise

    def get_expiry_date(self, **kwargs: object) -> datetime:
        return super().get_expiry_date(**{"modification": clock.now(), **kwargs})

    def _get_session_from_db(self) -> Session | None:
        """By the clock of the database, as `get_expiry_date`."""
        rows = self.model.objects.filter(session_key=self.session_key)
        result = rows.filter(expire_date__gt=clock.now()).first()
        if result is None:
            self._session_key = None
        return cast(Session | None, result)

    def encode(self, session_dict: dict[str, object]) -> str:
        return _keys().encrypt(self.serializer().dumps(session_dict)).decode()

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        try:
            decrypted = _keys().decrypt(session_data)
        except InvalidToken:
            return {}
        read: dict[str, object] = self.serializer().loads(decrypted)
        return read


def _handle(key: str) -> str:
    return salted_hmac("portal.access.sessions", key, algorithm="sha256").hexdigest()[:32]


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _keys() -> MultiFernet:
    return MultiFernet(
        [_key(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    )


@lru_cache
def _key(secret: str) -> Fernet:
    digest = salted_hmac("portal.sign_in.session_store", "", secret, algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(digest))
