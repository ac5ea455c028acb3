"""The words of the contract for people: declared in English, read in the reader's language.

The contract has no languages of its own. A program that has some says by `translate_by` how words
are translated; without it they stay as they are declared, as in the sandbox and the documents.
What is declared in models, choices and operations is in the catalogue by itself; all other words
are marked by `gettext`, or by `gettext_noop` where they are read later.
"""

from collections.abc import Callable

# What stands between a context and words that mean something else without it.
CONTEXT = "\x04"


def without_context(words: str) -> str:
    return words.rpartition(CONTEXT)[2]


class _Language:
    translate: Callable[[str], str] = staticmethod(without_context)


def translate_by(translate: Callable[[str], str]) -> None:
    """From now on, words are read in the language that this gives them, without their context."""
    _Language.translate = staticmethod(translate)


def gettext(words: str) -> str:
    """Returns the words in the language of the present reader."""
    return _Language.translate(words) if words else words


def gettext_noop(words: str) -> str:
    """Marks words that are translated when they are read."""
    return words


def pgettext_noop(context: str, words: str) -> str:
    """Marks words that mean different things in different places."""
    return f"{context}{CONTEXT}{words}"


class Message:
    """Words, with values, that are looked up whenever they are read."""

    def __init__(self, words: str, /, **values: object) -> None:
        self.words, self.values = words, values

    def __str__(self) -> str:
        return gettext(self.words) % self.values if self.values else gettext(self.words)
