"""Tracking fields, which hosts fill in when they schedule (spec 2.11 and 4.3)."""

import orjson

from portal.contract.tracking_fields import (
    NewTrackingField,
    TrackingField as FieldDocument,
    TrackingFieldDetails,
    TrackingFields,
)
from portal.sandbox.errors import Conflict, NotFound, invalid
from portal.sandbox.http import Created, location
from portal.sandbox.models import TrackingField
from portal.sandbox.serving import serves

_FIELD = ("id", "field", "required", "visible", "recommended_values")


@serves(TrackingFields.list)
def list_tracking_fields() -> bytes:
    fields = list(TrackingField.objects.order_by("name_key").values(*_FIELD))
    return orjson.dumps({"total_records": len(fields), "tracking_fields": fields})


@serves(TrackingFields.create)
def create_tracking_field(body: NewTrackingField) -> Created:
    field = TrackingField()
    _change(field, body)
    field.save(force_insert=True)
    return Created(location(TrackingFields.get, field.id), _document(field))


@serves(TrackingFields.get)
def get_tracking_field(field_id: str) -> TrackingFieldDetails:
    return _document(_field(field_id))


@serves(TrackingFields.update)
def update_tracking_field(field_id: str, body: FieldDocument) -> None:
    field = _field(field_id)
    _change(field, body)
    field.save()


@serves(TrackingFields.delete)
def delete_tracking_field(field_id: str) -> None:
    _field(field_id).delete()


def _field(field_id: str) -> TrackingField:
    found = TrackingField.objects.filter(id=field_id).first()
    if found is None:
        raise NotFound("tracking field")
    return found


def _change(field: TrackingField, body: FieldDocument) -> None:
    if body.field == "":
        raise invalid("field", "This field is required.")
    sent = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    for name, value in sent.items():
        setattr(field, name, value)
    field.name_key = field.field.lower()
    if TrackingField.objects.filter(name_key=field.name_key).exclude(id=field.id).exists():
        raise Conflict("field", "A tracking field with this name exists.")


def _document(field: TrackingField) -> TrackingFieldDetails:
    return TrackingFieldDetails(**{name: getattr(field, name) for name in _FIELD})
