"""Series that are given other times: deleted dates and registrations are not lost in silence."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from portal.audit.reading import lines
from portal.jobs.models import ItemState, Job, JobState
from portal.meetings.spec import MEETINGS
from portal.sessions.recurrence import pattern_of
from tests.sessions.importing import as_csv, begun, carried_out, planned, take_in
from tests.sessions.registered import emails, register
from tests.support.html import form_with, text_of
from tests.support.session_pages import typed, url

pytestmark = pytest.mark.django_db

MONDAY = {"start_time": "2038-03-01T09:00:00", "timezone": "Europe/Berlin", "duration": 30}
WEEKLY = {"type": 2, "weekly_days": "2", "end_times": 5}
LATER = {"start_time": "2038-03-01T10:00"}
FIRST = datetime(2038, 3, 1, 8, tzinfo=UTC)


def series(make_session, spec=MEETINGS, **settings):
    return make_session(spec, type=int(spec.series), recurrence=WEEKLY, settings=settings, **MONDAY)


def opened(planner, made):
    return typed(form_with(planner.get(url(planner.connection, made, "edit")), "topic"))


def sent_again(planner, refused, **more):
    assert refused.status_code == 422, text_of(refused.text)
    return planner.send(form_with(refused.text, "topic"), **more)


def starts(made):
    return [one["start_time"][:13] for one in made.now()["occurrences"]]


def delete(planner, made, place):
    params = {"occurrence_id": made.now()["occurrences"][place]["occurrence_id"]}
    planner.sandbox.client.delete(f"/{made.spec.family}/{made.id}", params=params)


def test_a_date_that_was_deleted_is_named_and_deleted_again(planner, make_session, spec):
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


def test_a_deleted_date_comes_back_for_who_unticks_it(planner, make_session):
    made = series(make_session)
    delete(planner, made, 2)
    form = form_with(planner.send(opened(planner, made), **LATER).text, "topic")
    del form.values["delete_again"]
    assert planner.send(form).status_code == 303
    assert len(starts(made)) == 5


def test_other_changes_leave_deleted_dates_alone(planner, make_session):
    made = series(make_session)
    delete(planner, made, 0)
    assert planner.send(opened(planner, made), topic="Another").status_code == 303
    assert len(starts(made)) == 4


def test_registrations_go_only_when_their_number_was_agreed_to(planner, make_session, spec):
    made = series(make_session, spec, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada", "grace")
    refused = planner.send(opened(planner, made), **LATER)
    assert "With the dates that are replaced go 10 registrations of 2 people" in text_of(
        refused.text
    )
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com", "grace@example.com"]
    chosen = form_with(refused.text, "topic").values["lose"]
    assert chosen.startswith("again "), "to delete is never the first choice"
    file = planner.client.get(url(planner.connection, made, "registrants-by-date", "csv"))
    assert b"".join(file.streaming_content).count(b"@example.com") == 10


def test_people_are_registered_again_by_a_job(planner, make_session, spec, work):
    made = series(make_session, spec, approval_type=1, registration_type=3)
    sandbox = planner.sandbox
    second = made.now()["occurrences"][1]["occurrence_id"]
    ids = register(sandbox, made, "ada", "grace")
    sandbox.client.put(
        f"/{spec.family}/{made.id}/registrants/status",
        json={"action": "approve", "registrants": [{"id": ids[0]}]},
    )
    refused = planner.send(opened(planner, made), **LATER)
    saved = sent_again(planner, refused)
    assert saved.status_code == 303
    job = work(Job.objects.get(kind="registrants.again"))
    assert saved["Location"].rstrip("/").endswith(job.key)
    assert job.state == JobState.DONE, job.reason
    assert emails(sandbox, made, "approved") == ["ada@example.com"]
    assert emails(sandbox, made, "pending") == ["grace@example.com"]
    now = made.now()["occurrences"][1]["occurrence_id"]
    assert now != second
    assert emails(sandbox, made, "approved", occurrence_id=now) == ["ada@example.com"]


def test_registrations_are_deleted_for_good_by_choice_alone(planner, make_session, spec):
    made = series(make_session, spec, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada")
    refused = planner.send(opened(planner, made), **LATER)
    chosen = form_with(refused.text, "topic").values["lose"].replace("again", "delete")
    assert sent_again(planner, refused, lose=chosen).status_code == 303
    assert emails(planner.sandbox, made, "approved") == []
    assert not Job.objects.exists()


def test_registrations_for_all_dates_stay_unasked(planner, make_session):
    made = series(make_session, approval_type=0, registration_type=1)
    register(planner.sandbox, made, "ada")
    assert planner.send(opened(planner, made), **LATER).status_code == 303
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com"]


def test_row_of_table_that_would_delete_registrations_is_refused(planner, make_session, work):
    made = series(make_session, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada")
    row = {"Meeting ID": made.id, "Start": "2038-03-01 10:00", "Time zone": "Europe/Berlin"}
    job = planned(planner, MEETINGS, work, row)
    item = job.items.get()
    assert item.state == ItemState.INVALID
    assert "dates that are replaced: 5 registrations of 1 person" in str(item.problems)


def test_row_of_table_registers_again_when_that_was_chosen(planner, make_session, work):
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
    again = work(Job.objects.get(kind="registrants.again"))
    assert again.state == JobState.DONE, again.reason
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com"]


def test_row_that_replaces_other_registrations_is_refused(planner, make_session, work):
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


def test_a_row_of_a_table_says_which_deleted_dates_come_back(planner, make_session, work):
    made = series(make_session)
    delete(planner, made, 2)
    row = {"Meeting ID": made.id, "Start": "2038-03-01 10:00", "Time zone": "Europe/Berlin"}
    job = planned(planner, MEETINGS, work, row)
    assert "Mon 15 Mar 2038, 09:00 was deleted, and comes back" in str(job.notes)


def _weeks(*numbers):
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
def test_a_pattern_names_the_dates_that_were_deleted(dates, deleted):
    found = pattern_of(dates, "UTC", start=FIRST)
    assert found is not None
    assert (found.first, list(found.deleted)) == (FIRST, deleted)


def test_dates_of_which_most_would_be_missing_have_no_pattern():
    dates = [FIRST + timedelta(days=number) for number in (0, 1, 4, 9)]
    assert pattern_of(dates, "UTC", start=FIRST) is None


def test_an_undo_deletes_no_registrations(planner, make_session):
    made = series(make_session, approval_type=0, registration_type=2)
    assert planner.send(opened(planner, made), **LATER).status_code == 303
    register(planner.sandbox, made, "ada")
    entry = lines().filter(operation="meetings.update")[0]
    address = reverse("changes:undo", args=[planner.connection.key, entry.sequence])
    assert "their registrations deleted" in text_of(planner.get(address))
    planner.client.post(address)
    assert emails(planner.sandbox, made, "approved") == ["ada@example.com"]


def test_deleting_a_date_says_how_many_registrations_go(planner, make_session):
    made = series(make_session, approval_type=0, registration_type=2)
    register(planner.sandbox, made, "ada", "grace")
    number = str(made.now()["occurrences"][1]["occurrence_id"])
    page = planner.get(url(planner.connection, made, "delete-occurrence", number))
    assert "Deleted with it: 2 registrations of 2 people." in text_of(page)
    page = planner.get(url(planner.connection, made, "delete"))
    assert "Deleted with it: 10 registrations of 2 people." in text_of(page)


def test_deleting_a_meeting_says_how_many_are_registered(planner, make_session):
    made = series(make_session, approval_type=1, registration_type=1)
    page = planner.get(url(planner.connection, made, "delete"))
    assert "Deleted with it" not in text_of(page)
    register(planner.sandbox, made, "ada", "grace")
    page = planner.get(url(planner.connection, made, "delete"))
    assert "Deleted with it: 2 registrations of 2 people." in text_of(page)
