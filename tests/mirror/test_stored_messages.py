"""Words of lists that are stored in English are read in the reader's language."""

import pytest
from django.utils import translation

from portal.mirror import values
from portal.mirror.models import MirrorState


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
def test_reason_of_unread_list_is_in_language_of_reader(stored, german):
    state = MirrorState(failure=stored)
    assert state.failure_in_words == stored
    with translation.override("de"):
        assert state.failure_in_words == german
