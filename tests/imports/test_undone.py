"""Imports of all kinds, with every optional column filled by chance, are undone as pages offer."""

from random import Random
from typing import Any

import pytest
from django.urls import reverse

from portal.access.http import Origin
from portal.account.resources import DeviceImportJob, TrackingFieldImportJob
from portal.audit.reading import lines
from portal.imports import sheets
from portal.jobs import services, undoing
from portal.jobs.models import ItemState, Job, JobState
from portal.people.imports.columns import COLUMNS as PEOPLE
from portal.people.models import OnboardingTemplate
from portal.people.onboarding import templates as onboarding
from portal.people.onboarding.jobs import KIND as ONBOARDING
from portal.people.services.groups import GROUPS, IM_GROUPS
from portal.sessions.imports.registrants import COLUMNS as REGISTRANTS
from portal.sessions.imports.session_columns import columns_for
from portal.sessions.jobs.session_import import name_of
from tests.account import importing as resources
from tests.people import importing as people
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.session_made import Made
from tests.support.tables import row_of

pytestmark = pytest.mark.django_db

ROWS = 3
OF_REMOVALS = {"action", *(name for name in PEOPLE if name.startswith("transfer"))}
REPEATS = {  # what goes together in a row of sessions, by the recurrence
    "": (),
    "daily": ("recurrence_type", "repeat_interval"),
    "weekly": ("recurrence_type", "repeat_interval", "weekly_days"),
    "monthly": ("recurrence_type", "repeat_interval", "monthly_day"),
    "by week": ("recurrence_type", "repeat_interval", "monthly_week", "monthly_week_day"),
}
tables = pytest.mark.parametrize(
    "number", [0, *(pytest.param(one, marks=pytest.mark.deep) for one in range(1, 40))]
)


def _carried_out(job, work):
    """The job once approved, after a plan that has an item for each row, none of which a fault of
    the program ended."""
    assert job.state == JobState.PLANNED, job.reason
    said = [item.problems for item in job.items.filter(state=ItemState.INVALID)]
    assert not said
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE
    assert "fault" not in " ".join(job.items.values_list("message", flat=True))
    return job


def _undone(job, work):
    return _carried_out(work(undoing.undo(job, Origin(job.owner))), work)


def _undone_one_by_one(client, job):
    """Undoes each change of a job as its entry in the trail offers, the last first."""
    for entry in lines().filter(request_id=job.request_id).exclude(family="job"):
        page = client.get(reverse("changes:undo", args=[job.connection.key, entry.sequence]))
        form = form_with(page.text, "seen")
        done = client.post(form.action, form.values)
        assert done.status_code == 303, text_of(done.text)


@pytest.fixture
def onboarded(connection, make_group, make_person):
    group, assistant, made = make_group(GROUPS), make_person(), OnboardingTemplate()
    made.connection = connection
    wanted = {
        "name": "New",
        "departments": ["Onboarded"],
        "licence": 2,
        "groups": [[group.id, group.name]],
        "im_groups": [],
        "assistants": [[assistant.id, assistant.name]],
        "settings": {"in_meeting.chat": True},
    }
    onboarding.save(Origin(connection.owner), made, wanted)
    return made


@tables
def test_import_of_people_is_undone_with_all_columns(  # noqa: PLR0917
    number, connection, work, make_group, make_person, onboarded, sandbox
):
    chance, there = Random(number), make_person()  # noqa: S311 - to have the same rows again
    before, member_of = there.now(), [make_group(kind) for kind in (GROUPS, IM_GROUPS)]

    def row(email, **given):
        ways = chance.choice(["create", "custCreate", "ssoCreate"])
        cells = {
            "email": email,
            "create_action": ways,
            "groups": member_of[0].name,
            "im_groups": member_of[1].name,
            "dept": chance.choice(["Onboarded", "Sales"]),
            "type": chance.choice(["Basic", "Pro"]),
            "first_name": chance.choice(["Ada", "Jörg"]),
            "last_name": "Byron",
            "status": chance.choice(["active", "inactive", ""]),
            "vanity_name": people.new_email().partition("@")[0].replace(".", "-"),
            "pmi": str(chance.randint(2 * 10**9, 9 * 10**9)),
        }
        omitted = OF_REMOVALS | {"password"}
        whole = number == 0
        return row_of(PEOPLE, chance, given=cells | given, without=omitted, whole=whole)

    rows = [row(people.new_email()) for _ in range(ROWS)]
    auto = {"create_action": "autoCreate", "password": "Secret-12345"}
    rows += [row(people.new_email(), **auto), row(there.email, create_action="", status="active")]
    job = people.drafted(connection, *rows)
    job.parameters |= {"onboards": True}
    job.save()
    job = _carried_out(work(job), work)
    for follows in map(work, Job.objects.filter(kind=ONBOARDING)):
        assert follows.state == JobState.DONE
        _undone(follows, work)
    undo = _undone(job, work)
    assert undo.items.count() == len(rows)
    listed = {one["email"]: one for one in sandbox.people("active", "pending", "inactive")}
    inactive = {one["email"] for one in sandbox.people("inactive")}
    for created in rows[:-1]:
        assert created["email"] not in listed or created["email"] in inactive
    assert there.now().get("dept") == before.get("dept")
    assert not member_of[0].members() & {there.id}


@pytest.mark.parametrize("of", [DeviceImportJob, TrackingFieldImportJob])
@tables
def test_import_of_resources_is_undone_with_all_columns(number, of, connection, work, sandbox):
    chance = Random(number)  # noqa: S311 - to have the same rows again
    path = "/h323/devices" if of is DeviceImportJob else "/v2/tracking_fields"

    def listed():
        rows: list[dict[str, Any]] = sandbox.client.get(path).json()[path.rpartition("/")[2]]
        return sorted(rows, key=lambda one: str(one["id"]))

    def row():
        given = {of.label: f"Made {chance.random()}", "required": "no"}
        given |= {"ip": "192.0.2.7", "protocol": "SIP", "encryption": "auto"}
        fixed = {name: one for name, one in given.items() if name in of.own_columns}
        return row_of(of.own_columns, chance, given=fixed, whole=number == 0)

    before = listed()
    rows = [row() for _ in range(ROWS)]
    job = work(resources.drafted(connection, of, resources.written(*rows)))
    _undone(_carried_out(job, work), work)
    assert listed() == before


@tables
def test_import_of_sessions_is_undone_with_all_columns(  # noqa: PLR0917
    number, spec, connection, work, client, make_host, sandbox
):
    chance, host, other = Random(number), make_host(), make_host()  # noqa: S311
    columns = columns_for(spec)
    own = {one for names in REPEATS.values() for one in names}

    def row(repeats):
        ends = chance.choice([{"end_times": "4"}, {"end_date_time": "2038-09-01"}])
        kinds = {"daily": "daily", "weekly": "weekly", "monthly": "monthly", "by week": "monthly"}
        given = {
            "host": host.email,
            "start_time": "2038-03-01 09:00",
            "timezone": "Europe/Berlin",
            "alternative_hosts": other.email,
            "tracking_fields": "Cost centre: 4711",
            "password": "a-1",
            "type": str(int(spec.series if repeats else spec.once)),
            "topic": f"Made {chance.random()}",
        }
        rule = dict.fromkeys(REPEATS[repeats], "")
        cells = dict.fromkeys(rule, "2")
        if repeats:
            cells |= {"recurrence_type": kinds[repeats], **ends}
        if "monthly_week" in rule:
            cells |= {"monthly_week": "second", "monthly_week_day": "Mon"}
        parts = {"start_clock", "ends", "end_day"}  # which stand for others
        omitted = {"id", *own, *parts, "end_times", "end_date_time"}
        return row_of(columns, chance, given=given | cells, without=omitted, whole=number == 0)

    rows = [row(repeats) for repeats in REPEATS]
    table = sheets.read(people.table_of(*rows))
    job = services.draft(
        Origin(connection.owner, request_id=f"made-{number}"),
        connection,
        name_of(spec),
        "Import",
        parameters={"names": table.headers, "headings": table.headers},
        file=table.dump(),
    )
    job = _carried_out(work(job), work)
    made = [Made(sandbox, spec, item.object_id) for item in job.items.all()]
    assert all(one.now() for one in made)
    assert not undoing.JobUndos(job).can_begin
    assert services.without_undo(job)
    _undone_one_by_one(client, job)
    assert not any(one.now() for one in made)


@tables
def test_import_of_registrants_says_that_it_stays(number, spec, connection, work, make_session):
    chance = Random(number)  # noqa: S311 - to have the same rows again
    session = make_session(spec, settings={"approval_type": 0})

    def row():
        given = {"email": people.new_email(), "first_name": "Ada", "last_name": "Byron"}
        return row_of(REGISTRANTS, chance, given=given, whole=number == 0)

    table = sheets.read(people.table_of(*(row() for _ in range(ROWS))))
    given = {
        "family": spec.registrants.name,
        "session_id": session.id,
        "occurrence_ids": [],
        "names": table.headers,
    }
    job = services.draft(
        Origin(connection.owner),
        connection,
        "registrants.import",
        "Import",
        parameters=given,
        file=table.dump(),
    )
    job = _carried_out(work(job), work)
    assert not undoing.JobUndos(job).can_begin
    assert "cannot be undone" in " ".join(services.without_undo(job))
