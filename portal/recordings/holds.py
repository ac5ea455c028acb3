"""Holds: recordings that nobody deletes, moves to the trash or lets go with their host.

What forbids it is asked where a call is made, see `portal.access.audit.guards`: for pages, jobs and
retention rules alike.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import dateformat, timezone
from django.utils.translation import gettext_noop

from portal.access.audit import Act, chain, guards, record
from portal.access.models import AuditEntry, Connection
from portal.access.origin import Origin
from portal.contract.recordings import Recordings
from portal.contract.users import Users
from portal.recordings.models import Hold, MirroredRecording
from portal.translation import gettext as _
from portal.translation import ngettext, number

_DELETIONS = (Recordings.delete.name, Recordings.delete_file.name)
# Days change at last where the clocks are twelve hours behind GMT.
_BEHIND = timedelta(hours=12)
_BATCH = 500
_HELD_UNTIL = gettext_noop("On hold by %(who)s until %(until)s: %(reason)s")
_HELD = gettext_noop("On hold by %(who)s: %(reason)s")


def _theirs(count: int) -> str:
    return ngettext(
        "A recording of theirs is on hold. Transfer their recordings to a colleague, or have the "
        "hold released.",
        "%(count)s of their recordings are on hold. Transfer their recordings to a colleague, or "
        "have the hold released.",
        count,
    )


REFUSALS = (_HELD_UNTIL, _HELD, _theirs)  # the longer first: the other holds for it too


class NotHeld(Exception):
    """A hold cannot be placed; the text says why."""


def active() -> QuerySet[Hold]:
    """The holds that have not run out."""
    today = (timezone.now().astimezone(UTC) - _BEHIND).date()
    return Hold.objects.filter(Q(until=None) | Q(until__gte=today))


def held(uuids: Collection[str]) -> dict[str, Hold]:
    """Those of these recordings that are on hold, by their UUIDs."""
    batches = _batches(active().select_related("held_by"), "uuid", list(uuids))
    return {hold.uuid: hold for some in batches for hold in some}


def place(
    origin: Origin,
    connection: Connection,
    recordings: Sequence[MirroredRecording],
    reason: str,
    until: date | None,
) -> int:
    """Puts recordings on hold, or changes the holds that are there. Returns how many.

    Raises `NotHeld` where one of them is being deleted at this very moment; then none is held.
    """
    if origin.actor is None:
        raise ValueError("A hold needs an owner.")
    with transaction.atomic():
        for recording in recordings:
            record(
                origin,
                Act.RECORDING_HELD,
                object_id=recording.uuid,
                label=recording.topic,
                connection=connection,
                sent={"reason": reason, "until": until.isoformat() if until else None},
            )
        # The trail is locked by now: what was let through before shows, and nothing is from here.
        numbers = [one.session_id for one in recordings if one.session_id]
        ids = [*(one.uuid for one in recordings), *numbers]
        if guards.under_way(_DELETIONS, object_id__in=ids).exists():
            raise NotHeld(_("A deletion of this recording is under way. Try again in a moment."))
        made = [
            Hold(
                uuid=one.uuid,
                service=_service(connection),
                session_id=one.session_id,
                host_id=one.host_id,
                topic=one.topic,
                connection=connection,
                held_by=origin.actor,
                reason=reason,
                until=until,
            )
            for one in recordings
        ]
        Hold.objects.bulk_create(
            made,
            batch_size=_BATCH,
            update_conflicts=True,
            unique_fields=["uuid"],
            update_fields=["held_by", "reason", "until", "connection"],
        )
    return len(made)


def release(origin: Origin, connection: Connection, held: Iterable[Hold], why: str) -> int:
    """Ends holds; each leaves an entry in the audit trail with who held it, and why. Returns how
    many there were: those that somebody else has released since are left alone."""
    with transaction.atomic():
        chain.lock()
        there = _batches(Hold.objects.select_related("held_by"), "pk", [one.pk for one in held])
        found = sorted((hold for some in there for hold in some), key=lambda hold: hold.pk)
        for hold in found:
            record(
                origin,
                Act.RECORDING_RELEASED,
                object_id=hold.uuid,
                label=hold.topic,
                connection=connection,
                sent={"reason": why},
                before={
                    "held_by": hold.held_by.email,
                    "reason": hold.reason,
                    "until": hold.until.isoformat() if hold.until else None,
                    "since": hold.created_at.isoformat(),
                },
            )
        for some in _batches(Hold.objects.all(), "pk", [hold.pk for hold in found]):
            some.delete()
    return len(found)


def in_words(hold: Hold) -> str:
    """Who holds a recording, until when, and why."""
    values = {"who": hold.held_by, "reason": hold.reason}
    if hold.until is None:
        return _(_HELD) % values
    until = dateformat.format(hold.until, _("j F Y"))
    return _(_HELD_UNTIL) % (values | {"until": until})


def forbids_deletion(entry: AuditEntry) -> str:
    """A guard of what deletes a recording, or moves it to the trash, by its UUID or by the number
    of its meeting."""
    own = Q(uuid=entry.object_id)
    if entry.object_id.isdigit():
        own |= Q(session_id=entry.object_id, service=_service_of(entry))
    hold = active().filter(own).select_related("held_by").first()
    return f"{in_words(hold)}." if hold else ""


def forbids_removal(entry: AuditEntry) -> str:
    """A guard of what removes somebody whose recordings go with them."""
    sent = entry.sent or {}
    if sent.get("transfer_email") and sent.get("transfer_recording"):
        return ""
    service = _service_of(entry)
    connection = Connection.objects.filter(key=entry.connection_key).first()
    hosts = {entry.object_id}
    if "@" in entry.object_id and connection:
        named = MirroredRecording.objects.filter(
            connection=connection, host_email__iexact=entry.object_id
        )
        hosts |= set(named.values_list("host_id", flat=True))
    return _obstacle(hosts, service)


def of_host(connection: Connection, host_id: str) -> str:
    """Why somebody cannot be removed without a transfer of their recordings; mostly empty."""
    return _obstacle({host_id}, _service(connection))


def _obstacle(hosts: Collection[str], service: str) -> str:
    count = active().filter(host_id__in=hosts, service=service).count()
    if not count:
        return ""
    return _theirs(count) % {"count": number(count)}


GUARDS = {
    Recordings.delete.name: forbids_deletion,
    Recordings.delete_file.name: forbids_deletion,
    Users.delete.name: forbids_removal,
}


def _batches(
    holds: QuerySet[Hold], field: str, values: Sequence[object]
) -> Iterator[QuerySet[Hold]]:
    """Those holds that have one of these values, some at a time."""
    for start in range(0, len(values), _BATCH):
        yield holds.filter(**{f"{field}__in": values[start : start + _BATCH]})


def _service(connection: Connection) -> str:
    return connection.base_url.rstrip("/").casefold()


def _service_of(entry: AuditEntry) -> str:
    connection = Connection.objects.filter(key=entry.connection_key).first()
    return _service(connection) if connection else ""
