"""Jobs that change the profile, settings or status of selected people, or remove them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from portal.client import Api
from portal.contract.model import Titles
from portal.contract.operation import AnyOperation
from portal.contract.users import (
    RemovalAction,
    StatusAction,
    StatusChange,
    UserRemovalToday,
    Users,
    UserUpdate,
)
from portal.directory import users as mirror
from portal.directory.models import MirroredUser, licence_label
from portal.directory.settings import PEOPLE
from portal.jobs.desired_state import DesiredStateJob, SettingsJob
from portal.jobs.job_types import Resolution
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.jobs.undo import Reversal
from portal.people.jobs.base import (
    ACTION_TO,
    OnePersonPerRowJob,
    PeopleSelectionJob,
    PeopleUndoJob,
    PersonValue,
    new_item,
    removal_outcome,
    status_value,
)
from portal.people.labels import RESULT, listed, status_label, transferred_by
from portal.people.services import seats
from portal.people.services.removal import RecipientRefused, check_colleague
from portal.translation import capitalized, gettext as _, gettext_lazy, options
from portal.translation.phrases import joined
from portal.ui.forms.layout import flat
from portal.ui.settings.catalog import SubjectKind

_TITLES = Titles(UserUpdate)
_AFTER = {
    RemovalAction.DISASSOCIATE: gettext_lazy("Leaves this account"),
    RemovalAction.DELETE: gettext_lazy("Deleted permanently"),
}


class ProfileChangeJob(OnePersonPerRowJob, PeopleUndoJob, DesiredStateJob):
    """`parameters["changes"]` are fields of `UserUpdate` that lists of people contain."""

    name = "people.profile"
    verbs = {"change": gettext_lazy("Change")}
    wanted_in = "profile"

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        return [Users.update]

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        item = NewItem(number, person.label, "change", person.user_id)
        return self.differing(item, partial(getattr, person), job.parameters["changes"])

    def add_notices(self, planning: Planning) -> None:
        licence = planning.job.parameters["changes"].get("type")
        if licence is not None:
            seats.add_move_notices(planning, licence)

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.update(item.object_id, UserUpdate.model_validate(item.data["profile"]))

    def value(
        self,
        data: Mapping[str, object],
        name: str,
        before: Any,
        after: object,
    ) -> PersonValue:
        return PersonValue(name, _TITLES[name], before, after, partial(in_words, name))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        written = {item.object_id: item.data["profile"] for item in items}
        mirror.record_written(job.connection, written)


def in_words(name: str, value: Any) -> str:
    """Returns a value of a profile as it is read."""
    return licence_label(value) if name == "type" else str(value or "")


class SettingsChangeJob(PeopleSelectionJob, SettingsJob):
    """`parameters["update"]` is a `UserSettingsUpdate` of the chosen settings alone."""

    name = "people.settings"
    gone = (gettext_lazy("Person"), gettext_lazy("They are not on the account any more."))

    def subject_kind(self, given: Mapping[str, object]) -> SubjectKind:
        return PEOPLE

    def items(
        self, planning: Planning, people: Sequence[MirroredUser], first: int
    ) -> Iterable[NewItem]:
        targets = [(person.user_id, person.label) for person in people]
        return self.compared(planning, targets, flat(planning.job.parameters["update"]), first)


class ChangeStatusOfPeopleJob(OnePersonPerRowJob, PeopleUndoJob):
    """`parameters["action"]` is a `StatusAction`."""

    name = "people.status"
    verbs = dict(options(StatusAction))

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        return [Users.change_status]

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        action = StatusAction(job.parameters["action"])
        after = RESULT[action]
        is_so = person.status == after
        changes = [] if is_so else [(_("Status"), status_label(person.status), after.label)]
        data = {"before": person.status}
        return new_item(number, person, action.value, data=data, changes=changes)

    def carry_out(self, api: Api, item: JobItem) -> None:
        change = StatusChange(action=StatusAction(item.action))
        api.users.change_status(item.object_id, change)

    def values(self, item: JobItem) -> Iterator[PersonValue]:
        yield status_value(item.data["before"], item.action)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, object]:
        return {"before": reversal.replaced.get("status", "")}

    def undo_action(self, item: JobItem, reversal: Reversal) -> str:
        return ACTION_TO.get(reversal.values.get("status", ""), item.action)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        after = {item.object_id: RESULT[StatusAction(item.action)].value for item in items}
        mirror.record_written(job.connection, {key: {"status": one} for key, one in after.items()})


class RemovePeopleJob(OnePersonPerRowJob):
    """`parameters["how"]` is a `UserRemovalToday`. Who was removed does not come back."""

    name = "people.remove"
    verbs = dict(options(RemovalAction))

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        return [Users.delete]

    def plan(self, planning: Planning) -> None:
        how = UserRemovalToday.model_validate(planning.job.parameters["how"])
        if how.transfer_email:
            try:
                check_colleague(planning.api, planning.scope, how.transfer_email, besides="")
            except RecipientRefused as refused:
                raise Unplannable(joined(": ", how.transfer_email, str(refused))) from None
        super().plan(planning)

    def item(self, job: Job, number: int, person: MirroredUser) -> NewItem:
        how = UserRemovalToday.model_validate(job.parameters["how"])
        changes = [(_("Account"), _("On this account"), _AFTER[how.action])]
        transfers = transferred_by(job.connection)
        given = [str(words) for name, words in transfers.items() if getattr(how, name)]
        if how.transfer_email and given:
            changes.append(
                (capitalized(joined(", ", *given)), person.name or person.email, how.transfer_email)
            )
        item = new_item(
            number, person, how.action.value, data=job.parameters["how"], changes=changes
        )
        if how.transfer_email and person.email.casefold() == how.transfer_email.casefold():
            item.state = ItemState.INVALID
            item.problems = [
                (_("Transfer to"), _("This person receives what is transferred from the others."))
            ]
        return item

    def add_notices(self, planning: Planning) -> None:
        how = UserRemovalToday.model_validate(planning.job.parameters["how"])
        left = [
            words
            for name, words in transferred_by(planning.job.connection).items()
            if not (how.transfer_email and getattr(how, name))
        ]
        if left:
            if how.action is RemovalAction.DELETE:
                words = _("Their %(what)s are not transferred: these are deleted with them.")
            else:
                words = _("Their %(what)s are not transferred: these go with them.")
            planning.add_notice("warning", words % {"what": listed(left)})

    def carry_out(self, api: Api, item: JobItem) -> None:
        api.users.delete(item.object_id, UserRemovalToday.model_validate(item.data))

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        return removal_outcome(api, item.object_id)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        mirror.remove(job.connection, [item.object_id for item in items])

    def finished(self, job: Job) -> None:
        mirror.USERS.request(job.connection)
