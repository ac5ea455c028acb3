"""Words of a catalogue, looked up once each."""

from functools import lru_cache

from django.utils.translation import trans_real

_MOST = 20_000  # words of a language; the catalogues have fewer


def remember_words() -> None:
    """Has the language of this thread look each of its words up once in a process.

    A word that has no translation is otherwise looked for in the catalogue of each language that
    stands in for it, which English words never have one in.
    """
    catalogue = trans_real.catalog()
    if "gettext" not in vars(catalogue):
        vars(catalogue)["gettext"] = lru_cache(maxsize=_MOST)(catalogue.gettext)
