"""Words for participants on pages and in files, in the reader's language."""

from portal.translation import gettext_lazy

_STATUSES = {
    "in_meeting": gettext_lazy("In the session"),
    "in_waiting_room": gettext_lazy("In the waiting room"),
}


def status_in_words(status: str) -> str:
    """Returns words for the status of a participant's stay; a status of another kind as it is."""
    return str(_STATUSES.get(status.casefold(), status))
