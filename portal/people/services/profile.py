"""A profile in sections, each edited where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from portal.access.scope import Scope
from portal.client import Api
from portal.contract.model import Titles
from portal.contract.users import UserUpdate, VanityNameQuery
from portal.people.labels import language_in_words
from portal.people.services.person import PersonRecord, refresh_person
from portal.translation import gettext as _
from portal.translation import gettext_lazy


@dataclass(frozen=True)
class ProfileSection:
    """A few fields of the profile that are edited together."""

    slug: str
    title: str
    icon: str
    fields: tuple[str, ...]
    note: str = ""


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
_TITLES = Titles(UserUpdate)


@dataclass(frozen=True)
class ProfileRow:
    """A field of the profile as it is read: `value` is empty where nothing is set."""

    name: str
    title: str
    value: str


def values(person: PersonRecord, section: ProfileSection) -> dict[str, Any]:
    """Returns the values of the section's fields, in the form that travels."""
    held = person.details.model_dump(mode="json", warnings=False)
    held["vanity_name"] = person.vanity_name
    return {name: held.get(name) for name in section.fields}


def rows(person: PersonRecord, section: ProfileSection) -> Iterator[ProfileRow]:
    """The section's fields in words."""
    for name, value in values(person, section).items():
        yield ProfileRow(name, _TITLES[name], _in_words(person, name, value))


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


def save(api: Api, scope: Scope, user_id: str, changes: UserUpdate) -> None:
    """Sends the changed fields alone. Raises `ApiError`."""
    api.users.update(user_id, changes)
    refresh_person(api, scope, user_id)


def vanity_name_is_taken(api: Api, name: str) -> bool:
    return api.users.vanity_name_exists(VanityNameQuery(vanity_name=name)).existed
