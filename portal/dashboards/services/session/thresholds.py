"""The quality thresholds of a connection, as an administrator set them."""

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.models import Connection
from portal.access.origin import Origin
from portal.dashboards.models import QualityThresholds
from portal.dashboards.services.session.measures import DEFAULTS, LIMITS, Thresholds
from portal.translation import gettext as _

Stated = dict[str, tuple[float, float] | None]


def thresholds(connection: Connection) -> Thresholds:
    """Those that hold: what was set, and the defaults of the others."""
    return {name: pair for name, pair in stated(connection).items() if pair}


def stated(connection: Connection) -> Stated:
    """By the name of each limit; `None` for one that is not judged."""
    rows = QualityThresholds.objects.filter(connection=connection)
    kept = rows.values_list("values", flat=True).first() or {}
    return {
        one.name: _pair(kept[one.name]) if one.name in kept else DEFAULTS[one.name]
        for one in LIMITS
    }


def _pair(value: list[float] | None) -> tuple[float, float] | None:
    return (value[0], value[1]) if value else None


@transaction.atomic
def state(origin: Origin, connection: Connection, given: Stated) -> None:
    """Keeps what differs from the defaults, and records the change."""
    before = stated(connection)
    if given == before:
        return
    values = {
        name: list(pair) if pair else None
        for name, pair in given.items()
        if pair != DEFAULTS.get(name)
    }
    QualityThresholds.objects.update_or_create(connection=connection, defaults={"values": values})
    changed = [name for name in given if given[name] != before[name]]
    record(
        origin,
        Act.QUALITY_STATED,
        label=connection.name,
        connection=connection,
        sent=_in_words(given, changed),
        before=_in_words(before, changed),
    )


def _in_words(data: Stated, names: list[str]) -> dict[str, str]:
    titles = {one.name: f"{one.title}, {one.unit}" for one in LIMITS}
    return {
        titles[name]: _("fair %(fair)s, poor %(poor)s")
        % {"fair": f"{pair[0]:g}", "poor": f"{pair[1]:g}"}
        if pair
        else _("not judged")
        for name in names
        for pair in [data[name]]
    }
