"""What a file of sessions holds: under the interface's own names, so that an import recognises
it."""

from portal.mirror.models import MirroredSession
from portal.ui.exports import Column


def _tracking(one: MirroredSession) -> str:
    return "; ".join(f"{field}: {value}" for field, value in one.tracking.items())


_FIELDS = {
    column.name: column
    for column in (
        Column("id", lambda one: one.session_id),
        Column("topic", lambda one: one.topic),
        Column("type", lambda one: one.type),
        Column("start_time", lambda one: one.start_time),
        Column("duration", lambda one: one.duration),
        Column("timezone", lambda one: one.timezone),
        Column("host_email", lambda one: one.host_email or one.host_id),
        Column("approval_type", lambda one: one.approval_type),
        Column("created_at", lambda one: one.created_at),
        Column("join_url", lambda one: one.join_url),
        Column("tracking_fields", _tracking),
    )
}
_SHOWN_AS = {"host": "host_email", "registration": "approval_type", "number": "id"}


def columns_of(shown: list[str]) -> list[Column]:
    """The columns of a file for these of the table, with what tells which session it is."""
    names = ["id", "topic", *(_SHOWN_AS.get(name, name) for name in shown), "join_url"]
    return [_FIELDS[name] for name in dict.fromkeys([*names, "tracking_fields"])]
