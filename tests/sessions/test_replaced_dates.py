"""Series that are given other times: deleted dates and registrations are not lost in silence."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from portal.access.audit.reading import lines
from portal.jobs.models import ItemState, Job, JobState
from portal.sessions.kinds import MEETINGS
from portal.sessions.recurrence import pattern_of
from portal.sessions.specs import SessionSpec
from tests.sessions.importing import as_csv, begun, carried_out, planned, take_in
from tests.sessions.registered import emails, register
from tests.support.html import Form, form_with, text_of
from tests.support.jobs import Work
from tests.support.session_made import Made
from tests.support.session_pages import Planner, typed, url
from tests.support.sessions import MakeSession

pytestmark = pytest.mark.django_db

MONDAY = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin", "duration": 30}
WEEKLY = {"type": 2, "weekly_days": "2", "end_times": 5}
LATER = {"start_time": "2038-03-01T10:00"}
FIRST = datetime(2038, 3, 1, 8, tzinfo=UTC)


def series(make_session: MakeSession, spec: SessionSpec = MEETINGS, **settings: int) -> Made:
    return make_session(spec, type=int(spec.series), recurrence=WEEKLY, settings=settings, **MONDAY)


def opened(planner: Planner, made: Made) -> Form:
    return typed(form_with(planner.get(url(planner.connection, made, "edit")), "topic"))


def sent_again(planner: Planner, refused: Any, **more: str) -> Any:
    assert refused.status_code == 422, text_of(refused.text)
    return planner.send(form_with(refused.text, "topic"), **more)


def starts(made: Made) -> list[str]:
    return [one["start_time"][:13] for one in made.now()["occurrences"]]


def delete(planner: Planner, made: Made, place: int) -> None:
    params = {"occurrence_id": made.now()["occurrences"][place]["occurrence_id"]}
    planner.sandbox.client.delete(f"/{made.spec.family}/{made.id}", params=params)


def test_a_date_that_was_deleted_is_named_and_deleted_again(
    planner: Planner, make_session: MakeSession, spec: SessionSpec
):
    made = series(make_session, spec)
    delete(planner, made, 2)
    refused = planner.send(opened(planner, made), **LATER)
    said = text_of(refused.text)
    assert "Mon 15 Mar 2038, 09:00, now Mon 15 Mar 2038, 10:00" in said
    assert "Mon 8 Mar 2038 10:00" in said
    assert len(starts(made)) == 4
    assert sent_again(planner, refused).status_code == 303
    days = ("2038-03-01T09", "2038-03-08T09", "2038-03-22T09", "2038-03-29T08")
    assert starts(made) == list(days)


def test_a_deleted_date_comes_back_for_who_unticks_it(planner: Planner, make_session: MakeSession):
    made = series(make_session)
    delete(planner, made, 2)
    form = form_with(planner.send(opened(planner, made), **LATER).text, "topic")
    del form.values["delete_again"]
    assert planner.send(form).status_code == 303
    assert len(starts(made)) == 5


def test_other_changes_leave_deleted_dates_alone(planner: Planner, make_session: MakeSession):
    made = series(make_session)
    delete(planner, made, 0)
    assert planner.send(opened(planner, made), topic="Another").status_code == 303
    assert len(starts(made)) == 4


def test_registrations_go_only_when_their_number_was_agreed_to(
    planner: Planner, make_session: MakeSession, spec: SessionSpec
):
    made = series(make_session, spec, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada", "grace")
    refused = planner.send(opened(planner, made), **LATER)
    assert "dates that are replaced: 10 registrations of 2 people" in text_of(refused.text)
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com", "grace@example.com"]
    form = form_with(refused.text, "topic")
    assert "lose" not in form.values
    file = planner.client.get(url(planner.connection, made, "registrants-by-date", "csv"))
    assert b"".join(file.streaming_content).count(b"@example.com") == 10  # type: ignore[attr-defined]


def test_people_are_registered_again_by_a_job(
    planner: Planner, make_session: MakeSession, spec: SessionSpec, work: Work
):
    made = series(make_session, spec, approval_type=1, registration_type=3)
    sandbox = planner.sandbox
    second = made.now()["occurrences"][1]["occurrence_id"]
    ids = register(sandbox, made, "ada", "grace")
    sandbox.client.put(
        f"/{spec.family}/{made.id}/registrants/status",
        json={"action": "approve", "registrants": [{"id": ids[0]}]},
    )
    refused = planner.send(opened(planner, made), **LATER)
    signature = refused.text.partition('name="lose" value="')[2].partition('"')[0]
    saved = sent_again(planner, refused, lose=signature)
    assert saved.status_code == 303
    assert emails(sandbox, made, "approved") == []
    job = work(Job.objects.get(kind="registrants.again"))
    assert saved["Location"].rstrip("/").endswith(job.key)
    assert job.state == JobState.PLANNED, job.reason
    carried_out(job, work)
    assert emails(sandbox, made, "approved") == ["ada@example.com"]
    assert emails(sandbox, made, "pending") == ["grace@example.com"]
    now = made.now()["occurrences"][1]["occurrence_id"]
    assert now != second
    assert emails(sandbox, made, "approved", occurrence_id=now) == ["ada@example.com"]


def test_registrations_for_all_dates_stay_unasked(planner: Planner, make_session: MakeSession):
    made = series(make_session, approval_type=0, registration_type=1)
    register(planner.sandbox, made, "ada")
    assert planner.send(opened(planner, made), **LATER).status_code == 303
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com"]


def test_row_of_table_that_would_delete_registrations_is_refused(
    planner: Planner, make_session: MakeSession, work: Work
):
    made = series(make_session, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada")
    row = {"Meeting ID": made.id, "Start": "2038-03-01 10:00", "Time zone": "Europe/Berlin"}
    job = planned(planner, MEETINGS, work, row)
    item = job.items.get()
    assert item.state == ItemState.INVALID
    assert "dates that are replaced: 5 registrations of 1 person" in str(item.problems)


def test_row_of_table_registers_again_when_that_was_chosen(
    planner: Planner, make_session: MakeSession, work: Work
):
    made = series(make_session, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada")
    row = {"Meeting ID": made.id, "Start": "2038-03-01 10:00", "Time zone": "Europe/Berlin"}
    form = take_in(planner, MEETINGS, text=as_csv(row))
    job = work(begun(planner, form, registers_again="on"))
    assert ["Registrations", "5 registrations of 1 person"] in [
        change[:2] for change in job.items.get().changes
    ]
    preview = planner.get(reverse("jobs:job", args=[planner.connection.key, job.key]))
    assert url(planner.connection, made, "registrants-by-date", "xlsx") in preview
    done = carried_out(job, work)
    assert done.items.get().state == ItemState.DONE, done.items.get().message
    assert emails(planner.sandbox, made, "approved") == []
    again = work(Job.objects.get(kind="registrants.again"))
    assert again.state == JobState.PLANNED, again.reason
    carried_out(again, work)
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com"]


def test_row_that_replaces_other_registrations_is_refused(
    planner: Planner, make_session: MakeSession, work: Work
):
    made = series(make_session, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada")
    row = {"Meeting ID": made.id, "Start": "2038-03-01 10:00", "Time zone": "Europe/Berlin"}
    form = take_in(planner, MEETINGS, text=as_csv(row))
    job = work(begun(planner, form, registers_again="on"))
    register(planner.sandbox, made, "grace")
    item = carried_out(job, work).items.get()
    assert item.state == ItemState.FAILED
    assert "others than in the preview: 10 registrations of 2 people" in item.message
    assert len(emails(planner.sandbox, made, "approved")) == 2


def test_a_row_of_a_table_says_which_deleted_dates_come_back(
    planner: Planner, make_session: MakeSession, work: Work
):
    made = series(make_session)
    delete(planner, made, 2)
    row = {"Meeting ID": made.id, "Start": "2038-03-01 10:00", "Time zone": "Europe/Berlin"}
    job = planned(planner, MEETINGS, work, row)
    assert "Mon 15 Mar 2038, 09:00 was deleted, and comes back" in str(job.notes)


def _weeks(*numbers: int) -> list[datetime]:
    return [FIRST + timedelta(weeks=number) for number in numbers]


@pytest.mark.parametrize(
    ("dates", "deleted"),
    [
        (_weeks(0, 1, 3), _weeks(2)),
        (_weeks(1, 2, 3), _weeks(0)),
        (_weeks(0, 1, 2), []),
    ],
    ids=["within", "first", "none"],
)
def test_a_pattern_names_the_dates_that_were_deleted(
    dates: list[datetime], deleted: list[datetime]
):
    found = pattern_of(dates, "UTC", start=FIRST)
    assert found is not None
    assert (found.first, list(found.deleted)) == (FIRST, deleted)


def test_dates_of_which_most_would_be_missing_have_no_pattern():
    dates = [FIRST + timedelta(days=number) for number in (0, 1, 4, 9)]
    assert pattern_of(dates, "UTC", start=FIRST) is None


def test_an_undo_deletes_no_registrations(planner: Planner, make_session: MakeSession):
    made = series(make_session, approval_type=0, registration_type=2)
    assert planner.send(opened(planner, made), **LATER).status_code == 303
    register(planner.sandbox, made, "ada")
    entry = lines().filter(operation="meetings.update")[0]
    address = reverse("changes:undo", args=[planner.connection.key, entry.sequence])
    assert "their registrations deleted" in text_of(planner.get(address))
    planner.client.post(address)
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com"]


def test_deleting_a_date_says_how_many_registrations_go(
    planner: Planner, make_session: MakeSession
):
    made = series(make_session, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada", "grace")
    number = str(made.now()["occurrences"][1]["occurrence_id"])
    page = planner.get(url(planner.connection, made, "delete-occurrence", number))
    assert "Deleted with it: 2 registrations of 2 people." in text_of(page)
    page = planner.get(url(planner.connection, made, "delete"))
    assert "Deleted with it: 10 registrations of 2 people." in text_of(page)


def test_deleting_a_meeting_says_how_many_are_registered(
    planner: Planner, make_session: MakeSession
):
    made = series(make_session, approval_type=1, registration_type=1)
    page = planner.get(url(planner.connection, made, "delete"))
    assert "Deleted with it" not in text_of(page)
    register(planner.sandbox, made, "ada", "grace")
    page = planner.get(url(planner.connection, made, "delete"))
    assert "Deleted with it: 2 registrations of 2 people." in text_of(page)
