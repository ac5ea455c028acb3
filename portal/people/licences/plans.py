"""Reports of the service on an account's own plans, stored with their time, and the use of seats
day by day."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.db.models import DateTimeField, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_noop

from portal.access.models import Connection
from portal.access.roles import RoleRefused
from portal.access.scope import Scope
from portal.client import Api, ApiError
from portal.config import clock
from portal.config.celery import app
from portal.contract.users import LicenceType
from portal.directory import users as mirror
from portal.people.models import PlanReading, SeatCount, SeatCounting
from portal.people.services import seats
from portal.translation import gettext as _
from portal.ui.charts import Chart, Series
from portal.work.queue import WorkQueue, single_turn
from portal.work.slots import Urgency

_SHOWN = timedelta(days=180)
_STORED = timedelta(days=400)
_EVERY = timedelta(hours=1)
# Stored in the database as they are, and translated where they are shown.
NO_ACCOUNT = gettext_noop("The service does not say which account people are on.")
NOT_ALLOWED = gettext_noop("Your role does not allow plans to be seen.")


def reading_of(connection: Connection) -> PlanReading | None:
    return PlanReading.objects.filter(connection=connection).first()


def read(api: Api, scope: Scope) -> PlanReading:
    """Asks the service for the account's plans and stores them. Never raises `ApiError`: the
    earlier reading stays, with the reason why it is old."""
    reading = reading_of(scope.connection) or PlanReading(
        connection=scope.connection, read_at=clock.now()
    )
    try:
        plans = seats.read_plans(api, scope)
        reading.failure = "" if plans else NO_ACCOUNT
    except ApiError as error:
        plans, reading.failure = None, error.message
    except RoleRefused:
        plans, reading.failure = None, NOT_ALLOWED
    if plans:
        base = plans.plan_base
        reading.base_hosts, reading.read_at = (base.hosts or None) if base else None, clock.now()
        reading.plans = [
            [title, one.type or "", one.hosts]
            for title, several in (
                (_("Large meetings"), plans.plan_large_meeting),
                (_("Webinars"), plans.plan_webinar),
            )
            for one in several or ()
        ]
    reading.save()
    return reading


def count_today(connection: Connection) -> None:
    """Stores how many licences are used today, once the list of people has been read."""
    scope = Scope.whole(connection, "licences of all people are counted once a day")
    if mirror.state_of(connection).refreshed_at is None:
        return
    day = clock.now().date()
    with transaction.atomic():
        for one in seats.seats_of(scope):
            SeatCount.objects.update_or_create(
                connection=connection,
                licence=one.licence.value,
                day=day,
                defaults={"used": one.used, "total": one.total},
            )


def _prepare() -> None:
    """Deletes old counts, and lets those connections be counted that never were."""
    SeatCount.objects.filter(day__lt=clock.now().date() - _STORED).delete()
    new = Connection.objects.filter(seat_counting=None)
    SeatCounting.objects.bulk_create(
        (SeatCounting(connection=one) for one in new), ignore_conflicts=True
    )


COUNTINGS = WorkQueue(
    model=SeatCounting,
    task="people.count_licences",
    waiting=lambda: Q(counted_at=None) | Q(counted_at__lt=clock.now() - _EVERY),
    urgency=Urgency.NIGHT,
    length=lambda: timedelta(minutes=1),
    since=Coalesce("counted_at", "created_at", output_field=DateTimeField()),
    related=("connection",),
    swept_every=300.0,
    replaces=["people.count_seats"],
    before_sweep=_prepare,
)


@app.task(name=COUNTINGS.task)
def count_licences(pk: int) -> None:
    """Stores how many licences of a connection are used today."""
    with single_turn(COUNTINGS, pk) as counting:
        if counting is not None:
            count_today(counting.connection)
            SeatCounting.objects.filter(pk=pk).update(counted_at=clock.now())


def trend(connection: Connection) -> Chart | None:
    """Returns the chart of licences used day by day; None for fewer than two days."""
    since = clock.now().date() - _SHOWN
    counts = SeatCount.objects.filter(connection=connection, day__gte=since).order_by("day")
    by_day: dict[datetime, dict[int, SeatCount]] = {}
    for one in counts:
        by_day.setdefault(datetime.combine(one.day, time.min, UTC), {})[one.licence] = one
    if len(by_day) < 2:
        return None
    return Chart(
        "seats", _("Licences used"), list(by_day), _series(list(by_day.values())), by="day"
    )


def _series(days: Sequence[dict[int, SeatCount]]) -> list[Series]:
    series = []
    for licence in seats.COUNTED:
        counts = [day.get(licence.value) for day in days]
        if any(one and (one.used or one.total) for one in counts):
            label = LicenceType(licence).label
            used = [one.used if one else None for one in counts]
            series.append(Series(_("%(label)s used") % {"label": label}, used))
            if any(one and one.total is not None for one in counts):
                totals = [one.total if one else None for one in counts]
                series.append(Series(_("%(label)s in the plan") % {"label": label}, totals))
    return series
