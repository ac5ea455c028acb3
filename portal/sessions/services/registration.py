"""Registering somebody for a session, and finding out whether one without an answer happened."""

from collections.abc import Iterable

from portal.client import Api
from portal.contract.registrants import (
    AddedRegistrant,
    NewRegistrantQuery,
    Registrant,
    RegistrantDetails,
)
from portal.sessions.services import registrants
from portal.sessions.specs import RegistrantFamily


def register(
    api: Api,
    family: RegistrantFamily,
    session_id: str,
    person: Registrant,
    occurrence_ids: Iterable[str] = (),
) -> AddedRegistrant:
    """Registers for these occurrences, or for all there are. Raises `ApiError`."""
    chosen = ",".join(occurrence_ids)
    about = [NewRegistrantQuery(occurrence_ids=chosen)] if chosen else []
    return api.caller(family.add.call(session_id, *about, person))


def look_for(
    api: Api, family: RegistrantFamily, session_id: str, email: str
) -> RegistrantDetails | None:
    """Returns the registrant with this address, after a registration that was not answered."""
    return registrants.with_email(api, family, session_id, email)
