"""Tracking fields: what those who schedule are asked for, and how many sessions answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

from django.http import QueryDict

from portal.account.filters import TrackingFieldFilter
from portal.account.resources import TRACKING_FIELDS
from portal.account.services.tracking import sessions_with
from portal.account.tables import TrackingFieldTable
from portal.account.views.resources import (
    ChangeResourceView,
    CreateResourceView,
    DeleteResourceView,
    ResourceListView,
)
from portal.contract.tracking_fields import NewTrackingField, TrackingField
from portal.translation import gettext as _
from portal.translation import ngettext, number
from portal.ui.forms import contract_form
from portal.ui.views.ranged import SortKeys, has_words

_FIELDS = ("field", "recommended_values", "required", "visible")


@dataclass(frozen=True)
class FieldRow:
    """A tracking field, and how many sessions have a value in it."""

    id: str
    field: str
    required: bool
    visible: bool
    recommended_values: list[str]
    used: int


class TrackingFieldListView(ResourceListView):
    """The tracking fields of the account."""

    resource = TRACKING_FIELDS
    keys: ClassVar[SortKeys] = {"field": attrgetter("field"), "used": attrgetter("used")}

    def read(self) -> Sequence[FieldRow]:
        listed = self.request.api.tracking_fields.list().tracking_fields
        return [
            FieldRow(
                one.id,
                one.field or "",
                bool(one.required),
                bool(one.visible),
                one.recommended_values or [],
                sessions_with(self.request.scope, one.field or ""),
            )
            for one in listed
        ]

    def get_filters(self, data: QueryDict) -> TrackingFieldFilter:
        return TrackingFieldFilter(data)

    def matching(self, rows: Sequence[FieldRow], filters: TrackingFieldFilter) -> list[FieldRow]:
        search = filters.search
        return [one for one in rows if has_words(search, (one.field, *one.recommended_values))]

    def get_table(self, rows: Any, **options: Any) -> TrackingFieldTable:
        return TrackingFieldTable(rows, request=self.request, **options)


class CreateTrackingFieldView(CreateResourceView):
    resource = TRACKING_FIELDS
    form_class = contract_form(NewTrackingField, fields=_FIELDS)
    own = ("field",)

    def listed(self) -> list[Any]:
        return list(self.request.api.tracking_fields.list().tracking_fields)


class ChangeTrackingFieldView(ChangeResourceView):
    resource = TRACKING_FIELDS
    form_class = contract_form(TrackingField, fields=_FIELDS)


class DeleteTrackingFieldView(DeleteResourceView):
    resource = TRACKING_FIELDS

    @property
    def consequences(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        used = sessions_with(self.request.scope, self.one.field or "")
        holding = ngettext(
            "%(count)s known session has a value in it.",
            "%(count)s known sessions have a value in it.",
            used,
        ) % {"count": number(used)}
        return (
            ("square-pen", _("It no longer appears when scheduling.")),
            ("calendar", holding),
        )
