"""The job type that changes settings of chosen people or sub accounts."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from portal.account.services.subjects import KINDS, SubjectKind
from portal.jobs.desired_state import SettingsJob
from portal.jobs.job_types import Pointer
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import Planning, Unplannable
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.settings.catalog import compare_url


class ChangeSubjectSettingsJob(SettingsJob):
    """`parameters`: `kind` is a name in `KINDS`, `targets` are pairs of an id and a label, `values`
    what all of them are to have, by dotted names. `notes` are said of the plan, and `compared` are
    the ids of those whose settings stood side by side."""

    name = "account.settings"
    noun = (gettext_lazy("target"), gettext_lazy("targets"))
    gone = (gettext_lazy("Target"), gettext_lazy("It is not there any more."))

    def subject_kind(self, given: Mapping[str, Any]) -> SubjectKind:
        return KINDS[given["kind"]]

    def plan(self, planning: Planning) -> None:
        given = planning.job.parameters
        targets = [(str(key), str(label)) for key, label in given["targets"]]
        try:
            for item in self.compared(planning, targets, given["values"]):
                planning.add(item)
                planning.progress(item.number, len(targets), _("Comparing settings"))
        except ValidationError:
            raise Unplannable(_("The service does not accept these values.")) from None
        for words in given.get("notes", ()):
            planning.note("neutral", words)

    def context(self, job: Job) -> dict[str, Any]:
        return {"kind": job.parameters["kind"]}

    def pointers(self, job: Job) -> list[Pointer]:
        compared = job.parameters.get("compared")
        if not compared:
            return []
        url = compare_url(job.connection.key, self.subject_kind(job.parameters), compared)
        return [Pointer(_("Their settings are compared."), url, _("Compare settings"))]

    def undo_context(self, item: JobItem) -> dict[str, Any]:
        return {"kind": item.data["kind"]}

    def page_of(self, job: Job, item: JobItem) -> str:
        if item.state == ItemState.INVALID or not item.object_id:
            return ""
        return self.subject_kind(job.parameters).url(job.connection.key, item.object_id)
