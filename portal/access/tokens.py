"""Tokens of the conferencing service, encrypted at rest under `TOKEN_KEYS`, newest key first."""

import zlib
from base64 import b64decode, b64encode
from contextlib import suppress

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from portal.client import Secret
from portal.translation import gettext as _

HINT_LENGTH = 4
_BEGINNING = "gAAAA"  # of every Fernet token, by its version


class TokenUnreadable(Exception):
    """A stored token was encrypted under a key that `TOKEN_KEYS` does not have."""

    def __init__(self) -> None:
        super().__init__(_("This token was encrypted under a key that TOKEN_KEYS does not list."))


def _keys() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.TOKEN_KEYS])


def seal(token: str) -> str:
    return _keys().encrypt(token.encode()).decode()


def unseal(sealed: str) -> Secret:
    """The token to call with. Raises `TokenUnreadable`."""
    try:
        return Secret(_keys().decrypt(sealed.encode()).decode())
    except InvalidToken:
        raise TokenUnreadable from None


def seal_file(content: bytes) -> str:
    """Returns the content compressed and encrypted."""
    return seal(b64encode(zlib.compress(content)).decode())


def unseal_file(sealed: str) -> bytes:
    """Returns the content that `seal_file` was given. Raises `TokenUnreadable`."""
    return zlib.decompress(b64decode(unseal(sealed).value))


def is_sealed(text: str) -> bool:
    """Returns whether the text has the form of a result of `seal`."""
    return text.startswith(_BEGINNING)


def reseal(sealed: str) -> str:
    """Returns it under the newest key; itself if it is that already. Raises `TokenUnreadable`."""
    with suppress(InvalidToken):
        Fernet(settings.TOKEN_KEYS[0]).decrypt(sealed.encode())
        return sealed
    try:
        return _keys().rotate(sealed.encode()).decode()
    except InvalidToken:
        raise TokenUnreadable from None


def hint(token: str) -> str:
    """The last characters of a token, fewer of a short one, so that most of it stays unknown."""
    return token[len(token) - min(HINT_LENGTH, len(token) // 4) :]
