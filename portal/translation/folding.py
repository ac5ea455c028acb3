"""Letters as a search compares them: without case, accents, and the shapes of apostrophes."""

import re
import unicodedata
from collections import defaultdict
from functools import cache

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
    found: dict[str, str] = defaultdict(str)
    for each in map(chr, _VARIED):
        base = folded(each)
        if len(base) == 1 and base.isascii() and base.isprintable():
            found[base] += each
    return {base: f"[{re.escape(base)}{forms}][\u0300-\u036f]*" for base, forms in found.items()}
