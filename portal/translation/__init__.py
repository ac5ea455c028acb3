"""The portal's words in the language of whoever reads them.

Words stand in English where they are used, marked by these functions, and in other languages in the
catalogue of the room that they stand in (`portal/<room>/locale`). The command `messages` brings the
catalogues up to date.

    _("Saved")                                      # now, in the language of this request
    gettext_lazy("Saved")                           # later: for what is made when a module is read
    _("Hosted by %(name)s") % {"name": name}        # never an f-string
    ngettext("%(count)s row", "%(count)s rows", n) % {"count": number(n)}
    options(LicenceType)                            # choices of the contract, as those of a form

What scripts say stands in `templates/ui/words.html`.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache, partial
from typing import Any, Protocol, TypeVar, cast

from django.conf import settings
from django.utils import formats, timezone, translation
from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext, npgettext, pgettext

T = TypeVar("T")
R = TypeVar("R")
__all__ = [
    "carried_over",
    "gettext",
    "gettext_lazy",
    "in_all_languages",
    "in_language_of",
    "lazily",
    "ngettext",
    "ngettext_lazy",
    "npgettext",
    "number",
    "options",
    "pgettext",
    "pgettext_lazy",
    "speaking_to",
    "within",
]
_ACCENTS = re.compile("[\u0300-\u036f]")
# Signs that stand for an apostrophe or a hyphen, and letters that no accent makes of others.
_ALIKE = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u02bb\u2032\u00b4\u0060\uff07", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\uff0d", "-")
    | {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "ħ": "h",
        "\u0131": "i",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
    }
    | {"\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "\x00": ""}
)
_VARIED = range(0x80, 0x2100)  # Latin letters with accents, and punctuation


def gettext_lazy(message: str) -> str:
    """Words that are looked up each time they are shown, and otherwise pass for a string."""
    return cast(str, translation.gettext_lazy(message))


def pgettext_lazy(context: str, message: str) -> str:
    """Translates lazily words that mean different things in different places."""
    return cast(str, translation.pgettext_lazy(context, message))


def ngettext_lazy(singular: str, plural: str, number: int | str) -> str:
    """Translates lazily by a count, which is given, or named by the key that is filled in later."""
    return cast(str, translation.ngettext_lazy(singular, plural, number))


def lazily(read: Callable[[], str]) -> str:
    """Words that are read each time they are shown, and otherwise pass for a string."""
    return cast(str, _read_late(read))


def _read(read: Callable[[], str]) -> str:
    return read()


# Once: Django makes a class of each lazy function, and there are more than a thousand such words.
_read_late: Callable[[Callable[[], str]], Any] = lazy(_read, str)


def in_all_languages(words: str) -> list[str]:
    """Words that are looked up late, in each language offered: what people may have written."""
    texts = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts.append(str(words))
    return texts


def in_language_of(person: Any) -> AbstractContextManager[None]:
    """Within, words are in the person's own language, or in the portal's where they chose none:
    for mails and jobs, which no browser asks for."""
    return translation.override(person.language or settings.LANGUAGE_CODE)


@contextmanager
def speaking_to(person: Any) -> Iterator[None]:
    """Speaks a person's language, and their zone if they have chosen one."""
    zone = timezone.override(person.time_zone) if person.time_zone else nullcontext()
    with in_language_of(person), zone:
        yield


def carried_over(work: Callable[[T], R]) -> Callable[[T], R]:
    """Returns the work for another thread or a later moment, which would lack the language and
    the time zone of this one."""
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def within_it(thing: T) -> R:
        with translation.override(language), timezone.override(zone):
            return work(thing)

    return within_it


class Labelled(Protocol):
    """A choice, as the contract declares them: its label is in the reader's language."""

    @property
    def value(self) -> Any: ...
    @property
    def label(self) -> str: ...


def options(choices: Iterable[Labelled]) -> list[tuple[Any, str]]:
    """The choices of a form, or the labels of values, of which the words are read when shown."""
    return [(one.value, lazily(partial(_label, one))) for one in choices]


def _label(choice: Labelled) -> str:
    return choice.label


def within(title: str) -> str:
    """A title as it stands within a sentence: in small letters, but for nouns in German."""
    is_german = (translation.get_language() or "").startswith("de")
    return str(title) if is_german else str(title).lower()


def number(value: int | float, decimals: int = 0) -> str:
    """A number as the reader's language groups it: 50,000 or 50.000."""
    is_whole = isinstance(value, int) and not decimals
    written = f"{value:,}" if is_whole else f"{value:,.{decimals}f}"
    separators = _separators(translation.get_language() or settings.LANGUAGE_CODE)
    return written.translate(separators) if separators else written


@cache
def _separators(language: str) -> dict[int, str]:
    """Returns the separators that replace English commas and points; empty if they are the same."""
    group = formats.get_format("THOUSAND_SEPARATOR", language)
    point = formats.get_format("DECIMAL_SEPARATOR", language)
    return {} if (group, point) == (",", ".") else {ord(","): str(group), ord("."): str(point)}


def folded(text: str) -> str:
    """The text as searches compare it. Signs of other scripts that change a letter altogether, as
    Japanese ones do, are kept."""
    lower = text.casefold()
    if lower.isascii():
        return lower.replace("`", "'").replace("\x00", "")
    without = _ACCENTS.sub("", unicodedata.normalize("NFKD", lower.translate(_ALIKE)))
    return unicodedata.normalize("NFKC", without.translate(_ALIKE))


def searched(text: str) -> list[str]:
    """The words of a search, to be found in what `folded` made."""
    return folded(text).split()


def any_form(word: str) -> str:
    """A regular expression, case aside, for a word as it may stand in text that was not folded."""
    return "".join(_forms().get(each, re.escape(each)) for each in folded(word))


@cache
def _forms() -> dict[str, str]:
    result: dict[str, str] = defaultdict(str)
    for each in map(chr, _VARIED):
        base = folded(each)
        if len(base) == 1 and base.isascii() and base.isprintable():
            result[base] += each
    return {base: f"[{re.escape(base)}{forms}][\u0300-\u036f]*" for base, forms in result.items()}
