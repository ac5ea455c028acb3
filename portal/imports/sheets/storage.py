"""Storage of an uploaded table, encrypted, between the page that takes it and the one that uses it.

The table may contain passwords. It is erased when it was used, and after some hours in any case.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any

from portal.access import tokens
from portal.access.grants import scope_of
from portal.access.models import Connection, User
from portal.access.tokens import TokenUnreadable
from portal.audit.narrowing import shown_since
from portal.config import clock
from portal.imports.models import StoredTable
from portal.imports.sheets import read
from portal.imports.sheets.table import Sheet, SheetUnreadable
from portal.translation import gettext_lazy
from portal.translation.phrases import made_of, remembered

STORED_FOR = timedelta(hours=4)
_AT_ONCE = BoundedSemaphore(1)
_WAITING = BoundedSemaphore(4)  # each has its file in memory
_TIMEOUT = 30.0  # seconds
_BUSY = gettext_lazy("Other files are being processed. Try again in a moment.")


def store(
    user: User,
    connection: Connection,
    purpose: str,
    content: bytes | str,
    *,
    name: str = "",
    **how: object,
) -> StoredTable:
    """Reads a file or a pasted text, and stores it; `how` are further arguments of `read`. Raises
    `SheetUnreadable`."""
    return StoredTable.objects.create(
        user=user,
        connection=connection,
        purpose=purpose,
        name=name[:200],
        **_read(content, file_name=name, **how),
        sealed_file=tokens.seal_file(content.encode() if isinstance(content, str) else content),
    )


def _read(content: bytes | str, **how: Any) -> dict[str, Any]:
    """Returns the table that was read, sealed, and what its texts are made of. Raises
    `SheetUnreadable`."""
    with turn(), remembered():
        table = read(content, **how)
        words = made_of([table.description, *(row.problem for row in table.rows if row.problem)])
        return {"sealed_table": tokens.seal_file(table.dump()), "words": words}


@contextmanager
def turn() -> Iterator[None]:
    """Waits until no other table is read in this process: reading one takes many times its size.
    Raises `SheetUnreadable` if too many wait already, or if the wait is too long."""
    if not _WAITING.acquire(blocking=False):
        raise SheetUnreadable(_BUSY)
    try:
        if not _AT_ONCE.acquire(timeout=_TIMEOUT):
            raise SheetUnreadable(_BUSY)
    finally:
        _WAITING.release()
    try:
        yield
    finally:
        _AT_ONCE.release()


def find(
    user: User, connection: Connection, purpose: str, key: str
) -> tuple[StoredTable, Sheet] | None:
    """Returns the table that this user sent; None if it has been erased, or the user has been
    limited since."""
    stored = StoredTable.objects.filter(
        user=user,
        connection=connection,
        purpose=purpose,
        key=key,
        stored_at__gt=clock.now() - STORED_FOR,
    ).first()
    since = shown_since(scope_of(user, connection))
    if stored is None or (since and stored.stored_at < since):
        return None
    try:
        table = Sheet.load(tokens.unseal_file(stored.sealed_table))
        return stored, replace(table, words=stored.words)
    except TokenUnreadable:
        return None


def read_again(stored: StoredTable, **how: object) -> None:
    """Reads the file in another way, and stores the result. Raises `SheetUnreadable` and
    `TokenUnreadable`."""
    content = tokens.unseal_file(stored.sealed_file)
    values = _read(content, file_name=stored.name, **how)
    for name, value in values.items():
        setattr(stored, name, value)
    stored.save(update_fields=list(values))
