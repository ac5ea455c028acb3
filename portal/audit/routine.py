"""The routine check of the audit trail, against what was noted of it outside of the database."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings

from portal.audit.verifying import BEGINNING, ChainVerdict, Reached, walk

MOST = 20_000  # entries a check walks
_log = structlog.get_logger("portal.audit")


@dataclass
class RoutineMarks:
    """The last entry that was seen, and how far the older ones were walked again."""

    last: Reached = BEGINNING
    again: Reached = BEGINNING


def check(most: int = MOST) -> ChainVerdict:
    """Walks on from what was noted, marks how far it came, and logs both."""
    marks = _marks()
    before = marks.last.entries
    new = walk(marks.last, most)
    if new.problem:
        return _broken(new)
    marks.last = new.place
    left = most - (new.entries - before)
    if left > 0 and marks.last != BEGINNING:
        if marks.again.number >= marks.last.number:
            marks.again = BEGINNING
        older = walk(marks.again, left)
        if older.problem:
            return _broken(older)
        marks.again = older.place
    store_marks(marks)
    end = new.place
    _log.info("audit verified", sequence=end.number, hash=end.digest, again=marks.again.number)
    return new


def store_marks(marks: RoutineMarks) -> None:
    """Replaces what was noted."""
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".new")
    written.write_text(json.dumps(asdict(marks)))
    written.replace(path)


def _marks() -> RoutineMarks:
    """Returns the marks of the last walk; empty ones if there are none, and then the walk begins
    again."""
    try:
        data = json.loads(_path().read_text())
        return RoutineMarks(*[_place(data[name]) for name in ("last", "again")])
    except FileNotFoundError:
        return RoutineMarks()
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        _log.warning("audit notes unreadable", path=str(_path()))
        return RoutineMarks()


def _place(data: Any) -> Reached:
    """Reads a place; the release before noted the number and hash of an entry of its one chain."""
    if isinstance(data, list):
        number, digest = int(data[0]), str(data[1])
        return Reached(number, {1: (number, digest)}) if number else BEGINNING
    ends = {int(chain): (int(end[0]), str(end[1])) for chain, end in data["ends"].items()}
    return Reached(int(data["entries"]), ends)


def _broken(verdict: ChainVerdict) -> ChainVerdict:
    _log.error("audit trail broken", problem=verdict.problem, intact=verdict.entries)
    return verdict


def _path() -> Path:
    return Path(settings.DATA_DIR) / "audit-noted.json"
