"""Single webinars (spec 2.8 and 4.6)."""

from portal.contract.sessions import OccurrenceQuery, SessionStatusChange
from portal.contract.users import LicenceType
from portal.contract.webinars import (
    NewWebinar,
    WebinarDetails,
    Webinars,
    WebinarSettings,
    WebinarUpdate,
)
from portal.sandbox.clock import now
from portal.sandbox.errors import invalid
from portal.sandbox.families.ending import end_session
from portal.sandbox.families.planning import (
    change_session,
    host_called,
    plan_session,
    remove_session,
    session_called,
    session_facts,
    settings_of,
)
from portal.sandbox.http import Created, location
from portal.sandbox.models import Session, SessionKind
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
