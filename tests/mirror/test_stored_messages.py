"""Words of lists and deliveries that are stored in English are read in the reader's language."""

import pytest
from django.utils import translation

from portal.mirror import values
from portal.mirror.models import Delivery, Gap, MirrorState


@pytest.mark.parametrize(
    ("stored", "german"),
    [
        (values.INTERRUPTED, "Die Aktualisierung wurde unterbrochen."),
        ("No answer within 10 seconds.", "Keine Antwort innerhalb von 10 Sekunden."),
        (
            values.CHANGING % {"what": "people"},
            "Die Liste „Personen“ änderte sich ständig, während sie aktualisiert wurde.",
        ),
        ("What the service says.", "What the service says."),
        ("", ""),
    ],
)
def test_reason_of_unread_list_is_in_language_of_reader(stored: str, german: str):
    state = MirrorState(failure=stored)
    assert state.failure_in_words == stored
    with translation.override("de"):
        assert state.failure_in_words == german


def test_each_effect_of_delivery_is_said_in_language_of_reader():
    lines = (
        "The recordings of host h are being updated.",
        "Nothing: no list depends on this event.",
    )
    kept = Delivery(did="\n".join(lines))
    assert kept.did_in_words == " ".join(lines)
    with translation.override("de"):
        assert not any(line in kept.did_in_words for line in lines)


def test_what_was_not_reported_is_said_in_language_of_reader():
    gap = Gap(why="“Recordings ready” was not reported for recording of Stand-up")
    with translation.override("de"):
        assert gap.why_in_words.startswith("„Aufzeichnungen bereit“ wurde nicht gemeldet: ")
        assert gap.why_in_words.endswith("Stand-up")
