"""Words that are stored as what they are made of."""

from django.utils.translation import override

from portal.translation import gettext, number
from portal.translation.phrases import Phrase, made_of, remembered, say


def test_phrase_with_values_is_said_in_each_language():
    with remembered():
        words = gettext("Hosted by %(host)s") % {"host": number(50_000)}
    assert words == "Hosted by 50,000"
    with override("de"):
        assert say(made_of([words])[words], words).endswith("50.000")


def test_phrases_are_added_and_stay_where_nothing_is_stripped():
    with remembered():
        words = ", " + gettext("Deleted").removeprefix("tracking:").strip() + "."
    with override("de"):
        assert say(made_of([words])[words], words) == ", Gelöscht."


def test_phrase_by_what_this_release_lacks_is_shown_as_stored():
    assert say(["made_by_another_release", 1], "Deleted") == "Deleted"
    assert say(["%", ["gettext", "Deleted %(by)s"], {}], "Deleted by Ada") == "Deleted by Ada"


def test_text_of_a_user_that_equals_a_phrase_is_not_translated():
    with remembered():
        phrase = gettext("Status")
    assert isinstance(phrase, Phrase)
    assert list(made_of([phrase])) == ["Status"]
    assert made_of([phrase, "Status"]) == {}


def test_words_are_plain_text_where_they_are_not_remembered():
    assert type(gettext("Status")) is str
