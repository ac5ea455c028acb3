"""Words that are stored, such as those of the audit trail: in English, whoever's request stores
them, and shown in the language of whoever reads them.

    with in_english():
        entry.message = _("Not sent. %(words)s") % {"words": words}

    shown(entry.message, ["Not sent. %(words)s", …])

Words that depend on a count are known by the function that says them of one or many.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from portal.translation import number

# A message, or what says one of a count, with `%(count)s` in it for others than one.
Words = str | Callable[[int], str]
_VALUE = re.compile(r"%\\\((\w+)\\\)s")  # where `re.escape` has been
_COUNT = r"\d[\d,]{0,15}"  # as `number` says it in English
_registered: list[Words] = []


def in_english() -> AbstractContextManager[None]:
    """Returns a context in which texts are looked up in the language that is stored."""
    return translation.override(settings.LANGUAGE_CODE)


def register(words: Iterable[Words]) -> None:
    """Knows these too from now on: what a domain stores, the longer of two that fit first."""
    _registered.extend(words)


def shown(stored: str, messages: Iterable[Words] = ()) -> str:
    """The stored words in the reader's language where they are one of these messages, or of those
    that are registered, whatever its values; others, such as those of the conferencing service,
    stay as they are. The value `what` is a word of the portal or of the contract itself."""
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
