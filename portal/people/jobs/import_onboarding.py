"""Onboarding after an import: new people get the onboarding template of their department."""

from portal.directory.users import CREATED
from portal.jobs.models import ItemState, Job, JobItem
from portal.jobs.planning import Planning
from portal.people.jobs.onboarding import IMPORT, draft_for_new
from portal.people.models import OnboardingTemplate
from portal.people.services import onboarding
from portal.translation import gettext as _
from portal.translation import ngettext, number

_SHOWN = "templates"  # the parameter of a job that says what the templates said in its preview


def tell(planning: Planning) -> None:
    """Notes which templates new people get when the import has ended, and keeps with the job what
    these say now."""
    planning.store()
    job, found = planning.job, _by_template(planning.job, ItemState.PENDING)
    for template, items in found:
        words = ngettext(
            "%(count)s new person gets the onboarding template %(template)s.",
            "%(count)s new people get the onboarding template %(template)s.",
            len(items),
        )
        words %= {"count": number(len(items)), "template": template}
        planning.note("neutral", words)
    if not found:
        words = _("No new person is in a department that has an onboarding template.")
        planning.note("neutral", words)
    shown = {str(one.pk): onboarding.in_fields(one) for one, _items in found}
    job.parameters = {**job.parameters, _SHOWN: shown}
    Job.objects.filter(pk=job.pk).update(parameters=job.parameters)


def _by_template(job: Job, state: ItemState) -> list[tuple[OnboardingTemplate, list[JobItem]]]:
    """The rows that create somebody, by the template of the department."""
    templates = onboarding.of_connection(job.scope)
    found: dict[int, list[JobItem]] = {}
    for item in job.items.filter(action=CREATED, state=state):
        department = str(item.data.get("profile", {}).get("dept") or "")
        if template := onboarding.for_department(templates, department):
            found.setdefault(template.pk, []).append(item)
    return [(one, found[one.pk]) for one in templates if one.pk in found]


def onboard_created(job: Job) -> None:
    """Begins a job for each template, for those whom no such job is about yet. One that says
    something else by now than when the import was approved is previewed first."""
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
