"""Names of participants: which are the same, and which are placeholders.

Clients send a name of their own for people who gave none, such as "Zoom user", "iPhone" or a
telephone number with masked digits. Such a placeholder tells no person from others.
"""

import re
import tomllib
import unicodedata
from functools import lru_cache
from pathlib import Path

from portal.translation import folded

_MOST_WORDS = 8  # of a name whose words are tried in another order
_CACHED = 20_000
_SPACE = re.compile(r"\s+")
_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_POSSESSIVE = re.compile("['\N{RIGHT SINGLE QUOTATION MARK}`\N{ACUTE ACCENT}](s\\b)?")
# Numbers with hidden digits, and names with hidden letters.
_MASKED = re.compile(r"(?=.*\d)[\d\s()+./-]*[*x•·…#_]{2,}[\d\s()+./*x•·…#_-]*|.*\*{3}.*")
# What is one word among several that are names.
_JOINED = ((re.compile(r"\bpro max\b"), "pro"), (re.compile(r"\b(call|dial).in\b"), "caller"))


def _word_lists() -> dict[str, frozenset[str]]:
    with Path(__file__).with_name("placeholders.toml").open("rb") as file:
        lists: dict[str, str] = tomllib.load(file)
    return {name: frozenset(map(folded, words.split())) for name, words in lists.items()}


_WORDS = _word_lists()
_GENERIC, _DEVICES, _MODELS = _WORDS["generic"], _WORDS["devices"], _WORDS["models"]


@lru_cache(_CACHED)
def same_name(name: str) -> str:
    """Returns a name in the form in which one name is always the same: without regard to case,
    white space, invisible characters and how marks are composed."""
    text = _SPACE.sub(" ", unicodedata.normalize("NFKC", name).casefold())
    visible = "".join(each for each in text if each.isprintable())
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", visible)).strip()


@lru_cache(_CACHED)
def spellings(name: str) -> frozenset[str]:
    """Returns the letters of a name, without accents, with its words in any order in which family
    and given names stand."""
    words = _words(name)
    orders = range(len(words)) if len(words) <= _MOST_WORDS else range(1)
    return frozenset("".join(words[at:] + words[:at]) for at in orders)


def bare(name: str) -> str:
    """Returns a name without what stands in parentheses, as pronouns do."""
    return _PARENTHESES.sub(" ", name)


@lru_cache(_CACHED)
def own_words(name: str) -> frozenset[str]:
    """Returns the words of a name that are of a person: none of a placeholder."""
    text = same_name(name)
    if _MASKED.fullmatch(text):
        return frozenset()
    text = _POSSESSIVE.sub(" ", text)
    for several, one in _JOINED:
        text = several.sub(one, text)
    words = _words(text)
    has_device = any(_kind(word) in _DEVICES for word in words)
    own = [word for word in words if not _is_generic(word, has_device=has_device)]
    if own or not words:
        return frozenset(own)
    return frozenset(words) if all(word.isdigit() for word in words) else frozenset()


def is_placeholder(name: str) -> bool:
    return not own_words(name)


def is_compatible(one: str, other: str) -> bool:
    """Returns whether two names may be of one person: a placeholder may be of any, and a name
    may be a longer form of another."""
    first, second = own_words(one), own_words(other)
    return first <= second or second <= first or bool(spellings(one) & spellings(other))


def _words(name: str) -> list[str]:
    text = folded(same_name(name))
    letters = (each if unicodedata.category(each)[0] in "LMN" else " " for each in text)
    return "".join(letters).split()


def _kind(word: str) -> str:
    """Returns a word without the number at its end: "user3"."""
    return word.rstrip("0123456789")


def _is_generic(word: str, *, has_device: bool) -> bool:
    kind = _kind(word)
    if not kind or kind in _GENERIC or kind in _DEVICES or word in _GENERIC:
        return True
    is_model = any(each.isdigit() for each in word)
    return has_device and (is_model or kind in _MODELS)
