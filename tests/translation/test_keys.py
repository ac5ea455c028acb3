"""Keys of objects that carry words find their object in each language."""

import sys
from dataclasses import dataclass

from django.urls import get_resolver
from django.utils import translation

from portal.translation import catalogues, gettext_lazy


@dataclass(frozen=True)
class Worded:
    label: str


def keys():
    """The keys of all dictionaries and sets of the portal's modules, by where these stand."""
    for name, module in list(sys.modules.items()):
        if name.startswith("portal."):
            for called, value in list(vars(module).items()):
                if isinstance(value, dict | set | frozenset):
                    yield from ((f"{name}.{called}", key) for key in value)


def is_the_same_in_each_language(key):
    hashes = set()
    for language in ("en-gb", "de"):
        with translation.override(language):
            hashes.add(hash(key))
    return len(hashes) == 1


def test_no_key_changes_with_the_language():
    assert get_resolver().url_patterns  # by which all views are read, with what they look up
    catalogues.compile_all()
    assert {place for place, key in keys() if not is_the_same_in_each_language(key)} == set()


def test_a_key_that_changes_with_the_language_is_found():
    assert not is_the_same_in_each_language(Worded(gettext_lazy("Meetings and webinars")))
