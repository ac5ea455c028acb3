"""The beginning of every audit entry: actor, address and request."""

from dataclasses import KW_ONLY, dataclass

from django.http import HttpRequest

from portal.access.models import User
from portal.config.request_log import client_address, request_id


@dataclass(frozen=True)
class Origin:
    """`actor` is None for an unknown visitor and for the portal itself."""

    actor: User | None = None
    _: KW_ONLY
    email: str = ""
    ip: str = ""
    request_id: str = ""


def origin_of(request: HttpRequest, user: User | None = None) -> Origin:
    """The origin of a request, by the one who is signed in unless another is given."""
    actor = user or (request.user if isinstance(request.user, User) else None)
    return Origin(
        actor=actor,
        email=actor.email if actor else "",
        ip=client_address(request),
        request_id=request_id(),
    )
