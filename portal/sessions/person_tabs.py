"""Tabs on the page about a person with the sessions that they host, and their recordings."""

from functools import partial

from portal.access.http import PortalRequest
from portal.contract.recordings import Recordings
from portal.sessions.specs import SessionSpec
from portal.translation import gettext_lazy
from portal.ui.tabs import PersonTab


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
