"""Small lists of a whole account that the service gives whole, and that are administered alike."""

from dataclasses import dataclass
from typing import Any

from portal.contract.operation import Family
from portal.translation import gettext as _


@dataclass(frozen=True)
class Resource:
    """A kind of small resource. `name` is the one in its URLs, whose names are in `namespace`.

    `key` and `label` are the fields of its rows that identify and name them, `own` those by which
    one is found again whose creation was not answered, `fields` what its forms ask for.
    """

    namespace: str
    name: str
    one: str
    many: str
    title: str
    icon: str
    lead: str
    empty: str
    family: type[Family]
    key: str = "id"
    label: str = "name"
    own: tuple[str, ...] = ()
    fields: tuple[str, ...] | None = None
    has_import: bool = False

    @property
    def noun(self) -> tuple[str, str]:
        return self.one, self.many

    @property
    def nothing(self) -> str:
        return _("There are no %(many)s yet") % {"many": self.many}

    def url_name(self, endpoint: str = "") -> str:
        """Returns the name of the URL of an endpoint, by default of the list."""
        return f"{self.namespace}:{self.name}" + (f"-{endpoint}" if endpoint else "")

    def operation(self, name: str) -> Any:
        return getattr(self.family, name)
