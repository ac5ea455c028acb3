"""What comes after an import: new people get the onboarding template of their department."""

from portal.directory.users import CREATED
from portal.jobs.models import ItemState, Job, JobItem
from portal.people.jobs.onboarding import IMPORT, draft_for_new
from portal.people.models import OnboardingTemplate
from portal.people.services import onboarding


def by_template(job: Job, state: ItemState) -> list[tuple[OnboardingTemplate, list[JobItem]]]:
    """The rows that create somebody, by the template of the department."""
    templates = onboarding.of_connection(job.connection)
    found: dict[int, list[JobItem]] = {}
    for item in job.items.filter(action=CREATED, state=state):
        department = str(item.data.get("profile", {}).get("dept") or "")
        if template := onboarding.for_department(templates, department):
            found.setdefault(template.pk, []).append(item)
    return [(one, found[one.pk]) for one in templates if one.pk in found]


def onboard_created(job: Job) -> None:
    """Begins a job for each template, for those whom no such job is about yet."""
    earlier = Job.objects.filter(connection=job.connection, **{f"parameters__{IMPORT}": job.key})
    done = {key for one in earlier for key in one.parameters["chosen"]["wanted"]["ids"]}
    for template, items in by_template(job, ItemState.DONE):
        ids = [item.object_id for item in items if item.object_id not in done]
        if ids:
            draft_for_new(job.origin, job.connection, template, ids, after_import=job.key)
