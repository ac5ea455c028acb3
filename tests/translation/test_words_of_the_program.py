"""Words of the program that no page shows: lists are loaded and updated, not read; a report has
parts, not windows. The program calls itself Switchboard."""

import re

import pytest

from portal.translation import catalogues

_NAMED = re.compile(r"%\(\w+\)[sd]|{\w*}")
_REFUSED = {
    "en": re.compile(
        r"\b(re-?|un)?read(s|ing)?\b|\bwindows?\b(?!-)|^stays?$|\binterface\b|\bhappenings?\b|"
        r"\bdid nothing\b|\bportals?\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(ein|aus)?gelesen\b|\b(ein|aus)?lesen\b|\bZeitfenster\w*|\bAufenthalte?s?\b|"
        r"\bSchnittstelle\w*|\bGeschehnisse\b|\bBraucht Aufmerksamkeit\b|\bLogin\b|"
        r"\w*portale?s?\b",
        re.IGNORECASE,
    ),
}
# What people do read: a file, an archive of messages, a request; and what only reads.
_MEANT = re.compile(
    r"read.only\b|read more|chat archive|cannot be read|after it was read|cannot read|hour could "
    r"not be read|its Windows name|login history|upload|stored secret|"
    r"in its own portal",
    re.IGNORECASE,
)
_ROOMS = [room for room in catalogues.rooms() if catalogues.file_of(room, "de").exists()]


def texts(found):
    return [found] if isinstance(found, str) else list(found)


@pytest.mark.parametrize("room", [room for room in _ROOMS if room != "contract"])
def test_pages_say_no_words_of_the_program(room):
    said: list[str] = []
    for message in catalogues.translations(room, "de"):
        if not message.id or _MEANT.search(" ".join(texts(message.id))):
            continue
        for language, found in (("en", message.id), ("de", message.string)):
            words = [_NAMED.sub("", text) for text in texts(found)]
            said += [text for text in words if _REFUSED[language].search(text)]
    assert said == []


@pytest.mark.parametrize(
    "refused", ["Being read", "Not read yet.", "windows", "stays", "This portal"]
)
def test_refused_words_are_found(refused):
    assert _REFUSED["en"].search(refused)
    assert not _MEANT.search(refused)
