"""The job type that moves people who do not use their licence to Basic.

People who use it after all keep it, with the reason: by the report on hosts and the lists of
people, which are read again for the plan, and by the service's answers about each person just
before the write. So do people who were protected in between.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from portal.client import Api
from portal.config import clock
from portal.contract.meetings import Meetings
from portal.contract.operation import AnyOperation
from portal.contract.paging import TokenDaysQuery
from portal.contract.reports import Reports
from portal.contract.users import LicenceType, Users, UserStatus, UserUpdate
from portal.contract.webinars import Webinars
from portal.directory import users as mirror
from portal.directory.models import MirroredUser, licence_label
from portal.directory.users import UserFilter
from portal.jobs.job_types import ItemRefusal
from portal.jobs.models import UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.jobs.undo import Reversal
from portal.mirror import hosting
from portal.people.jobs.base import PeopleUndoJob, PersonValue
from portal.people.licences.use import Facts, Protections, UsageCutoffs, UseFilter, facts_of
from portal.people.licences.words import Problem, day_of, obstacle, unknown_in_words
from portal.people.services import seats
from portal.people.services.account import AccountSnapshot, ExistingPerson
from portal.sessions.jobs.reading import next_time_of
from portal.translation import gettext as _, gettext_lazy
from portal.translation.phrases import joined
from portal.ui.ranges import Range
from portal.ui.times import exact

KIND = "people.reclaim"
RECLAIM, RESTORE = "reclaim", "restore"
_BASIC = LicenceType.BASIC
# What an item was planned by, for the write and for a later undo.
_CHECKED_BY = ("used", "added", "from", "zone")
_TOGETHER = 500
# A session that ended lately may not have been in the report that the plan was made of.
_REPORTED_AFTER = timedelta(days=3)


class ReclaimLicencesJob(PeopleUndoJob):
    """`parameters["wanted"]` is a `UseFilter`."""

    name = KIND
    verbs = {RECLAIM: gettext_lazy("Move to Basic"), RESTORE: gettext_lazy("Restore licence")}
    phrases = {RESTORE: gettext_lazy("Restore the licence of %(what)s")}

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        if UNDOES in job.parameters:
            return [Users.update]
        return [
            Users.update,
            Reports.users,
            Reports.user_meetings,
            Meetings.of_user,
            Webinars.of_user,
        ]

    def calls_of(self, job: Job, action: str) -> Sequence[AnyOperation]:
        """Returns what asks again about a person, and the change; of the report on the last days
        one window."""
        if action != RECLAIM:
            return [Users.update]
        asked: list[AnyOperation] = [Users.get, Meetings.of_user, Webinars.of_user]
        return [*asked, Reports.user_meetings, Users.update]

    def plan(self, planning: Planning) -> None:
        job = planning.job
        wanted = UseFilter.of(job.parameters["wanted"])
        keys = list(facts_of(job.scope, wanted).find().values_list("pk", flat=True))
        if not keys:
            raise Unplannable(_("None of the selected people has an unused licence any more."))
        account = _read_again(planning, wanted)
        anybody = replace(wanted, people=UserFilter(), use="", reason="")
        facts = facts_of(job.scope, anybody)
        if not facts.is_complete:
            unknown = joined(" ", *unknown_in_words(facts))
            raise Unplannable(
                _("Not everything about the use of licences is known. %(said)s") % {"said": unknown}
            )
        for start in range(0, len(keys), _TOGETHER):
            some = MirroredUser.objects.filter(pk__in=keys[start : start + _TOGETHER])
            rows = facts.annotated(some).order_by("sort_name", "pk")
            for number, row in enumerate(rows, start=start + 1):
                make = partial(_item, number, row, account.get(row.user_id), facts)
                planning.add(planning.item(number, row.label, make, row.user_id))
            planning.progress(min(start + _TOGETHER, len(keys)), len(keys), _("Comparing people"))
        planning.store()
        _add_notices(planning, facts)

    def carry_out(self, api: Api, item: JobItem) -> None:
        if item.action == RECLAIM and (left := _left_now(api, item)):
            raise ItemRefusal(left[1], [left])
        api.users.update(item.object_id, UserUpdate(type=LicenceType(item.data["type"])))

    def values(self, item: JobItem) -> Iterator[PersonValue]:
        yield PersonValue(
            "type", _("Licence"), item.data["before"], item.data["type"], licence_label
        )

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:
        return RECLAIM if reversal.values["type"] == _BASIC else RESTORE

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, object]:
        return {"type": reversal.values["type"], "before": reversal.replaced["type"]}

    def undo_context(self, item: JobItem) -> dict[str, object]:
        """Returns the data by which a later reclaim is checked."""
        return {name: item.data[name] for name in _CHECKED_BY if name in item.data}

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        written = {item.object_id: {"type": item.data["type"]} for item in items}
        mirror.record_written(job.connection, written)


def _read_again(planning: Planning, wanted: UseFilter) -> dict[str, ExistingPerson]:
    """Reads the report on hosts and the lists of people; returns the people by their ids."""
    report = hosting.report()
    planning.progress(0, 0, _("Loading the report on hosts"))
    if report:
        report.read(planning.scope, planning.api, UsageCutoffs.of(wanted).first_day)
    account = AccountSnapshot()
    account.read_people(planning)
    return {person.user.id: person for person in account.people.values()}


def _item(number: int, row: MirroredUser, person: ExistingPerson | None, facts: Facts) -> NewItem:
    """Returns the item of one person: to do nothing, with the reason, if the licence is used."""
    item = NewItem(number, row.label, RECLAIM, row.user_id)
    user = person.user if person else None
    is_deactivated = person is not None and person.status is UserStatus.INACTIVE
    since = UsageCutoffs.of_deactivated() if is_deactivated else facts.since
    if user is None:
        left: Problem | None = (_("Person"), _("They are not on the account any more."))
    elif user.type == _BASIC:
        item.state = ItemState.UNCHANGED
        return item
    else:
        left = obstacle(user, since, facts.wanted.zone, facts.protections)
        left = left or _by_copies(row, facts, is_deactivated)
    if left or user is None:
        item.state, item.problems = ItemState.INVALID, [left] if left else []
        return item
    today = clock.now().astimezone(UTC).date()
    item.changes = [(_("Licence"), licence_label(user.type), licence_label(_BASIC))]
    item.data = {
        "type": _BASIC.value,
        "before": user.type,
        "used": since.used.isoformat(),
        "added": since.added.isoformat() if since.added else "",
        "from": (today if is_deactivated else today - _REPORTED_AFTER).isoformat(),
        "zone": facts.wanted.zone,
    }
    return item


def _by_copies(row: Any, facts: Facts, is_deactivated: bool) -> Problem | None:
    if row.hosted and not is_deactivated:
        words = _("Hosted since %(day_of)s.") % {
            "day_of": day_of(facts.since.used, facts.wanted.zone)
        }
        return (_("Hosted"), words)
    if row.planned:
        return (_("Next session"), _("Hosts a planned meeting or webinar."))
    if row.is_unread:
        return (_("Next session"), _("Their meetings and webinars could not be loaded."))
    return None


def _left_now(api: Api, item: JobItem) -> Problem | None:
    """Returns why the person keeps the licence, by the service's present answers. Protections are
    read last, just before the write."""
    user = api.users.get(item.object_id)
    if user.type == _BASIC:
        return (_("Licence"), _("They have no licence to reclaim any more."))
    zone = item.data.get("zone", "UTC")
    if coming := next_time_of(api, item.object_id):
        return (_("Next session"), _("Hosts on %(day_of)s.") % {"day_of": day_of(coming, zone)})
    if day := _hosted_on(api, item.object_id, date.fromisoformat(item.data["from"])):
        return (_("Hosted"), _("Hosted on %(day_of)s.") % {"day_of": day_of(day, zone)})
    added = item.data["added"]
    cutoffs = UsageCutoffs(
        datetime.fromisoformat(item.data["used"]),
        datetime.fromisoformat(added) if added else None,
    )
    return obstacle(user, cutoffs, zone, Protections(item.job.connection))


def _hosted_on(api: Api, user_id: str, first: date) -> datetime | None:
    """Returns the time at which a person hosted last since a day, as far as the service reports."""
    chosen = Range(first, clock.now().astimezone(UTC).date(), UTC)
    for days in chosen.windows():
        query = TokenDaysQuery(page_size=300, **{"from": days.from_, "to": days.to})
        starts = [each.start_time for each in api.reports.user_meetings.all(user_id, query)]
        if moments := [each for each in starts if isinstance(each, datetime)]:
            return max(moments)
    return None


def _add_notices(planning: Planning, facts: Facts) -> None:
    seats.add_move_notices(planning, _BASIC.value)
    if facts.coming and facts.coming.state.refreshed_at:
        as_of = exact(facts.coming.state.refreshed_at)
        planning.add_notice(
            "neutral",
            _(
                "Meetings and webinars are as of %(as_of)s. Each person's are "
                "checked again just before their licence changes."
            )
            % {"as_of": as_of},
        )
