"""People as they are named to be added somewhere, or removed: picked, or by the email typed."""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from portal.contract.types import Email
from portal.directory.colleagues import Colleague
from portal.translation import gettext as _

_EMAIL: TypeAdapter[str] = TypeAdapter(Email)


@dataclass(frozen=True)
class MemberReference:
    """Somebody to add or to remove: what the service is sent, and what the page calls them."""

    name: str
    id: str = ""
    email: str = ""

    @property
    def problem(self) -> str:
        """Returns the problem of an address that was typed."""
        if self.id:
            return ""
        try:
            _EMAIL.validate_python(self.email)
        except ValidationError:
            return _("Not an email address, such as name@example.com.")
        return ""


def references(picked: Iterable[Colleague], emails: Iterable[str] = ()) -> list[MemberReference]:
    """People who were picked, and others by the address that was typed."""
    people = [MemberReference(one.name, one.id, one.email) for one in picked]
    known = {one.email.casefold() for one in people}
    return people + [
        MemberReference(each, email=each) for each in emails if each.casefold() not in known
    ]
