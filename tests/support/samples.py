"""A whole object of any model, as JSON: every field filled in."""

from datetime import date, datetime
from typing import Annotated, Any, get_args, get_origin

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import Model, fields

WORDS = "Words"  # any text
# Text of a certain form, by the fields that have it.
_TEXT = {
    "code": "+49",
    "conference_code": "123456",
    "email": "ann@example.com",
    "end_date_time": "2026-12-31T00:00:00Z",
    "from": "2026-01-01",
    "host_key": "123456",
    "leader_pin": "123456",
    "listen_only_password": "12345",
    "occurrence_id": "1648194360000",
    "occurrence_ids": "1648194360000,1648280760000",
    "participant_password": "12345",
    "password": "Secret_123",
    "pmi": "1234567890",
    "ports_range": "8801,8802",
    "start_time": "2026-03-01T09:00:00",
    "timezone": "Europe/Berlin",
    "to": "2026-01-31",
    "url": "https://hooks.example.com/conf",
    "weekly_days": "2,4,6",
}
# Of fields that exclude each other, those that give way.
_LEFT_OUT = {
    "Recurrence": {"end_times", "monthly_day"},
    "NewMeeting": {"recurrence"},
    "NewWebinar": {"recurrence"},
    "MeetingUpdate": {"recurrence"},
    "WebinarUpdate": {"recurrence"},
}
_NUMBERS = {"page_size": 10, "auto_delete_cmr_days": 30, "month": 12, "year": 2026}


def sample(model: type[Model]) -> dict[str, Any]:
    left_out = _LEFT_OUT.get(model.__name__, set())
    return {
        name: _value(name, info.annotation) for name, info in fields(model) if name not in left_out
    }


def _value(name: str, annotation: Any) -> Any:
    if get_origin(annotation) is Annotated:
        return _value(name, get_args(annotation)[0])
    if get_origin(annotation) is list:
        return [_value(name, get_args(annotation)[0])]
    if not isinstance(annotation, type):
        return _value(name, get_args(annotation)[0])
    if issubclass(annotation, Model):
        return sample(annotation)
    if issubclass(annotation, TextChoice | NumberChoice):
        return next(iter(annotation)).value
    return _plain(name, annotation)


def _plain(name: str, kind: type) -> Any:
    if kind is bool:
        return True
    if kind is int:
        return _NUMBERS.get(name, 3)
    if kind is float:
        return 0.5
    if kind is datetime:
        return _TEXT.get(name, "2026-03-01T09:00:00Z")
    return _TEXT.get(name, "2026-01-15" if kind is date else WORDS)
