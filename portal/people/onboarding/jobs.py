"""The job that applies an onboarding template to people, also after an import."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from portal.access.http import Origin
from portal.access.models import Connection
from portal.client import Api, NotAvailable, NotFound
from portal.contract.delegates import Assistants
from portal.contract.groups import Groups, ImGroups
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation
from portal.contract.users import UserDetails, Users
from portal.directory import groups as groups_mirror, users as mirror
from portal.directory.models import GroupKind, MirroredUser, licence_label
from portal.directory.settings import PEOPLE
from portal.directory.users import CREATED, UserFilter
from portal.jobs import services as jobs
from portal.jobs.models import APPROVED, UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.jobs.row_errors import RowReading
from portal.jobs.steps import NewStep
from portal.people.jobs.base import INSIDE, IS, IS_NOT, OUTSIDE, PeopleSelection
from portal.people.jobs.steps import StepsJob, add_steps, inverse_of, settings_in_words
from portal.people.labels import job_title
from portal.people.models import OnboardingTemplate
from portal.people.onboarding import templates as onboarding
from portal.people.onboarding.templates import APPLYING, in_fields
from portal.people.services.groups import GROUPS, IM_GROUPS
from portal.translation import gettext as _, ngettext, number as shown_number
from portal.translation.phrases import joined
from portal.ui.settings.catalog import Values, values_of

KIND = "people.onboard"
IMPORT = "import"  # the parameter of a job for people created by an import: its key
_SHOWN = "templates"  # the parameter of a job with the templates as its preview showed them


@dataclass(frozen=True)
class OnboardingState:
    """A person as they are, with the settings and assistants that the template is about."""

    details: UserDetails
    settings: Values
    assistants: frozenset[str]


class OnboardPeopleJob(StepsJob):
    """`parameters["template"]` has the values of the template when the job was drafted."""

    name = KIND

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        template = job.parameters["template"]
        calls: list[AnyOperation] = []
        for name, operation in (
            ("licence", Users.update),
            ("groups", Groups.add_members),
            ("im_groups", ImGroups.add_members),
            ("assistants", Assistants.add),
            ("settings", Users.update_settings),
        ):
            if template[name]:
                calls.append(operation)
        if UNDOES in job.parameters:
            calls = list(inverse_of(calls))
        return list(dict.fromkeys(calls or [Users.update]))

    def is_approved(self, job: Job) -> bool:
        return bool(job.parameters.get(APPROVED)) and UNDOES not in job.parameters

    def plan(self, planning: Planning) -> None:
        rows, template = self.people(planning), planning.job.parameters["template"]
        groups = _groups(planning.api)
        states = planning.read_each(lambda row: _read(planning.api, row, template), rows)
        for number, (row, person) in enumerate(zip(rows, states, strict=True), start=1):
            if person.error is None and person.result is None:
                problem = (_("Person"), _("They are not on the account any more."))
                planning.add(
                    NewItem(number, row.label, state=ItemState.INVALID, problems=[problem])
                )
            else:
                add_steps(planning, number, row, partial(_steps, person, template, groups))
            planning.progress(number, len(rows), _("Comparing people"))

    def finished(self, job: Job) -> None:
        mirror.USERS.request(job.connection)
        groups_mirror.GROUPS.request(job.connection)


def draft_for_new(
    origin: Origin,
    connection: Connection,
    template: OnboardingTemplate,
    ids: Sequence[str],
    *,
    after_import: str = "",
    is_approved: bool = True,
) -> Job:
    """Drafts the job that applies a template to new people; it is approved with their creation
    unless the template has changed since."""

    def who() -> str:
        words = ngettext("%(count)s new person", "%(count)s new people", len(ids))
        return words % {"count": shown_number(len(ids))}

    parameters = {
        "chosen": PeopleSelection(UserFilter(ids=list(ids))).as_parameters(),
        "template": in_fields(template),
        APPROVED: is_approved,
        IMPORT: after_import,
    }
    return jobs.draft(
        origin, connection, KIND, job_title(APPLYING, who, template=template), parameters=parameters
    )


def _groups(api: Api) -> dict[GroupKind, frozenset[str]]:
    """Returns the ids of the groups that there are, as far as the service has them."""
    groups = dict.fromkeys(GroupKind, frozenset[str]())
    for kind in (GROUPS, IM_GROUPS):
        with suppress(NotAvailable):
            groups[kind.mirrored] = frozenset(one.id for one in kind.calls(api).list().groups)
    return groups


def _read(api: Api, row: MirroredUser, template: dict[str, object]) -> OnboardingState | None:
    """In a thread. Raises `ApiError`."""
    try:
        details = api.users.get(row.user_id)
        settings = PEOPLE.read(api, row.user_id) if template["settings"] else {}
        listed = api.assistants.list(row.user_id).assistants if template["assistants"] else []
    except NotFound:
        return None
    return OnboardingState(details, settings, frozenset(one.id or "" for one in listed))


def _steps(
    reading: RowReading[OnboardingState | None],
    template: JsonDict,
    groups: dict[GroupKind, frozenset[str]],
) -> Iterator[NewStep]:
    state = reading.value
    if state is None:
        return
    details, wanted = state.details, template["licence"]
    now = None if details.type is None else int(details.type)
    if wanted is not None and wanted != now:
        data = {"wanted": wanted, "previous": now}
        before = licence_label(now)
        yield NewStep("licence.change", "", _("Licence"), licence_label(wanted), before, data=data)
    yield from _settings(state.settings, template["settings"])
    for kind, name in ((GROUPS, "groups"), (IM_GROUPS, "im_groups")):
        mine = set(getattr(details, kind.ids) or ())
        for group_id, group in template[name]:
            if group_id in mine:
                continue
            is_gone = group_id not in groups[kind.mirrored]
            yield NewStep(
                "group.join",
                group_id,
                joined(" ", kind.title, group),
                INSIDE,
                OUTSIDE,
                data={"group_id": group_id, "kind": kind.mirrored.value},
                problem=_("This group is not on the account any more.") if is_gone else "",
                object=group,
            )
    for assistant_id, name in template["assistants"]:
        if assistant_id not in state.assistants and assistant_id != details.id:
            data = {"of": details.id, "assistant": assistant_id}
            title = _("%(name)s as assistant") % {"name": name}
            yield NewStep("assistant.add", assistant_id, title, IS, IS_NOT, data=data, object=name)


def _settings(now: Values, wanted: Values) -> Iterator[NewStep]:
    """Yields the differing settings in one step, and those without an earlier value, which cannot
    be restored, in another."""
    if not wanted:
        return
    different = PEOPLE.catalog.changes(now, values_of(PEOPLE.update(wanted)))
    for is_reported in (True, False):
        some = [one for one in different if (one.old is not None) is is_reported]
        if not some:
            continue
        new = {one.setting.name: one.new for one in some}
        old = {one.setting.name: one.old for one in some}
        yield NewStep(
            "settings.change",
            "known" if is_reported else "unknown",
            _("Settings"),
            settings_in_words(new),
            settings_in_words(old) if is_reported else "",
            data={"wanted": new, "previous": old} if is_reported else {"wanted": new},
            changes=[(one.setting.full_title, one.old_words, one.new_words) for one in some],
        )


def add_notices(planning: Planning) -> None:
    """Adds notices on the templates that new people get after an import, and stores with the job
    what these say now."""
    planning.store()
    job, by_template = planning.job, _by_template(planning.job, ItemState.PENDING)
    for template, items in by_template:
        words = ngettext(
            "%(count)s new person gets the onboarding template %(template)s.",
            "%(count)s new people get the onboarding template %(template)s.",
            len(items),
        )
        words %= {"count": shown_number(len(items)), "template": template}
        planning.add_notice("neutral", words)
    if not by_template:
        words = _("No new person is in a department that has an onboarding template.")
        planning.add_notice("neutral", words)
    shown = {str(one.pk): onboarding.in_fields(one) for one, _items in by_template}
    job.parameters = {**job.parameters, _SHOWN: shown}
    Job.objects.filter(pk=job.pk).update(parameters=job.parameters)


def _by_template(job: Job, state: ItemState) -> list[tuple[OnboardingTemplate, list[JobItem]]]:
    """Returns the items that create people, by the template of the department."""
    templates = onboarding.of_connection(job.scope)
    by_template: dict[int, list[JobItem]] = {}
    for item in job.items.filter(action=CREATED, state=state):
        department = str(item.data.get("profile", {}).get("dept") or "")
        if template := onboarding.for_department(templates, department):
            by_template.setdefault(template.pk, []).append(item)
    return [(one, by_template[one.pk]) for one in templates if one.pk in by_template]


def onboard_created(job: Job) -> None:
    """Drafts a job for each template, for the people whom no such job covers yet. A template that
    has changed since the import was approved is previewed first."""
    shown = job.parameters.get(_SHOWN, {})
    earlier = Job.objects.filter(connection=job.connection, **{f"parameters__{IMPORT}": job.key})
    done = {key for one in earlier for key in one.parameters["chosen"]["wanted"]["ids"]}
    for template, items in _by_template(job, ItemState.DONE):
        ids = [item.object_id for item in items if item.object_id not in done]
        if ids:
            is_as_shown = shown.get(str(template.pk)) == onboarding.in_fields(template)
            draft_for_new(
                job.origin,
                job.connection,
                template,
                ids,
                after_import=job.key,
                is_approved=is_as_shown,
            )
