"""Subjects of settings: how those of one kind are read and changed."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from django.http import QueryDict
from django.urls import reverse

from portal.client import Api
from portal.contract.model import Model
from portal.ui.forms.state import nested
from portal.ui.settings.catalog import SettingsCatalog, Values

MOST_COMPARED = 20  # that are held side by side
SUBJECT = "subject"  # in the query of that page: an id, as often as there are subjects


class SubjectKind(ABC):
    """People, or sub accounts. `name` is how jobs and addresses call the kind, `reading` and
    `changing` are the operations that it takes, `page` is the name of the URL about one of them."""

    name: ClassVar[str]
    noun: ClassVar[tuple[str, str]]
    icon: ClassVar[str]
    catalog: ClassVar[SettingsCatalog]
    reading: ClassVar[Any]  # an `Operation`, and so is `changing`
    changing: ClassVar[Any]
    page: ClassVar[str]

    @abstractmethod
    def read(self, api: Api, subject_id: str) -> Values:
        """Returns the service's present values, by dotted name. Raises `ApiError`."""

    def update(self, values: Values) -> Model:
        """The change that sets these values. Raises pydantic's `ValidationError`."""
        return self.catalog.update.model_validate(nested(values))

    @abstractmethod
    def change(self, api: Api, subject_id: str, update: Any) -> None:
        """Sends what `update` made; it may be sent again without harm. Raises `ApiError`."""

    def url(self, connection_key: str, subject_id: str) -> str:
        """The page about one of them."""
        return reverse(self.page, args=[connection_key, subject_id])


def compare_url(connection_key: str, kind: SubjectKind, ids: Iterable[str], part: str = "") -> str:
    """Returns the address at which the settings of these stand side by side."""
    query = QueryDict(mutable=True)
    for key in ids:
        query.appendlist(SUBJECT, key)
    url = reverse(f"account:compare-{kind.name}{part}", args=[connection_key])
    return f"{url}?{query.urlencode()}" if query else url
