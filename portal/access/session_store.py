"""Sessions in the database, encrypted: secrets wait in them.

An authenticator's secret until it is activated, the key of a set-password link, a form that is held
back until somebody proves who they are. The key is derived from SECRET_KEY, so that a new one ends
all sessions, as it does everywhere in Django.
"""

from base64 import urlsafe_b64encode
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib.sessions.backends import db
from django.utils.crypto import salted_hmac


class SessionStore(db.SessionStore):
    """What cannot be read is an empty session: whoever has it signs in again."""

    def encode(self, session_dict: dict[str, Any]) -> str:
        return _keys().encrypt(self.serializer().dumps(session_dict)).decode()

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        try:
            kept = _keys().decrypt(session_data)
        except InvalidToken:
            return {}
        read: dict[str, Any] = self.serializer().loads(kept)
        return read


def _keys() -> MultiFernet:
    return MultiFernet(
        [_key(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    )


@lru_cache
def _key(secret: str) -> Fernet:
    digest = salted_hmac("portal.access.session_store", "", secret, algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(digest))
