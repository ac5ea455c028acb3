"""The job type that changes the same settings of chosen people."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.user_settings import UserSettingsUpdate
from portal.contract.users import Users
from portal.directory.models import MirroredUser
from portal.jobs.job_types import Done
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.people.jobs.of_chosen import OfChosen, label_of, new_item
from portal.people.jobs.reverting import Held, Look, Reversal, Revertible, Value
from portal.people.services.settings import SETTINGS, read
from portal.ui.settings import Values


class SettingsChange(OfChosen, Revertible):
    """`parameters["update"]` is a `UserSettingsUpdate` of the chosen settings alone.

    What everybody has now is asked of the service, person by person, when it is planned.
    """

    name = "people.settings"
    verbs = {"change": "Change"}

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Users.update_settings]

    def items(
        self, planning: Planning, people: Sequence[MirroredUser], first: int
    ) -> Iterable[NewItem]:
        wanted = UserSettingsUpdate.model_validate(planning.job.parameters["update"])

        def ask(person: MirroredUser) -> Values | None:
            try:
                return read(planning.api, person.user_id)
            except NotFound:
                return None

        now = planning.concurrently(ask, people)
        for number, (person, values) in enumerate(zip(people, now, strict=True), start=first):
            if values is None:
                problem = ("Person", "They left the account since the list was read.")
                yield NewItem(
                    number,
                    label_of(person),
                    "change",
                    person.user_id,
                    ItemState.INVALID,
                    problems=[problem],
                )
                continue
            different = SETTINGS.changes(values, wanted)
            changes = [
                (f"{change.group}: {change.setting.title}", change.old_words, change.new_words)
                for change in different
            ]
            data = {
                "update": planning.job.parameters["update"],
                "before": {change.setting.name: change.old for change in different},
                "after": {change.setting.name: change.new for change in different},
            }
            yield new_item(number, person, "change", data=data, changes=changes)

    def carry_out(self, api: Api, item: JobItem) -> Done:
        update = UserSettingsUpdate.model_validate(item.data["update"])
        api.users.update_settings(item.object_id, update)
        return Done(item.object_id, item.data.get("left", ""))

    def values(self, item: JobItem) -> Iterator[Value]:
        for group in SETTINGS.groups:
            for setting in group.settings:
                if setting.name in item.data["after"]:
                    before, after = (item.data[key][setting.name] for key in ("before", "after"))
                    title = f"{group.title}: {setting.title}"
                    yield Value(setting.name, title, before, after, setting.in_words)

    def undo_data(self, item: JobItem, reversal: Reversal) -> dict[str, Any]:  # noqa: ARG002
        update: dict[str, dict[str, Any]] = {}
        for name, value in reversal.values.items():
            group, _, key = name.partition(".")
            update.setdefault(group, {})[key] = value
        return {"update": update, "before": reversal.replaced, "after": reversal.values}

    def looking(self, planning: Planning) -> Look:
        def ask(item: JobItem) -> Held | None:
            try:
                return read(planning.api, item.object_id).get
            except NotFound:
                return None

        return lambda items: planning.concurrently(ask, items)
