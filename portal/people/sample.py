"""Sample of an import of people: four are created, two rows are refused."""

import contextlib
import time

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.client import NotFound
from portal.connections.api import api_for
from portal.contract.users import RemovalAction, UserRemoval
from portal.domain.samples import SampleContent
from portal.imports import sheets
from portal.jobs import services
from portal.jobs.models import ItemState, Job, JobState
from portal.jobs.services import JobRefused
from portal.people.imports import jobs as people_import
from portal.people.imports.columns import mapping_of, names_in

_TABLE = """Email,First name,Last name,Licence,Department
ines.moreau@brightwater.example,Inès,Moreau,Basic,Sales
tomasz.zielinski@brightwater.example,Tomasz,Zieliński,Basic,Engineering
hana.sato@brightwater.example,Hana,Sato,Basic,Marketing
liam.byrne@brightwater.example,Liam,Byrne,Basic,Customer Support
no address,Priya,Nair,Basic,Finance
oscar.lind@brightwater.example,Oscar,Lind,Premium,Legal
"""  # untranslated: a table
_PLANNED_WITHIN, _EVERY = 60.0, 0.2  # seconds


def _make(colleague: User, connection: Connection) -> None:
    """Begins the import and approves its plan, which a worker makes and carries out."""
    table = sheets.read(_TABLE.encode())
    mapping = mapping_of(names_in(table.headers), table.headers)
    origin, name = Origin(colleague, email=colleague.email), "new-people.csv"
    job = people_import.draft(origin, connection, table, mapping, name=name)
    until = time.monotonic() + _PLANNED_WITHIN
    while job.state != JobState.PLANNED and time.monotonic() < until:
        time.sleep(_EVERY)
        job.refresh_from_db()
    seen = services.plan_version(job)
    services.approve(job, origin, seen=seen, reauthenticated=lambda: True)


def _remove(colleague: User, by: Origin, connection: Connection) -> None:
    """Removes the jobs of the colleague and the people created by them."""
    jobs = list(Job.objects.filter(connection=connection, owner=colleague))
    for job in jobs:
        with contextlib.suppress(JobRefused):  # it has ended
            services.cancel(job, by)
    api = api_for(scope_of(connection.owner, connection))
    for job in (one for one in jobs if one.kind == people_import.KIND):
        for item in job.items.filter(state=ItemState.DONE, action="create"):
            try:
                api.users.delete(item.object_id, UserRemoval(action=RemovalAction.DELETE))
            except NotFound:
                continue
    for job in jobs:
        services.remove(job, by)


SAMPLES = (SampleContent(30, "import", _make, _remove),)
