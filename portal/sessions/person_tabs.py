"""What the page about a person shows of the sessions that they host, and of their recordings."""

from functools import partial

from portal.contract.recordings import Recordings
from portal.sessions.kinds import Kind
from portal.sessions.views.hosted import hosted
from portal.sessions.views.person_recordings import recordings
from portal.ui.person_tabs import PersonTab

RECORDINGS = PersonTab(
    name="recordings",
    label="Recordings",
    place=30,
    needs=Recordings.of_user,
    template="sessions/person_recordings.html",
    read=recordings,
)


def hosted_tab(kind: Kind, place: int) -> PersonTab:
    """The tab of the sessions of a kind."""
    return PersonTab(
        name=kind.family,
        label=kind.title,
        place=place,
        needs=kind.of_user,
        template="sessions/hosted.html",
        read=partial(hosted, kind),
    )
