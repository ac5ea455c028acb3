"""The job type that changes the same settings of chosen people."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from portal.directory.models import MirroredUser
from portal.directory.settings import PEOPLE
from portal.jobs.desired_state import SettingsJob
from portal.jobs.planning import NewItem, Planning
from portal.people.jobs.base import PeopleSelectionJob, label_of
from portal.translation import gettext_lazy
from portal.ui.forms.layout import flat
from portal.ui.settings.catalog import SubjectKind


class SettingsChangeJob(PeopleSelectionJob, SettingsJob):
    """`parameters["update"]` is a `UserSettingsUpdate` of the chosen settings alone."""

    name = "people.settings"
    gone = (gettext_lazy("Person"), gettext_lazy("They are not on the account any more."))

    def subject_kind(self, given: Mapping[str, Any]) -> SubjectKind:  # noqa: ARG002
        return PEOPLE

    def items(
        self, planning: Planning, people: Sequence[MirroredUser], first: int
    ) -> Iterable[NewItem]:
        targets = [(person.user_id, label_of(person)) for person in people]
        return self.compared(planning, targets, flat(planning.job.parameters["update"]), first)
