"""Recordings as the pages of people and sessions show them."""

from collections.abc import Mapping

from django.db.models import Count, Exists, Max, OuterRef, Q, Sum
from django.db.models.functions import TruncWeek
from django.urls import reverse

from portal.access.scope import Scope
from portal.mirror.rows import cached_state
from portal.recordings import mirror as recordings
from portal.recordings.home import open_to_anyone
from portal.recordings.models import RecordingStatus, StoredSharing
from portal.translation import gettext as _, ngettext, number
from portal.ui.home import HomeFigure, HomeLine
from portal.ui.numbers import size_in_words
from portal.ui.things import Aspect, weekly


def recorded_of(kind: str, scope: Scope, session_id: str) -> Aspect:
    """Returns the recordings of a session, and those that are open to anyone."""
    url = reverse(f"{kind}:recordings", args=[scope.connection.key, session_id])
    return recordings_of(scope, {"session_id": session_id}, url, {"q": session_id})


def count_recorded(scope: Scope, session_id: str) -> int:
    return recordings.listed(scope).filter(session_id=session_id).count()


def recordings_of(
    scope: Scope, wanted: Mapping[str, str], url: str, query: Mapping[str, str]
) -> Aspect:
    """Returns the recordings with these values; `query` filters the list of all by the same."""
    if cached_state(scope.connection, recordings.NAME).refreshed_at is None:
        return Aspect()
    own = recordings.listed(scope).filter(**wanted)
    public = StoredSharing.objects.filter(recordings.EXPOSED, recording=OuterRef("pk"))
    is_open = Q(Exists(public)) & ~Q(status=RecordingStatus.TRASHED)
    weeks = list(
        own.annotate(week=TruncWeek("start_time"))
        .values_list("week")
        .annotate(
            count=Count("pk"),
            size=Sum("size"),
            open=Count("pk", filter=is_open),
            one=Max("topic", filter=is_open),
        )
    )
    total, size, exposed = (sum(row[at] or 0 for row in weeks) for at in (1, 2, 3))
    about, needs = size_in_words(size), []
    if exposed:
        words = ngettext("%(open)s open", "%(open)s open", exposed) % {"open": number(exposed)}
        about = f"{about} · {words}"
        topics = [row[4] for row in weeks if row[4]]
        why = topics[0] if exposed == 1 else _("No password, or can be downloaded")
        exposed_query = {"status": "exposed", **query}
        address = reverse("recordings:list", args=[scope.connection.key], query=exposed_query)
        needs.append(HomeLine("bad", open_to_anyone(exposed), address, why))
    curve = weekly((row[0], row[1]) for row in weeks if row[0])
    figure = HomeFigure(url, number(total), about=about, curve=curve)
    return Aspect([(_("Recordings"), figure)], needs, count=total)
