"""Single webinars and their panelists (spec 2.8 and 4.6)."""

from portal.contract.sessions import OccurrenceQuery, SessionStatusChange
from portal.contract.users import LicenceType
from portal.contract.webinars import (
    AddedPanelists,
    NewPanelists,
    NewWebinar,
    PanelistDetails,
    PanelistList,
    Panelists,
    WebinarDetails,
    Webinars,
    WebinarSettings,
    WebinarUpdate,
)
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound, invalid
from portal.sandbox.families.planning import (
    change_session,
    end_session,
    host_called,
    plan_session,
    remove_session,
    session_called,
    session_facts,
    settings_of,
)
from portal.sandbox.http import Created, location
from portal.sandbox.models import Panelist, Session, SessionKind
from portal.sandbox.serving import serves


def webinar_called(number: str) -> Session:
    return session_called(SessionKind.WEBINAR, number)


@serves(Webinars.create)
def create(user_id: str, body: NewWebinar) -> Created:
    host = host_called(user_id)
    if host.type == LicenceType.BASIC:
        raise invalid("userId", "A Basic licence does not host webinars.")
    webinar = plan_session(SessionKind.WEBINAR, host, body)
    return Created(location(Webinars.get, str(webinar.number)), _document(webinar))


@serves(Webinars.get)
def get(webinar_id: str) -> WebinarDetails:
    return _document(webinar_called(webinar_id))


@serves(Webinars.update)
def update(webinar_id: str, body: WebinarUpdate) -> None:
    change_session(webinar_called(webinar_id), body)


@serves(Webinars.delete)
def delete(webinar_id: str, query: OccurrenceQuery) -> None:
    remove_session(webinar_called(webinar_id), query.occurrence_id)


@serves(Webinars.end)
def end(webinar_id: str, body: SessionStatusChange) -> None:  # noqa: ARG001 - it has one value
    end_session(webinar_called(webinar_id), now())


def _document(webinar: Session) -> WebinarDetails:
    settings = WebinarSettings(**settings_of(webinar, WebinarSettings))
    return WebinarDetails(**session_facts(webinar), settings=settings)


_JOIN_URL = "https://conf.example/w/{}?tk=p{}"


@serves(Panelists.list)
def list_panelists(webinar_id: str) -> PanelistList:
    panelists = webinar_called(webinar_id).panelists.order_by("id")
    values = [
        PanelistDetails(id=str(each.id), name=each.name, email=each.email, join_url=_url(each))
        for each in panelists
    ]
    return PanelistList(panelists=values, total_records=len(values))


@serves(Panelists.add)
def add_panelists(webinar_id: str, body: NewPanelists) -> AddedPanelists:
    """Adds panelists. An existing panelist stays one, under the new name.

    The answer describes the first panelist of the request.
    """
    webinar = webinar_called(webinar_id)
    if not body.panelists:
        raise invalid("panelists", "Name at least one panelist.")
    added = [
        webinar.panelists.update_or_create(
            email_key=each.email.lower(),
            defaults={"name": each.name} if each.name else {},
            create_defaults={"email": each.email, "name": each.name or ""},
        )[0]
        for each in body.panelists
    ]
    return AddedPanelists(id=str(added[0].id), join_url=_url(added[0]))


@serves(Panelists.remove_all)
def remove_all_panelists(webinar_id: str) -> None:
    webinar_called(webinar_id).panelists.all().delete()


@serves(Panelists.remove)
def remove_panelist(webinar_id: str, panelist_id: str) -> None:
    webinar = webinar_called(webinar_id)
    found = None
    if panelist_id.isascii() and panelist_id.isdigit() and len(panelist_id) < 19:
        found = webinar.panelists.filter(id=int(panelist_id)).first()
    if found is None:
        raise NotFound("panelist")
    found.delete()


def _url(panelist: Panelist) -> str:
    return _JOIN_URL.format(panelist.session_id, panelist.id)
