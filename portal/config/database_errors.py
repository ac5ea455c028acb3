"""Troubles of a database that takes no statement, told by the codes of its errors.

Codes are those of SQLite and of PostgreSQL. Words of the message count where there is no code, as
where a connection is refused.
"""

from enum import Enum, auto

_SQLITE_BUSY = (5, 6)  # SQLITE_BUSY, SQLITE_LOCKED
_LOCK_NOT_AVAILABLE = "55P03"


class Trouble(Enum):
    """The state of a database that takes no statement."""

    BUSY = auto()
    FULL = auto()
    READ_ONLY = auto()
    CROWDED = auto()  # all its connections are taken
    AWAY = auto()


_OF_SQLITE = {
    **dict.fromkeys(_SQLITE_BUSY, Trouble.BUSY),
    8: Trouble.READ_ONLY,  # SQLITE_READONLY
    13: Trouble.FULL,  # SQLITE_FULL
}
_OF_POSTGRESQL = {
    # Deadlock, lock not available, statement timeout, and transactions that took too long.
    **dict.fromkeys(("40001", "40P01", "55P03", "57014", "25P03", "25P04"), Trouble.BUSY),
    "25006": Trouble.READ_ONLY,  # read_only_sql_transaction
    "53100": Trouble.FULL,  # disk_full
    "53300": Trouble.CROWDED,  # too_many_connections
}
# untranslated: what a database says
_OF_WORDS = {
    Trouble.CROWDED: ("too many clients", "too many connections", "connection slots"),
    Trouble.BUSY: ("locked", "lock timeout", "deadlock"),
    Trouble.FULL: ("full", "no space"),
    Trouble.READ_ONLY: ("readonly", "read-only"),
}


def trouble_of(error: BaseException) -> Trouble:
    """Returns what an error of Django's database layer, or of a driver, is caused by."""
    for each in (error.__cause__, error):
        if (code := getattr(each, "sqlite_errorcode", None)) is not None:
            return _OF_SQLITE.get(code & 0xFF, Trouble.AWAY)
        if (state := getattr(each, "sqlstate", None)) is not None:
            return _OF_POSTGRESQL.get(state, Trouble.AWAY)
    words = str(error).lower()
    for trouble, parts in _OF_WORDS.items():
        if any(part in words for part in parts):
            return trouble
    return Trouble.AWAY


def is_read_only(error: BaseException) -> bool:
    """Returns whether the database is read-only, mostly for lack of space."""
    return trouble_of(error) in (Trouble.READ_ONLY, Trouble.FULL)


def is_lock(error: BaseException) -> bool:
    """Returns whether others had locked the rows for too long."""
    cause = error.__cause__
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_BUSY
    return getattr(cause, "sqlstate", None) == _LOCK_NOT_AVAILABLE
