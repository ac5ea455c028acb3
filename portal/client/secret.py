"""A token that does not show itself."""

from typing import Never
from urllib.parse import quote, quote_plus

_SHOWN = "••••"


class Secret:
    """Holds a token. It is neither printed nor pickled; only `value` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    @property
    def value(self) -> str:
        return self._value

    def hide(self, text: str) -> str:
        """`text` without the token, as it is or percent-encoded."""
        for form in {self._value, quote(self._value, safe=""), quote_plus(self._value)} - {""}:
            text = text.replace(form, _SHOWN)
        return text

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
