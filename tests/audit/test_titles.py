"""Entries tell outcomes: what was done in the past tense, and what was not as what was to be."""

import pytest

from portal.audit import titles
from portal.audit.acts import title
from portal.audit.changes import ChangeLine
from portal.audit.models import AuditEntry, Outcome
from portal.contract import operations


def test_each_write_has_a_title_of_its_own_once_done():
    writes = {operation.name for operation in operations() if operation.method != "GET"}
    assert titles._DONE.keys() == writes
    assert not [name for name, words in titles._DONE.items() if words == title(name)]


@pytest.mark.parametrize(
    ("operation", "action", "outcome", "event"),
    [
        ("users.update", "", Outcome.DONE, "Changed a profile"),
        ("users.update", "", Outcome.FAILED, "Change a profile: failed"),
        ("users.update", "", Outcome.BEGUN, "Change a profile: outcome unknown"),
        ("recordings.delete", "trash", Outcome.DONE, "Moved a meeting's recordings to trash"),
        ("recordings.delete", "", Outcome.FAILED, "Move a meeting's recordings to trash: failed"),
        ("recordings.delete", "delete", Outcome.DONE, "Permanently deleted a meeting's recordings"),
        ("users.change_status", "deactivate", Outcome.DONE, "Deactivated a person"),
    ],
)
def test_event_says_what_was_done_how_and_its_outcome(operation, action, outcome, event):
    sent = {"action": action} if action else None
    assert ChangeLine(AuditEntry(operation=operation, outcome=outcome, sent=sent)).event == event
