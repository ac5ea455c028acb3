"""Sessions of hosts who leave: what they hold, and the step that deletes one."""

from collections.abc import Iterable, Sequence

from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.operation import AnyOperation
from portal.contract.sessions import SessionSummary
from portal.jobs.job_types import ItemVerdict, Resolution
from portal.jobs.models import Job, JobItem
from portal.jobs.offboarding import (
    LEAVE,
    REMOVE,
    SHOWN,
    TRANSFER,
    Holding,
    HoldingSummary,
    Inventory,
    Leaver,
    Option,
    Phase,
)
from portal.jobs.steps import NewStep, Step
from portal.sessions import mirror
from portal.sessions.services import hosts
from portal.sessions.services.planning import sessions_of
from portal.sessions.specs import SessionSpec
from portal.sessions.times import listed_time
from portal.translation import gettext as _, gettext_lazy, lazily, number
from portal.translation.phrases import joined
from portal.ui.times import aware

_GONE = gettext_lazy("Deleted")


class HostedSessions(Holding):
    """The sessions of a kind that a leaving person hosts."""

    phase = Phase.CONTENT

    def __init__(self, spec: SessionSpec) -> None:
        self._spec = spec
        self.name, self.title, self.icon = spec.family, spec.title, spec.icon
        self.place = spec.place
        self.transferred_by = f"transfer_{spec.code}"
        self.removed_by = (spec.delete,)
        self.options = (
            Option(TRANSFER, gettext_lazy("Transfer to the recipient, who becomes their host")),
            Option(LEAVE, gettext_lazy("Leave them with the person")),
            Option(REMOVE, gettext_lazy("Delete them, with their registrants")),
        )

    @property
    def needs(self) -> AnyOperation:
        needs: AnyOperation = self._spec.of_user
        return needs

    def read(self, api: Api, leaver: Leaver) -> list[SessionSummary]:
        once = {str(one.id): one for one in reversed(sessions_of(api, self._spec, leaver.id))}
        return list(reversed(once.values()))

    def summary(self, inventory: Inventory) -> HoldingSummary:
        now = clock.now()
        timed = [one for one in inventory.data if one.start_time and aware(one.start_time) >= now]
        coming = sorted(timed, key=lambda one: aware(one.start_time))
        first = [(one.topic, listed_time(aware(one.start_time))) for one in coming[:SHOWN]]
        words = _("%(count)s upcoming") % {"count": number(len(coming))} if inventory.data else ""
        return HoldingSummary(len(inventory.data), words, first)

    def removal(self, inventory: Inventory) -> Iterable[NewStep]:
        for one in inventory.data:
            values = {"noun": self._spec.label, "topic": one.topic}
            title, called = _("%(noun)s “%(topic)s”") % values, _("“%(topic)s”") % values
            if one.start_time:
                time = listed_time(aware(one.start_time))
                title, called = joined(", ", title, time), joined(", ", called, time)
            yield NewStep(f"{self.name}.delete", str(one.id), title, _GONE, object=called)


class DeleteSessionStep(Step):
    def __init__(self, spec: SessionSpec) -> None:
        self._spec = spec
        self.name, self.calls = f"{spec.family}.delete", (spec.delete,)  # type: ignore[misc]
        self.verb = lazily(lambda: _("Delete %(noun)s") % {"noun": spec.noun})  # type: ignore[misc]

    def carry_out(self, api: Api, item: JobItem) -> None:
        self._spec.calls(api).delete(item.data["target"])

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        try:
            self._spec.calls(api).get(item.data["target"])
        except NotFound:
            return Resolution(ItemVerdict.DONE)
        return Resolution(ItemVerdict.NOT_DONE)

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        for item in items:
            hosts.clear(job.connection, item.data["user_id"])
            mirror.drop(job.connection, self._spec.family, item.data["target"])
