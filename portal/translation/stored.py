"""Words that are stored, such as those of the audit trail: in English, in any request, and shown
in the reader's language.

    with in_english():
        entry.message = _("Not sent. %(words)s") % {"words": words}

    shown(entry.message, ["Not sent. %(words)s", …])

Words that depend on a count are registered by a function of the count.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from portal.translation import number

# A message, or the function that returns it for a count, with `%(count)s` for others than one.
Words = str | Callable[[int], str]
_VALUE = re.compile(r"%\\\((\w+)\\\)s")  # after `re.escape`
_COUNT = r"\d[\d,]{0,15}"  # in the form of `number` in English
_registered: list[Words] = []


def in_english() -> AbstractContextManager[None]:
    """Returns a context in which texts are looked up in the language that is stored."""
    return translation.override(settings.LANGUAGE_CODE)


def register(words: Iterable[Words]) -> None:
    """Registers words that a domain stores; of two that match a text the longer comes first."""
    _registered.extend(words)


def shown(stored: str, messages: Iterable[Words] = ()) -> str:
    """Returns stored words in the reader's language if they are one of these or the registered
    messages, with any values; others, such as those of the conferencing service, stay as they are.
    The value `what` is itself translated as a word of the portal or of the contract."""
    for words in (*messages, *_registered) if stored else ():
        for message in _in_english(words):
            if match := _pattern(message).fullmatch(stored):
                return _translated(words, match.groupdict(), messages)
    return stored


def _translated(words: Words, values: dict[str, str], messages: Iterable[Words]) -> str:
    if not isinstance(words, str):
        count = int(values.get("count", "1").replace(",", ""))
        message = words(count)
        return message % {"count": number(count)} if "count" in values else message
    in_words = {
        name: gettext(value) if name == "what" else shown(value, messages)
        for name, value in values.items()
    }
    return gettext(words) % in_words if in_words else gettext(words)


@cache
def _in_english(words: Words) -> tuple[str, ...]:
    if isinstance(words, str):
        return (words,)
    with in_english():
        return words(1), words(2)


@cache
def _pattern(message: str) -> re.Pattern[str]:
    return re.compile(_VALUE.sub(_group, re.escape(message)), re.DOTALL)


def _group(match: re.Match[str]) -> str:
    return f"(?P<{match[1]}>{_COUNT if match[1] == 'count' else '.+'})"
