"""Keeps an uploaded table, encrypted, between the page that takes it and the one that uses it.

It may hold passwords, so it is erased when it was used, and after some hours in any case.
"""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Collection
from datetime import timedelta

from portal.access import tokens
from portal.access.models import Connection, User
from portal.access.tokens import TokenUnreadable
from portal.config import clock
from portal.imports.models import KeptTable
from portal.imports.sheets.limits import Limits
from portal.imports.sheets.reading import read
from portal.imports.sheets.table import Sheet
from portal.imports.sheets.turns import turn

KEPT_FOR = timedelta(hours=4)
_USUAL = Limits()


def store(
    user: User,
    connection: Connection,
    purpose: str,
    content: bytes | str,
    *,
    name: str = "",
    encoding: str = "",
    limits: Limits = _USUAL,
    headings: Collection[str] = (),
) -> KeptTable:
    """Reads a file, or a text that was pasted, and keeps it. Raises `SheetUnreadable`."""
    with turn():
        table = read(content, file_name=name, encoding=encoding, limits=limits, headings=headings)
        sealed = _seal(table.dump())
    return KeptTable.objects.create(
        user=user,
        connection=connection,
        purpose=purpose,
        name=name[:200],
        sealed_file=_seal(content.encode() if isinstance(content, str) else content),
        sealed_table=sealed,
    )


def find(
    user: User, connection: Connection, purpose: str, key: str
) -> tuple[KeptTable, Sheet] | None:
    """Returns the table that this person sent; None if it has been erased."""
    kept = KeptTable.objects.filter(
        user=user,
        connection=connection,
        purpose=purpose,
        key=key,
        kept_at__gt=clock.now() - KEPT_FOR,
    ).first()
    if kept is None:
        return None
    try:
        return kept, Sheet.load(table_of(kept))
    except TokenUnreadable:
        return None


def table_of(kept: KeptTable) -> bytes:
    """The table as it was read, in the form of `Sheet.dump`. Raises `TokenUnreadable`."""
    return _unseal(kept.sealed_table)


def read_again(
    kept: KeptTable,
    *,
    encoding: str = "",
    sheet: str = "",
    limits: Limits = _USUAL,
    headings: Collection[str] = (),
) -> Sheet:
    """Reads the file in another way, and keeps that.

    Raises `SheetUnreadable` and `TokenUnreadable`.
    """
    content = _unseal(kept.sealed_file)
    with turn():
        table = read(
            content,
            file_name=kept.name,
            encoding=encoding,
            sheet=sheet,
            limits=limits,
            headings=headings,
        )
        kept.sealed_table = _seal(table.dump())
    kept.save(update_fields=["sealed_table"])
    return table


def erase_old() -> int:
    """Erases what nobody went on with. Returns how many tables that were."""
    old = KeptTable.objects.filter(kept_at__lt=clock.now() - KEPT_FOR)
    return old.delete()[0]


def _seal(content: bytes) -> str:
    return tokens.seal(b64encode(zlib.compress(content)).decode())


def _unseal(sealed: str) -> bytes:
    return zlib.decompress(b64decode(tokens.unseal(sealed).value))
