"""All words of the portal can be translated, and all of them are, into each language offered."""

import re
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from django.conf import settings

from portal.translation import catalogues
from tests.translation.outside import of_python, of_room, of_template

TRANSLATED = [room for room in catalogues.rooms() if catalogues.file_of(room, "de").exists()]
# `with` is read before `count`, which then finds the words of a number in place of the number.
_COUNTED_AS_WORDS = re.compile(r"{% blocktranslate [^%]*count \w+=(\w+)[^%]* with [^%]*\b\1=")
# A verb of the plural behind a count and its noun, as in "%(count)s row are left".
_VERB_OF_PLURAL = re.compile(
    r"(?<!and its )(?<!those of )%\(\w+\)s \w+(?: [^\s.:;,%]+)*?(?<! they)(?<! will)"
    r" (?:are|were|have|do|exist|keep|stay|stop|wait)\b"
)
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%s|{\w*}")


def test_only_what_is_said_to_operators_has_no_catalogue():
    """The start of the program, its environment and its figures speak English, as logs do."""
    assert set(catalogues.rooms()) - set(TRANSLATED) == {"config", "domain"}


@pytest.mark.parametrize("room", TRANSLATED)
def test_no_words_stand_outside_the_translation(room):
    python = (settings.BASE_DIR / "portal" / room).rglob("*.py")
    files = [path for path in python if not {"migrations", "management"} & set(path.parts)]
    declared = set(catalogues.declared(room))
    assert of_room([*sorted(files), *catalogues.templates_of(room)], declared) == []


@pytest.mark.parametrize("room", catalogues.rooms())
def test_what_is_counted_by_a_template_stays_a_number(room):
    sources = {path: path.read_text() for path in catalogues.templates_of(room)}
    assert [str(path) for path, text in sources.items() if _COUNTED_AS_WORDS.search(text)] == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
@pytest.mark.parametrize("room", TRANSLATED)
def test_catalogue_has_each_message_of_its_room_translated(room, language):
    now, kept = catalogues.read(room), catalogues.translations(room, language)
    assert {_key(message) for message in kept} == {_key(message) for message in now}
    assert [message.id for message in catalogues.missing(kept)] == []
    assert [message.id for message in kept if message.fuzzy and message.id] == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
@pytest.mark.parametrize("room", TRANSLATED)
def test_a_translation_names_what_its_message_names(room, language):
    for message in catalogues.translations(room, language):
        if message.id:
            wanted = {name for text in _texts(message.id) for name in _PLACEHOLDER.findall(text)}
            for text in _texts(message.string):
                named = set(_PLACEHOLDER.findall(text))
                # One of something may be said without its count.
                assert named == wanted or (message.pluralizable and named < wanted), message.id


@pytest.mark.parametrize("room", TRANSLATED)
def test_singular_of_a_message_has_no_verb_of_the_plural(room):
    counted = (
        message.id[0] for message in catalogues.translations(room, "de") if message.pluralizable
    )
    assert [words for words in counted if _VERB_OF_PLURAL.search(words)] == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_a_message_is_said_alike_in_all_rooms(language):
    """Django keeps one catalogue: of two translations, one would be shown in both rooms."""
    said: dict[tuple[object, str | None], set[object]] = {}
    for room in TRANSLATED:
        for message in filter(lambda each: each.id, catalogues.translations(room, language)):
            said.setdefault((message.id, message.context), set()).add(message.string)
    assert {key: texts for key, texts in said.items() if len(texts) > 1} == {}


@pytest.mark.parametrize(
    "source",
    [
        "<p>Nothing here</p>",
        '<a aria-label="Remove">{% icon "x" %}</a>',
        '{% include "ui/empty.html" with title="No results" %}',
        '{% fact "Email" person.email %}',
        '{% status "good" "On" %}',
        '{{ name|default:"Not known" }}',
        '{{ day|date:"j F Y" }}',
        '<td data-label="Name">{{ name }}</td>',
        "<p>{% translate 'Saved' %} by {{ name }}</p>",
    ],
)
def test_words_of_a_template_outside_the_translation_are_found(source):
    assert list(of_template(source))


@pytest.mark.parametrize(
    "source",
    [
        "{# Nothing here #}<p>{% translate 'Saved' %}</p>",
        '<a aria-label="{% translate "Remove" %}">{% icon "x" %}</a>',
        '{% include "ui/empty.html" with title=_("No results") %}',
        "{% blocktranslate %}Saved by {{ name }}{% endblocktranslate %}",
        "<p>{{ name }}: 5 %</p>",
        '<div{% if shown %} data-shown="{{ shown }}"{% endif %}>{{ name }}</div>',
    ],
)
def test_words_that_are_translated_are_not_found(source):
    assert list(of_template(source)) == []


def test_words_of_a_program_outside_the_translation_are_found():
    source = 'def said(n):\n    """What is said."""\n    return _("Saved"), f"{n} rows left"\n'
    assert list(of_python(source)) == [(3, "… rows left")]


def test_counts_outside_the_translation_are_found():
    source = 'def said(n):\n    return "1 day" if n == 1 else f"{n} days"\n'
    assert [words for _, words in of_python(source)] == ["1 day", "… days"]
    assert list(of_python('def said(n):\n    return f"{n} min"\n')) == []


@pytest.mark.parametrize(
    "words", ["<a href='{}'>Delete<b>{}</b></a>", "IP address", "Host's email"]
)
def test_words_within_markup_and_behind_short_forms_are_found(words):
    assert list(of_python(f'NAME = "{words}"\n')) == [(1, words)]


def test_messages_to_people_are_not_taken_for_the_log():
    assert list(of_python('messages.info(request, "Saved it")\n_log.info("Saved it")\n')) == [
        (1, "Saved it")
    ]


def test_what_a_module_offers_is_not_taken_for_words():
    assert list(of_python('__all__ = ["Api", "Secret"]\n')) == []


def test_words_that_are_marked_within_an_f_string_are_found():
    assert list(of_python("def said(n):\n    return f'{n} {_(\"left\")}'\n"))


def test_a_file_of_words_that_are_compared_is_left_out():
    source = '# untranslated: headings of tables\nNAMES = ("First name", "Last name")\n'
    assert list(of_python(source)) == []


def test_what_is_compiled_is_whole_at_any_time(monkeypatch):
    catalogues.compile_all()
    sources = Path(catalogues.__file__).parents[1].glob("*/locale/*/LC_MESSAGES/django.po")
    compiled = sorted(path.with_suffix(".mo") for path in sources)
    known = {path: path.read_bytes() for path in compiled}
    seen = []

    def written(*given):
        seen.append({path: path.read_bytes() for path in compiled})
        write_mo(*given)

    monkeypatch.setattr(catalogues, "write_mo", written)
    catalogues.compile_all()
    assert len(seen) == len(compiled)
    assert all(each == known for each in seen)


def _key(message):
    return _texts(message.id)[0], message.context or ""


def _texts(words):
    return (words,) if isinstance(words, str) else tuple(words)
