"""The routine check of the trail against what was noted outside of the database, bounded each time.

Who can write to the database can put all of it back to an earlier state, which looks whole. The
number and hash of the last entry are therefore noted in a file, and in the log, and must still be
there the next time. What is new since then is walked; what time is left goes to older entries, so
that in the course of days all are walked again and again.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import structlog
from django.conf import settings

from portal.access.audit.chain import BEGINNING, ChainVerdict, Place, walk

MOST = 20_000  # entries a check walks
_log = structlog.get_logger("portal.audit")


@dataclass
class RoutineMarks:
    """The last entry that was seen, and how far the older ones were walked again."""

    last: Place = BEGINNING
    again: Place = BEGINNING


def check(most: int = MOST) -> ChainVerdict:
    """Walks on from what was noted, notes how far it came, and logs both."""
    notes = _noted()
    new = walk(notes.last, most)
    if new.problem:
        return _broken(new)
    notes.last = (new.entries, new.last_hash)
    left = most - (new.entries - _noted().last[0])
    if left > 0 and notes.last != BEGINNING:
        if notes.again[0] >= notes.last[0]:
            notes.again = BEGINNING
        older = walk(notes.again, left)
        if older.problem:
            return _broken(older)
        notes.again = (older.entries, older.last_hash)
    note(notes)
    _log.info("audit verified", sequence=new.entries, hash=new.last_hash, again=notes.again[0])
    return new


def note(notes: RoutineMarks) -> None:
    """Replaces what was noted."""
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".new")
    written.write_text(json.dumps(asdict(notes)))
    written.replace(path)


def _noted() -> RoutineMarks:
    """Returns the notes of the last walk; empty ones if there are none, and then the walk begins
    again."""
    try:
        data = json.loads(_path().read_text())
        return RoutineMarks(
            *[(int(data[name][0]), str(data[name][1])) for name in ("last", "again")]
        )
    except FileNotFoundError:
        return RoutineMarks()
    except (ValueError, KeyError, IndexError, TypeError):
        _log.warning("audit notes unreadable", path=str(_path()))
        return RoutineMarks()


def _broken(verdict: ChainVerdict) -> ChainVerdict:
    _log.error("audit trail broken", problem=verdict.problem, intact=verdict.entries)
    return verdict


def _path() -> Path:
    return Path(settings.DATA_DIR) / "audit-noted.json"
