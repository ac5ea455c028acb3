"""Words that are stored, such as those of the audit trail: in English, whoever's request stores
them, and shown in the language of whoever reads them.

    with in_english():
        entry.message = _("Not sent. %(words)s") % {"words": words}

    shown(entry.message, ["Not sent. %(words)s", …])
"""

import re
from collections.abc import Iterable
from contextlib import AbstractContextManager
from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

_VALUE = re.compile(r"%\\\((\w+)\\\)s")  # where `re.escape` has been


def in_english() -> AbstractContextManager[None]:
    """What is looked up within is in the language that is stored."""
    return translation.override(settings.LANGUAGE_CODE)


def shown(stored: str, messages: Iterable[str]) -> str:
    """The stored words in the reader's language where they are one of these messages, whatever its
    values; others, such as those of the conferencing service, stay as they are. The value `what` is
    a word of the portal or of the contract itself."""
    for message in messages if stored else ():
        found = _pattern(message).fullmatch(stored)
        if found:
            values = {
                name: gettext(value) if name == "what" else shown(value, messages)
                for name, value in found.groupdict().items()
            }
            return gettext(message) % values if values else gettext(message)
    return stored


@cache
def _pattern(message: str) -> re.Pattern[str]:
    return re.compile(_VALUE.sub(_group, re.escape(message)), re.DOTALL)


def _group(found: re.Match[str]) -> str:
    return f"(?P<{found[1]}>.+)"
