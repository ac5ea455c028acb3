"""A token that does not show itself."""

from typing import Never
from urllib.parse import quote, quote_plus

from portal.client.decoding import readings, squashed
from portal.client.messages import LEFT_OUT
from portal.contract.words import gettext

_SHOWN = "••••"
_LONGEST = 20_000  # characters that are looked through
_SHORTEST = 8
_TOO_SHORT = 4  # to be distinguished from chance


class Secret:
    """Holds a token. It is neither printed nor pickled; only `value` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    @property
    def value(self) -> str:
        return self._value

    def hide(self, text: str) -> str:
        """`text` without the token, as it is or percent-encoded.

        Where the token, or a good part of it, is in there in any other form, or may be, none of the
        text is left.
        """
        if not self._value:
            return text
        if len(text) > _LONGEST:
            return gettext(LEFT_OUT)
        for form in {self._value, quote(self._value, safe=""), quote_plus(self._value)}:
            text = text.replace(form, _SHOWN)
        return gettext(LEFT_OUT) if self._is_in(text) else text

    def _is_in(self, text: str) -> bool:
        parts = self._parts()
        for reading in readings(text):
            squeezed = squashed(reading)
            if any(part in squeezed for part in parts):
                return True
        return False

    def _parts(self) -> set[str]:
        """All parts of the token, half as long as it is, of which one would give too much away."""
        forms = {squashed(self._value), squashed(self._value.encode().decode("latin-1"))}
        found = set()
        for form in forms:
            if len(form) < _TOO_SHORT:
                continue
            size = min(len(form), max(_SHORTEST, len(form) // 2))
            found |= {form[at : at + size] for at in range(len(form) - size + 1)}
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return f"Secret({_SHOWN})"

    def __str__(self) -> str:
        return _SHOWN

    def __reduce__(self) -> Never:
        raise TypeError("A token is not pickled: it would lie in task messages and caches.")
