"""What is live just now, as the dashboard of the service tells."""

from datetime import timedelta

from django.core.cache import cache
from django.utils import timezone

from portal.access.models import Connection
from portal.client import Api
from portal.contract.dashboards import SessionsQuery, SessionsShown
from portal.sessions.kinds import Kind

_KEPT = 10  # seconds


def live_numbers(api: Api, connection: Connection, kind: Kind) -> list[str]:
    """The numbers of the sessions that take place now. Raises `ApiError`."""
    key = f"live:{connection.key}:{kind.family}"
    known: list[str] | None = cache.get(key)
    if known is None:
        today = timezone.now().date()
        days = {"from": today - timedelta(days=1), "to": today}
        query = SessionsQuery(type=SessionsShown.LIVE, page_size=300, **days)
        known = [str(one.id) for one in getattr(api.metrics, kind.family).all(query)]
        cache.set(key, known, _KEPT)
    return known
