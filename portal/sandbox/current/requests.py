"""Requests of today's services, beyond the document."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from portal.contract.model import Model
from portal.contract.operation import Operation
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.sandbox.clock import now
from portal.sandbox.current.names import DROPPED, KEYS
from portal.sandbox.current.positions import asked_at
from portal.sandbox.http import Request
from portal.sandbox.models import Role, User

Parameters = dict[str, list[str]]

_REPORTED = timedelta(days=30)
_LEFT_OUT = {
    MeetingRegistrants.add.name: {"last_name": "-"},
    WebinarRegistrants.add.name: {"last_name": "-"},
}


def understand(request: Request, operation: Operation[Any, Any], ids: list[str]) -> list[str]:
    """Completes a request and returns the ids of its path.

    `me` is the owner of the account, who is the subject of all tokens. `null` counts as not sent,
    at any depth.
    """
    ids = [
        _me() if name == "userId" and value == "me" else value
        for name, value in zip(operation.path_parameters, ids, strict=True)
    ]
    if operation.query:
        request.parameters = _completed(operation, operation.query, ids, request.parameters)
    request.drops_nulls = True
    dropped = DROPPED.get(operation.name, ())
    request.names = {theirs: own for own, theirs in KEYS.get(operation.name, {}).items()}
    request.names |= {name: f"{name} (not taken)" for name in dropped}
    request.left_out = _LEFT_OUT.get(operation.name, {})
    return ids


def _me() -> str:
    return User.objects.values_list("id", flat=True).get(role=Role.OWNER)


def _completed(
    operation: Operation[Any, Any], query: type[Model], ids: Sequence[str], given: Parameters
) -> Parameters:
    """Returns the query in the document's form.

    It is that of the first page if a token is sent, has the largest page instead of a larger one,
    and the last days if the request names none.
    """
    if operation.pages and any(given.get("next_page_token", ())):
        return asked_at(given["next_page_token"][0], operation, ids)
    asked = {name: values for name, values in given.items() if name != "next_page_token"}
    if sizes := asked.get("page_size"):
        asked["page_size"] = [_at_most(size, _largest_page(query)) for size in sizes]
    if "from_" in query.model_fields:
        asked = {**asked, **_days(asked)}
    return asked


def _largest_page(query: type[Model]) -> int:
    limits = query.model_fields["page_size"].metadata if "page_size" in query.model_fields else ()
    return min((each.le for each in limits if hasattr(each, "le")), default=300)


def _at_most(size: str, largest: int) -> str:
    return str(largest) if size.isdecimal() and int(size[:9]) > largest else size


def _days(asked: Parameters) -> Parameters:
    """Returns the days that the query leaves out: a month that ends today, or at the end that it
    names."""
    first, last = _day(asked, "from"), _day(asked, "to")
    today = now().date()
    days: Parameters = {}
    if not asked.get("to"):
        last = min(today, first + _REPORTED) if first else today
        days["to"] = [max(last, first or last).isoformat()]
    if not asked.get("from"):
        days["from"] = [((last or today) - _REPORTED).isoformat()]
    return days


def _day(asked: Parameters, name: str) -> date | None:
    try:
        return date.fromisoformat(asked.get(name, [""])[0][:10])
    except ValueError:
        return None
