"""Lists by token, and the fields of lists of some days (spec 2.3)."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import orjson
from django.db import connection
from django.db.models import Model

from portal.contract.paging import Days, TokenQuery
from portal.sandbox.history.roster import Participant
from portal.sandbox.options import options
from portal.sandbox.paging import issue_token, read_token

SqlValue = str | int | None


class TokenListing:
    """A list by token of rows that store their JSON in `fragment`, the latest first.

    A token names the last record of its page, so that none is lost or repeated. As with `Listing`,
    rows are never made into objects.
    """

    def __init__(self, records: str, model: type[Model], where: str, key: str) -> None:
        rows = f"FROM {model._meta.db_table} WHERE {where}"
        after = f"AND (start_time < %s OR (start_time = %s AND {key} > %s))"
        order = f"ORDER BY start_time DESC, {key} LIMIT %s"
        self._records = records
        self._count = f"SELECT COUNT(*) {rows}"
        self._first = f"SELECT fragment, start_time, {key} {rows} {order}"
        self._next = f"SELECT fragment, start_time, {key} {rows} {after} {order}"

    def page(self, query: TokenQuery, scope: str, *parameters: SqlValue) -> bytes:
        """Returns the page's fields except those that name the days."""
        key = options().token
        position = read_token(query, scope, key)
        statement, after = self._first, list[str]()
        if position:
            moment, last = position
            statement, after = self._next, [moment, moment, last]
        with connection.cursor() as cursor:
            cursor.execute(self._count, parameters)
            [total] = cursor.fetchone()
            cursor.execute(statement, (*parameters, *after, query.page_size + 1))
            found = cursor.fetchall()
        rows, token = found[: query.page_size], ""
        if len(found) > query.page_size:
            _, moment, last = rows[-1]
            token = issue_token([str(moment), str(last)], query, scope, key)
        fragments = ",".join(row[0] for row in rows)
        return (
            f'{{"page_count":{len(rows)},"page_size":{query.page_size},"total_records":{total},'
            f'"next_page_token":"{token}","{self._records}":[{fragments}]}}'
        ).encode()


def participants_page(
    participants: Sequence[Participant],
    query: TokenQuery,
    scope: str,
    data: Callable[[Participant], Any],
) -> bytes:
    """Returns a page of the participants of a session, whose places never change."""
    key = options().token
    position = read_token(query, scope, key)
    last = int(position[0]) if position else -1
    found = [each for each in participants if each.place > last]
    page, token = found[: query.page_size], ""
    if len(found) > query.page_size:
        token = issue_token([str(page[-1].place)], query, scope, key)
    return orjson.dumps(
        {
            "page_count": len(page),
            "page_size": query.page_size,
            "total_records": len(participants),
            "next_page_token": token,
            "participants": [data(each) for each in page],
        }
    )


def with_days(page: bytes, query: Days) -> bytes:
    """Returns the page with its days in front."""
    return f'{{"from":"{query.from_}","to":"{query.to}",'.encode() + page[1:]


def began(first: date, last: date) -> tuple[datetime, datetime]:
    """Returns the beginning of the first day and the end of the last one, in GMT."""
    end = datetime.combine(last, time.max, UTC).replace(microsecond=0)
    return datetime.combine(first, time.min, UTC), end


def sql_days(query: Days) -> tuple[str, str]:
    """Returns both moments for a raw statement."""
    first, last = began(query.from_, query.to)
    return sql_time(first), sql_time(last)


def sql_time(moment: datetime) -> str:
    return str(connection.ops.adapt_datetimefield_value(moment))


def days_between(first: date, last: date) -> list[date]:
    return [first + timedelta(days=at) for at in range((last - first).days + 1)]
