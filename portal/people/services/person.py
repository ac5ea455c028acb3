"""One person, read from the service or else the mirror, and the sections of a profile."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from portal.access.scope import Scope
from portal.client import Api, ApiError, NotFound
from portal.contract.model import Titles
from portal.contract.users import LicenceType, UserDetails, UserStatus, UserUpdate, VanityNameQuery
from portal.directory import users as mirror
from portal.directory.colleagues import initials
from portal.directory.models import MirroredUser, licence_label
from portal.directory.users import UserFilter
from portal.people.labels import language_in_words
from portal.translation import gettext as _, gettext_lazy
from portal.ui.numbers import spaced

_TITLES = Titles(UserUpdate)
_SOURCES = {"vanity_name": "vanity_url"}  # the field of an answer that has another one's value


@dataclass(frozen=True)
class PersonRecord:
    """A person as their page shows them. `status` is empty if neither the answer nor a list has
    reported it."""

    details: UserDetails
    status: str = ""

    @property
    def id(self) -> str:
        return self.details.id

    @property
    def full_name(self) -> str:
        return f"{self.details.first_name or ''} {self.details.last_name or ''}".strip()

    @property
    def name(self) -> str:
        return self.full_name or self.details.email or self.details.id

    @property
    def initials(self) -> str:
        return initials(self.details.first_name, self.details.last_name, self.name)

    @property
    def status_label(self) -> str:
        return UserStatus(self.status).label if self.status in set(UserStatus) else _("Unknown")

    @property
    def is_pending(self) -> bool:
        return self.status == UserStatus.PENDING

    @property
    def reports_host_key(self) -> bool:
        """Returns whether the answer has the host key, also if there is none."""
        return "host_key" in self.details.model_fields_set

    @property
    def licence(self) -> str:
        return licence_label(self.details.type)

    @property
    def spaced_pmi(self) -> str:
        return spaced(str(self.details.pmi or ""))

    @property
    def short_link(self) -> str:
        """Returns the personal link without its scheme."""
        return str(self.details.personal_meeting_url or "").removeprefix("https://")

    @cached_property
    def vanity_name(self) -> str:
        """Returns the last part of the personal link, which is what can be changed."""
        return str(self.details.vanity_url or "").rstrip("/").rpartition("/")[2]

    @cached_property
    def picture_version(self) -> str:
        """Changes when the picture does; empty where there is none."""
        address = self.details.pic_url
        return sha256(address.encode()).hexdigest()[:12] if address else ""


def read(api: Api, scope: Scope, user_id: str) -> PersonRecord:
    """Reads a person and puts the mirror right. `user_id` may be an email address.

    Raises `ApiError`; `NotFound` if the person is gone, and their mirrored row is deleted.
    """
    try:
        details = api.users.get(user_id)
    except NotFound:
        mirror.drop(scope.connection, user_id)
        raise
    status = mirror.status_of(scope, details.id)
    if status:
        mirror.put(scope.connection, details)
    return PersonRecord(details, _reported_status(details) or status)


def _reported_status(details: UserDetails) -> str:
    """Returns the status that services of today report of one person, beside the document."""
    status = (details.model_extra or {}).get("status")
    return str(status) if status in set(UserStatus) else ""


def refresh_person(api: Api, scope: Scope, user_id: str, status: UserStatus | None = None) -> None:
    """Reads a person again after a write, so that the lists are right at once.

    The write is done, so a read that fails now is no reason for an error: the next refresh heals.
    """
    try:
        details = api.users.get(user_id)
    except ApiError:
        mirror.USERS.request(scope.connection)
        return
    if status or mirror.status_of(scope, details.id):
        mirror.put_written(scope.connection, details, status)
    else:
        mirror.USERS.request(scope.connection)


def read_or_from_mirror(api: Api, scope: Scope, user_id: str) -> PersonRecord:
    mirrored = from_mirror(scope, user_id)
    try:
        return read(api, scope, user_id)
    except ApiError:
        return mirrored


def from_mirror(scope: Scope, user_id: str) -> PersonRecord:
    """Returns the mirrored person; without a row only the id is set."""
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
        created_at=row.created_at,
        last_login_time=row.last_login_time,
    )
    return PersonRecord(details, row.status)


def holder_of(scope: Scope, email: str) -> MirroredUser | None:
    """Returns the person on the account with this address, as far as the mirror has them."""
    return mirror.find(scope, UserFilter()).filter(email__iexact=email).first()


@dataclass(frozen=True)
class ProfileSection:
    """A few fields of the profile that are edited together."""

    slug: str
    title: str
    icon: str
    fields: tuple[str, ...]
    hint: str = ""


SECTIONS = {
    section.slug: section
    for section in (
        ProfileSection(
            "name", gettext_lazy("Name and department"), "user", ("first_name", "last_name", "dept")
        ),
        ProfileSection(
            "licence",
            gettext_lazy("Licence"),
            "badge-check",
            ("type",),
            gettext_lazy("A change takes or frees a licence of the account at once."),
        ),
        ProfileSection("region", gettext_lazy("Region"), "globe", ("timezone", "language")),
        ProfileSection(
            "room",
            gettext_lazy("Personal room"),
            "door-open",
            ("pmi", "use_pmi", "vanity_name"),
            gettext_lazy(
                "Invitations with the old meeting ID or link stop working when it changes."
            ),
        ),
        ProfileSection("cms", gettext_lazy("Content system"), "database", ("cms_user_id",)),
    )
}


@dataclass(frozen=True)
class ProfileRow:
    """A field of the profile as it is read: `value` is empty where nothing is set, or the service
    has not reported it."""

    name: str
    title: str
    value: str
    is_reported: bool = True


def profile_values(person: PersonRecord, section: ProfileSection) -> dict[str, object]:
    """Returns the values of the section's fields, in the form that travels."""
    values = person.details.model_dump(mode="json", warnings=False)
    values["vanity_name"] = person.vanity_name
    return {name: values.get(name) for name in section.fields}


def profile_rows(person: PersonRecord, section: ProfileSection) -> Iterator[ProfileRow]:
    for name, value in profile_values(person, section).items():
        is_reported = _SOURCES.get(name, name) in person.details.model_fields_set
        yield ProfileRow(name, _TITLES[name], _in_words(person, name, value), is_reported)


def _in_words(person: PersonRecord, name: str, value: Any) -> str:
    if value in (None, ""):
        return ""
    if name == "type":
        return person.licence
    if name == "language":
        return language_in_words(value)
    if name == "pmi":
        return person.spaced_pmi
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    return str(value)


def save_profile(api: Api, scope: Scope, user_id: str, changes: UserUpdate) -> None:
    """Sends the changed fields alone. Raises `ApiError`."""
    api.users.update(user_id, changes)
    refresh_person(api, scope, user_id)


def vanity_name_is_taken(api: Api, name: str) -> bool:
    return api.users.vanity_name_exists(VanityNameQuery(vanity_name=name)).existed
