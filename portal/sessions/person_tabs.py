"""Tabs on the page about a person with the sessions that they host, and their recordings."""

from datetime import timedelta
from functools import partial

from django.db.models import Count, Sum
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.audit.wording import length
from portal.config import clock
from portal.contract.recordings import Recordings
from portal.recordings import mirror as recordings
from portal.sessions import mirror
from portal.sessions.kinds import first_kind
from portal.sessions.specs import SessionSpec, page_of
from portal.sessions.times import listed_time
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.numbers import size_in_words
from portal.ui.tabs import FigureLine, PersonTab, ShownFigure

_AHEAD, _LATEST = timedelta(days=30), timedelta(days=366)
_NEXT = 3  # sessions that are named


def _recordings(request: PortalRequest, user_id: str) -> dict[str, object]:
    from portal.sessions.views.person import recordings  # noqa: PLC0415 - no worker needs pages

    return recordings(request, user_id)


def _hosted(spec: SessionSpec, request: PortalRequest, user_id: str) -> dict[str, object]:
    from portal.sessions.views.person import hosted  # noqa: PLC0415 - no worker needs pages

    return hosted(spec, request, user_id)


RECORDINGS = PersonTab(
    name="recordings",
    label=gettext_lazy("Recordings"),
    place=30,
    needs=Recordings.of_user,
    template="sessions/person_recordings.html",
    read=_recordings,
)


def hosted_tab(spec: SessionSpec) -> PersonTab:
    return PersonTab(
        name=spec.family,
        label=spec.title,
        place=spec.place,
        needs=spec.of_user,
        template="sessions/hosted.html",
        read=partial(_hosted, spec),
    )


def next_figure(scope: Scope, user_id: str) -> ShownFigure | None:
    if mirror.state_of(scope.connection).refreshed_at is None:
        return None
    now = clock.now()
    coming = mirror.beginning(scope, now, now + _LATEST).filter(session__host_id=user_id)
    upcoming = list(coming.select_related("session")[:_NEXT])
    count = coming.filter(start_time__lt=now + _AHEAD).order_by().count()
    url = reverse("people:tab", args=[scope.connection.key, user_id, first_kind().family])
    if not upcoming:
        return ShownFigure(_("None"), _("in the coming year"), url)
    about = _("%(count)s in 30 days") % {"count": number(count)}
    lines = tuple(
        FigureLine(
            listed_time(one.start_time),
            str(one.session),
            length(round((one.end_time - one.start_time).total_seconds() / 60)),
            page_of(scope.connection, one.session.kind, one.session.session_id),
        )
        for one in upcoming
    )
    return ShownFigure(lines[0].time, about, url, _("Next sessions"), lines)


def recordings_figure(scope: Scope, user_id: str) -> ShownFigure | None:
    if recordings.state_of(scope.connection).refreshed_at is None:
        return None
    own = recordings.find(scope, recordings.RecordingFilter(hosts=[user_id])).order_by()
    sums = own.aggregate(count=Count("pk"), size=Sum("size"))
    exposed = recordings.RecordingFilter(hosts=[user_id], exposed=True)
    is_open = recordings.find(scope, exposed).order_by().count()
    url = reverse("people:tab", args=[scope.connection.key, user_id, Recordings.of_user.family])
    about = size_in_words(sums["size"])
    if is_open:
        words = ngettext("%(open)s open to anyone", "%(open)s open to anyone", is_open)
        about = f"{about} · {words % {'open': number(is_open)}}"
    return ShownFigure(number(sums["count"]), about, url)
