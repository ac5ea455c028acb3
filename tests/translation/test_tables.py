"""Columns of lists are called by words of a catalogue, and not by the names of what they show."""

import pytest
from django.urls import get_resolver
from django.utils.functional import Promise

from portal.translation import catalogues
from portal.ui.tables import Table


def tables(kind=Table):
    for each in kind.__subclasses__():
        yield each
        yield from tables(each)


def is_translated(table):
    portal, room, *_rest = table.__module__.split(".")
    return portal == "portal" and catalogues.file_of(room, "de").exists()


def test_each_column_is_called_by_words_that_are_looked_up_late():
    assert get_resolver().url_patterns  # by which all views are read, with their tables
    named = {
        f"{table.__module__}.{table.__name__}.{name}": column.verbose_name
        for table in filter(is_translated, tables())
        for name, column in table.base_columns.items()
    }
    assert len(named) > 50
    assert {name for name, words in named.items() if not _is_late(words)} == set()


@pytest.mark.parametrize("words", ["Name", "IP address", None])
def test_words_that_stay_in_one_language_are_found(words):
    assert not _is_late(words)


def _is_late(words):
    """Returns whether the words are translated late, or have no small letters, such as "ID", and
    are the same in each language."""
    return isinstance(words, Promise) or (isinstance(words, str) and words.upper() == words)
