"""The request as views see it, its origin, and the records that calls for it could not read."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.client import Api, NotAvailable
from portal.client.messages import HIDDEN, UNREAD, UNREAD_AT_ALL
from portal.config.middleware import client_address, request_id
from portal.contract.operation import Call
from portal.contract.reading import LeftOut, all_left_out_of
from portal.contract.words import gettext


class UnreadRecords:
    """The records of answers that could not be read, and the scopes that calls lacked."""

    def __init__(self) -> None:
        self._left_out: dict[object, tuple[LeftOut, ...]] = {}
        self._stored: list[str] = []
        self._scopes: set[str] = set()

    @property
    def in_words(self) -> list[str]:
        """Returns a sentence for each list."""
        results = (record for records in self._left_out.values() for record in records)
        return [*self._stored, *in_words(results)]

    @property
    def hidden_in_words(self) -> list[str]:
        """Returns a sentence for each scope whose lack has refused a call."""
        return [gettext(HIDDEN) % {"scope": scope} for scope in sorted(self._scopes)]

    def refuse(self, error: NotAvailable) -> None:
        """Records the scopes whose lack has refused a call."""
        self._scopes.update(error.scopes)

    def add(self, words: str) -> None:
        """Adds what an earlier reading of a list could not read."""
        if words:
            self._stored.append(words)

    def record(self, call: Call[object], answer: object) -> None:
        """Records what an answer left out; a page that is read once more is counted once."""
        if left_out := all_left_out_of(answer):
            place = (getattr(answer, name, None) for name in ("page_number", "next_page_token"))
            self._left_out[(call.path, str(call.parameters), *place)] = left_out


def in_words(left_out: Iterable[LeftOut]) -> list[str]:
    """Returns a sentence for each list, of how many records could not be read and what they
    lack."""
    by_list: dict[str, Counter[str]] = {}
    for record in left_out:
        by_list.setdefault(record.title, Counter())[record.field] += 1
    return [_sentence(title, fields) for title, fields in by_list.items()]


def _sentence(title: str, fields: Counter[str]) -> str:
    lacking = ", ".join(sorted(filter(None, fields)))
    words = gettext(UNREAD if lacking else UNREAD_AT_ALL)
    values = {"what": gettext(title), "count": f"{fields.total():,}", "fields": lacking}
    return words % values


class PortalRequest(HttpRequest):
    """A signed-in request. Views under `connected` have `connection`, `scope` and `api`, and in
    `unread` the records of answers that could not be read.

    `listed_under` is the address of the navigation's page for this one, set by a view with an
    address that does not begin with it. `shown_connection` is the one that a page of no connection
    shows.
    """

    user: User
    htmx: HtmxDetails
    connection: Connection
    shown_connection: Connection
    scope: Scope
    api: Api
    unread: UnreadRecords
    listed_under: str = ""


def htmx_of(request: HttpRequest) -> HtmxDetails:
    """Returns the htmx details of a request, signed in or not."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    return htmx


@dataclass(frozen=True)
class Origin:
    """The origin of a change. `actor` is None for an unknown visitor and for the portal itself;
    `elevated_to` is the role that they have for some hours alone."""

    actor: User | None = None
    _: KW_ONLY
    email: str = ""
    ip: str = ""
    request_id: str = ""
    elevated_to: str = ""


def origin_of(request: HttpRequest, user: User | None = None) -> Origin:
    """The origin of a request, by the one who is signed in unless another is given."""
    actor = user or (request.user if isinstance(request.user, User) else None)
    scope: Scope | None = getattr(request, "scope", None)
    return Origin(
        actor=actor,
        email=actor.email if actor else "",
        ip=client_address(request),
        request_id=request_id(),
        elevated_to=scope.elevated_to if scope and scope.user == actor else "",
    )
