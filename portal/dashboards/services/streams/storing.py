"""Keeps what was read of sessions, in place of what was read of them before."""

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2s

from portal.access.models import Connection
from portal.config import clock
from portal.dashboards.models import (
    KeptSample,
    MeasuredDay,
    MeasuredSession,
    MeasuredStay,
    MeasuredStream,
)
from portal.dashboards.services.session.measures import Content
from portal.dashboards.services.session.people import SessionStay
from portal.dashboards.services.streams.figures import figures_of, processor_of
from portal.dashboards.services.streams.reading import StreamList, StreamMeasures

_BATCH = 500


def person_key(person: str) -> str:
    """Returns the key that distinguishes a person from all others, made of `Stay.person`."""
    return blake2s(person.encode(errors="replace"), digest_size=12).hexdigest()


def person_of_account(user_id: str) -> str:
    """The key of somebody of the account."""
    return person_key(f"user {user_id}")


def take_over(
    connection: Connection, found: Sequence[tuple[StreamList, Sequence[StreamMeasures]]]
) -> None:
    """To be called in a transaction: what was known of these sessions goes."""
    if not found:
        return
    now = clock.now()
    days = {one.start.astimezone(UTC).date() for one, _ in found}
    kept_days = {
        day: MeasuredDay.objects.get_or_create(
            connection=connection, day=day, defaults={"asked_at": now}
        )[0]
        for day in sorted(days)
    }
    for listed, measured in found:
        own = {"connection": connection, "family": listed.family, "key": listed.key}
        MeasuredSession.objects.filter(**own).delete()
        session = MeasuredSession.objects.create(
            **own,
            day=kept_days[listed.start.astimezone(UTC).date()],
            topic=listed.topic,
            start=listed.start,
            end=listed.end,
            read_at=now,
        )
        _keep(session, measured)


def _keep(session: MeasuredSession, measured: Sequence[StreamMeasures]) -> None:
    """Stores the measurements, with those made while a viewer watched the live session."""
    earlier = _kept_samples(session)
    rows: list[MeasuredStay] = []
    streams: list[MeasuredStream] = []
    for one in measured:
        contents = list({**earlier.get(one.stay.key, {}), **one.samples}.values())
        figures = figures_of(contents)
        if not figures:
            continue
        row = _row(session, one.stay)
        row.cpu = processor_of(contents)
        rows.append(row)
        for each in figures:
            stream = each.row()
            stream.stay = row
            streams.append(stream)
    MeasuredStay.objects.bulk_create(rows, batch_size=_BATCH)
    for stream in streams:
        stream.stay_id = stream.stay.pk
    MeasuredStream.objects.bulk_create(streams, batch_size=_BATCH)


def _kept_samples(session: MeasuredSession) -> dict[str, dict[datetime, Content]]:
    found: dict[str, dict[datetime, Content]] = {}
    rows = KeptSample.objects.filter(connection=session.connection, session=session.key)
    for stay, at, content in rows.values_list("stay", "measured_at", "content"):
        found.setdefault(stay, {})[at] = content
    return found


def _row(session: MeasuredSession, stay: SessionStay) -> MeasuredStay:
    return MeasuredStay(
        session=session,
        key=stay.key,
        participant=stay.address,
        person=person_key(stay.person),
        user_id=stay.user_id,
        name=stay.name,
        joined=stay.joined,
        network=stay.network.strip(),
        location=stay.location.strip(),
        version=stay.version.strip(),
        device=stay.device.strip(),
    )
