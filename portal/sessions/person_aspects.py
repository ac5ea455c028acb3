"""Sessions and recordings of a host as the page of the person shows them."""

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.urls import reverse

from portal.access.scope import Scope
from portal.audit.wording import length
from portal.config import clock
from portal.contract.recordings import Recordings
from portal.mirror.rows import cached_state
from portal.recordings import mirror as recordings
from portal.sessions import mirror
from portal.sessions.home import needs_of_host
from portal.sessions.kinds import first_kind
from portal.sessions.models import Occurrence
from portal.sessions.recorded import recordings_of
from portal.sessions.specs import page_of
from portal.translation import gettext as _
from portal.ui.things import (
    Aspect,
    ThingAspect,
    ThingCard,
    ThingLine,
    day_of,
)

_LONGEST, _LATEST = timedelta(days=1), timedelta(days=3660)
_NEXT = 3  # sessions that are named
_MOST = 1000  # times that are looked at


def _hosting(scope: Scope, user_id: str) -> Aspect:
    """Returns what the person hosts next, and what is wrong with it."""
    if cached_state(scope.connection, mirror.NAME).refreshed_at is None:
        return Aspect()
    now = clock.now()
    coming = list(_ahead(scope, user_id).select_related("session")[:_MOST])
    url = reverse("people:tab", args=[scope.connection.key, user_id, first_kind().family])
    lines = [_line(scope, one, now) for one in coming[:_NEXT]]
    card = ThingCard(_("Next sessions"), url, _("Show all"), lines, shows_hours=True)
    return Aspect(
        needs=list(needs_of_host(scope, user_id, coming)),
        cards=[card] if lines else [],
        count=len({one.session_id for one in coming}),
    )


def _line(scope: Scope, one: Occurrence, now: datetime) -> ThingLine:
    minutes = round((one.end_time - one.start_time).total_seconds() / 60)
    return ThingLine(
        one.start_time,
        day_of(one.start_time),
        str(one.session),
        url=page_of(scope.connection, one.session.kind, one.session.session_id),
        end=length(minutes),
        is_live=one.start_time <= now,
        is_open=one.session.has_password is False,
    )


def _ahead(scope: Scope, user_id: str) -> QuerySet[Occurrence]:
    now = clock.now()
    begun = mirror.beginning(scope, now - _LONGEST, now + _LATEST)
    return begun.filter(session__host_id=user_id, end_time__gt=now)


def _hosted_next(scope: Scope, user_id: str) -> int:
    return _ahead(scope, user_id).order_by().values("session").distinct().count()


def _recorded(scope: Scope, user_id: str) -> Aspect:
    url = reverse("people:tab", args=[scope.connection.key, user_id, Recordings.of_user.family])
    return recordings_of(scope, {"host_id": user_id}, url, {"host": user_id})


def _recordings_of(scope: Scope, user_id: str) -> int:
    return recordings.listed(scope).filter(host_id=user_id).count()


ASPECTS = (
    ThingAspect("person", 10, first_kind().of_user, _hosting, "sessions", _hosted_next),
    ThingAspect("person", 30, Recordings.of_user, _recorded, "recordings", _recordings_of),
)
