"""Pages of lists, by number and by token (spec 2.3)."""

import base64
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import orjson
from django.core import signing
from django.db import connection
from django.db.models import Model, QuerySet

from portal.contract.paging import NumberedQuery, TokenQuery
from portal.sandbox.clock import seconds
from portal.sandbox.errors import InvalidInput, invalid

TOKEN_LIFETIME = timedelta(minutes=15)


class Listing:
    """A list by page number of the rows of a table that store their list entry in `fragment`.

    Its two statements are prepared once, and its rows are never made into objects: a page of 300
    costs little more than one of 30. `where` and `order` are SQL, with `%s` for parameters.
    """

    def __init__(self, records: str, model: type[Model], where: str, order: str) -> None:
        rows = f"FROM {model._meta.db_table} WHERE {where}"
        self._records = records
        self._count = f"SELECT COUNT(*) {rows}"
        self._page = f"SELECT fragment {rows} ORDER BY {order} LIMIT %s OFFSET %s"

    def page(self, query: NumberedQuery, *parameters: str | int | None) -> bytes:
        size, fragments = query.page_size, []
        start = (query.page_number - 1) * size
        with connection.cursor() as cursor:
            cursor.execute(self._count, parameters)
            [total] = cursor.fetchone()
            if start < total:
                cursor.execute(self._page, (*parameters, size, start))
                fragments = [fragment for [fragment] in cursor.fetchall()]
        return (
            f'{{"page_count":{len(fragments)},"page_number":{query.page_number},'
            f'"page_size":{size},"total_records":{total},'
            f'"{self._records}":[{",".join(fragments)}]}}'
        ).encode()


def numbered_page(
    records: str,
    query: NumberedQuery,
    rows: Sequence[Any] | QuerySet[Any],
    as_json: Callable[[Any], Any] | None = None,
) -> bytes:
    """Returns a page of given rows, or of a query set that is read by slices."""
    total = rows.count() if isinstance(rows, QuerySet) else len(rows)
    start = (query.page_number - 1) * query.page_size
    found = rows[start : start + query.page_size] if start < total else ()
    values = [as_json(row) if as_json else row for row in found]
    return orjson.dumps({**numbered(query, len(values), total), records: values})


def numbered(query: NumberedQuery, count: int, total: int) -> dict[str, int]:
    """Returns the paging fields of a page by number: `count` records on it, of `total`."""
    return {
        "page_count": count,
        "page_number": query.page_number,
        "page_size": query.page_size,
        "total_records": total,
    }


def whole(records: str, found: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns a list on one page, if the interface has no parameter for another page."""
    return {
        "page_count": len(found),
        "page_number": 1,
        "page_size": max(30, len(found)),
        "total_records": len(found),
        records: found,
    }


def issue_token(position: Sequence[str], query: TokenQuery, scope: str, key: str) -> str:
    """Returns a token for the page after `position`; it is valid for this query within `scope`
    only."""
    signed = _signer(query, scope, key).sign_object([seconds(), *position])
    return base64.urlsafe_b64encode(signed.encode()).decode()


def read_token(query: TokenQuery, scope: str, key: str) -> list[str] | None:
    """Returns the position to continue from; None for the first page. Expired and foreign tokens
    are refused."""
    if not query.next_page_token:
        return None
    try:
        signed = base64.urlsafe_b64decode(query.next_page_token.encode()).decode("ascii")
        issued, *position = _signer(query, scope, key).unsign_object(signed)
    except (signing.BadSignature, ValueError):
        raise _refused("This token does not belong to this query.") from None
    if seconds() - issued > TOKEN_LIFETIME.total_seconds():
        raise _refused("This token has expired; start from the first page.")
    return [str(each) for each in position]


def _signer(query: TokenQuery, scope: str, key: str) -> signing.Signer:
    asked = query.model_dump(mode="json", by_alias=True, exclude={"next_page_token"})
    return signing.Signer(key=key, salt=f"{scope}?{orjson.dumps(asked).decode()}")


def _refused(message: str) -> InvalidInput:
    return invalid("next_page_token", message)
