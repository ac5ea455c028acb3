"""The portal's words in the reader's language.

Words are written in English in the code, marked by these functions, and in other languages in the
catalogue of their room (`portal/<room>/locale`). The command `messages` updates the catalogues.

    _("Saved")                                      # now, in the language of this request
    gettext_lazy("Saved")                           # later: for values made when a module is read
    _("Hosted by %(name)s") % {"name": name}        # never an f-string
    ngettext("%(count)s row", "%(count)s rows", n) % {"count": number(n)}
    options(LicenceType)                            # choices of the contract, as those of a form

The words of scripts are in `templates/ui/words.html`.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import date, datetime
from functools import cache, partial
from typing import Any, Protocol, TypeVar, cast

from django.conf import settings
from django.utils import dateformat, formats, timezone, translation
from django.utils.functional import lazy
from django.utils.text import capfirst

from portal.translation.phrases import phrase

T = TypeVar("T")
R = TypeVar("R")
__all__ = [
    "capitalized",
    "carried_over",
    "dated",
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
    "spellings",
    "within",
]
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
# Not in words such as "Bauer", "Neumann", "Quelle", "Joel" or "Sue".
_DIGRAPH = re.compile(r"(?<![aeiouyq])([aou])e(?=[b-df-hj-np-tv-z][a-z])")
# Those of Latin, and of Arabic with hamza and what stretches words, which few write.
_ACCENTS = re.compile("[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670]")
# Signs used for an apostrophe or a hyphen, and letters that are not another one with an accent.
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
        "\u0671": "\u0627",  # alef
        "\u0649": "\u064a",  # yeh without its dots
    }
    | {chr(kana): chr(kana - 0x60) for kana in range(0x30A1, 0x30F7)}  # as hiragana
    | {"\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "\x00": ""}
)
_VARIED = range(0x80, 0x2100)  # Latin letters with accents, and punctuation

gettext = phrase(translation.gettext)
ngettext = phrase(translation.ngettext)
pgettext = phrase(translation.pgettext)
npgettext = phrase(translation.npgettext)
# Once: Django makes a class of each lazy function, and there are more than a thousand such words.
_gettext_late: Callable[[str], Any] = lazy(gettext, str)
_pgettext_late: Callable[[str, str], Any] = lazy(pgettext, str)


def gettext_lazy(message: str) -> str:
    """Translates words each time they are shown; until then they are typed as a string."""
    return cast(str, _gettext_late(message))


def pgettext_lazy(context: str, message: str) -> str:
    """Translates lazily words with different meanings in different contexts."""
    return cast(str, _pgettext_late(context, message))


def ngettext_lazy(singular: str, plural: str, number: int | str) -> str:
    """Translates lazily by a count, or by the key of a count that is filled in later."""
    return cast(str, translation.ngettext_lazy(singular, plural, number))


def lazily(read: Callable[[], str]) -> str:
    """Returns words that `read` makes each time they are shown; they are typed as a string."""
    return cast(str, _read_late(read))


_read_late: Callable[[Callable[[], str]], Any] = lazy(lambda read: read(), str)


def in_all_languages(words: str) -> list[str]:
    """Returns lazily translated words in each language: the texts that users may have written."""
    texts = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts.append(str(words))
    return texts


def in_language_of(person: Any) -> AbstractContextManager[None]:
    """Context in which words are in the person's language, or else in the portal's: for mails and
    jobs, which have no browser."""
    return translation.override(person.language or settings.LANGUAGE_CODE)


@contextmanager
def speaking_to(person: Any) -> Iterator[None]:
    """Context in a person's language, and in their time zone if they have chosen one."""
    zone = timezone.override(person.time_zone) if person.time_zone else nullcontext()
    with in_language_of(person), zone:
        yield


def carried_over(work: Callable[[T], R]) -> Callable[[T], R]:
    """Returns the work with the present language and time zone, for another thread or a later
    moment."""
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def within_it(thing: T) -> R:
        with translation.override(language), timezone.override(zone):
            return work(thing)

    return within_it


class Labelled(Protocol):
    """Choice of the contract: its label is in the reader's language."""

    @property
    def value(self) -> Any: ...
    @property
    def label(self) -> str: ...


def options(choices: Iterable[Labelled]) -> list[tuple[Any, str]]:
    """Returns the choices of a form, whose labels are translated when they are shown."""
    return [(one.value, lazily(partial(getattr, one, "label"))) for one in choices]


@phrase
def dated(moment: date, pattern: str) -> str:
    """Returns a day, or a moment in the reader's time zone, by a pattern that is translated."""
    local = timezone.localtime(moment) if isinstance(moment, datetime) else moment
    return dateformat.format(local, pattern)


@phrase
def capitalized(words: str) -> str:
    """Returns words as they begin a sentence."""
    return capfirst(words)


@phrase
def within(title: str) -> str:
    """Returns a title for use within a sentence: in small letters, except in German."""
    is_german = (translation.get_language() or "").startswith("de")
    return str(title) if is_german else str(title).lower()


@phrase
def number(value: int | float, decimals: int = 0) -> str:
    """Returns a number as the reader's language groups it: 50,000 or 50.000."""
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
    """Returns the text in the form that searches compare. Marks that change a letter, as in
    Japanese, are preserved."""
    lower = text.casefold()
    if lower.isascii():
        return lower.replace("`", "'").replace("\x00", "")
    without = _ACCENTS.sub("", unicodedata.normalize("NFKD", lower.translate(_ALIKE)))
    return unicodedata.normalize("NFKC", without.translate(_ALIKE))


def searched(text: str) -> list[str]:
    """Returns the words of a search, to be found in a text by `folded`."""
    return folded(text).split()


def spellings(text: str) -> list[tuple[str, ...]]:
    """Returns the words of a search as `searched` does, each with its other spelling if there is
    one: German letters are also written ae, oe and ue, in what is searched and in the search."""
    result: list[tuple[str, ...]] = []
    for word in unicodedata.normalize("NFC", text.casefold()).split():
        plain = folded(word).split()
        others = [folded(word.translate(_WRITTEN_OUT)), _DIGRAPH.sub(r"\1", "".join(plain))]
        alone = len(plain) == 1
        result += [tuple(dict.fromkeys([one, *(others if alone else [])])) for one in plain]
    return result


def any_form(word: str) -> str:
    """Returns a regular expression, to be used without case, for a word in text that was not
    folded."""
    return "".join(_forms().get(each, re.escape(each)) for each in folded(word))


@cache
def _forms() -> dict[str, str]:
    result: dict[str, str] = defaultdict(str)
    for each in map(chr, _VARIED):
        base = folded(each)
        if len(base) == 1 and base.isascii() and base.isprintable():
            result[base] += each
    return {base: f"[{re.escape(base)}{forms}][\u0300-\u036f]*" for base, forms in result.items()}
