"""A person as far as the portal knows them itself, for when the service does not answer.

Pages about a person ask the service. A form that comes back while the service is down is shown all
the same, with what was typed; who it is about then comes from the mirror.
"""

from portal.access.scope import Scope
from portal.client import Api, ApiError
from portal.contract.users import LicenceType, UserDetails
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.people.services.person import PersonRecord, read


def read_or_from_mirror(api: Api, scope: Scope, user_id: str) -> PersonRecord:
    """The person as the service reports, or else as the mirror does."""
    known = from_mirror(scope, user_id)
    try:
        return read(api, scope, user_id)
    except ApiError:
        return known


def from_mirror(scope: Scope, user_id: str) -> PersonRecord:
    """The person as the mirror knows them; of somebody unknown only the id."""
    row = mirror.find(scope, UserFilter()).filter(user_id=user_id).first()
    if row is None:
        return PersonRecord(UserDetails(id=user_id))
    licence = LicenceType(row.type) if row.type in set(LicenceType) else None
    details = UserDetails.model_construct(
        id=row.user_id,
        email=row.email,
        first_name=row.first_name,
        last_name=row.last_name,
        dept=row.dept,
        pmi=row.pmi,
        timezone=row.timezone,
        type=licence,
    )
    return PersonRecord(details, row.status)


def holder_of(scope: Scope, email: str) -> MirroredUser | None:
    """Returns the person on the account with this address, as far as the mirror has them."""
    return mirror.find(scope, UserFilter()).filter(email__iexact=email).first()
