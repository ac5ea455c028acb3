"""What the first page says of a connection itself: its token, the service, its copies of lists."""

from collections.abc import Iterator

from django.urls import reverse

from portal.access.models import Connection, User
from portal.access.tokens import TokenUnreadable
from portal.mirror.models import MirrorState
from portal.mirror.registry import MIRRORED_LISTS
from portal.ui.home import HomeItem, HomeLine


def _read(_user: User, connection: Connection) -> Iterator[HomeLine]:
    url = reverse("access:connection", args=[connection.key])
    try:
        _ = connection.token
    except TokenUnreadable:
        why = "The stored token cannot be decrypted."
        yield HomeLine("bad", "Enter the access token again", url, why)
    match connection.health:
        case "down":
            why = "The last request got no usable response."
            yield HomeLine("bad", "The conferencing service is not responding", url, why)
        case "throttled":
            why = "Requests are sent more slowly until it has room again."
            yield HomeLine("warning", "The conferencing service is throttling requests", url, why)
    failed = MirrorState.objects.filter(connection=connection).exclude(failure="").order_by("kind")
    for state in failed:
        kind = MIRRORED_LISTS.get(state.kind)
        words = f"The list of {kind.noun if kind else state.kind} could not be updated"
        yield HomeLine("warning", words, url, state.failure, as_of=state.refreshed_at)


CONNECTION = HomeItem("Connection", 0, _read)
