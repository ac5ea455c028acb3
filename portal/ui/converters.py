"""URL converters for ids of the service's objects."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import quote

_PLAIN = re.compile(r"(?!\.+$|~)[^/%\\\x00-\x20\ud800-\udfff]+")
_ENCODED = "~"
_SAFE_IN_PATHS = "!$&'()*+,;=~:@"  # what Django's `reverse` leaves as it is


class IdConverter:
    """An id as one part of a path, whatever the service uses: most stand as they are.

    What browsers and proxies would change on its way (slashes, percent signs, dots alone, spaces)
    is sent in base64 behind a tilde.
    """

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        """Raises `ValueError`, which Django answers with 404."""
        if not value.startswith(_ENCODED):
            return value
        coded = value.removeprefix(_ENCODED)
        return urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode(errors="surrogatepass")

    def to_url(self, value: str) -> str:
        text = str(value)
        if _PLAIN.fullmatch(text):
            return text
        coded = urlsafe_b64encode(text.encode(errors="surrogatepass")).decode()
        return _ENCODED + coded.rstrip("=")


def path_of(pattern: str, placeholder: str, value: str) -> str:
    """Returns the path of one object by the path that was made for a placeholder: for tables, which
    would reverse a name for each row."""
    return pattern.replace(placeholder, quote(IdConverter().to_url(value), safe=_SAFE_IN_PATHS))
