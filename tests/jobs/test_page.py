"""The page of one job, in each of its states."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import User
from portal.audit.models import AuditEntry
from portal.config import clock
from portal.contract import operations
from portal.contract.inverse import NoWayBack
from portal.contract.operation import Effect
from portal.jobs import job_types, services
from portal.jobs.counts import counts_of
from portal.jobs.job_summary import JobSummary
from portal.jobs.job_types import JobType
from portal.jobs.models import ItemState, Job, JobState
from tests.support.html import text_of
from tests.support.job_pages import SCRIPT, drafted, forced, item, seen, shown, url
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db


def emails(count):
    mark = uuid4().hex
    return [f"{number}.{mark}@example.com" for number in range(count)]


def test_one_address_reports_a_job_from_its_plan_to_its_report(client, connection, work):
    job = drafted(connection, emails(3))
    assert "Nothing changes until you apply the preview." in shown(client, url(job))
    work(job)
    plan = shown(client, url(job))
    assert "Nothing has changed yet." in plan
    assert ">Create 3 people</button>" in plan
    assert client.post(url(job, "approve"), seen(job)).status_code == 303
    assert "0 %" in shown(client, url(job))
    work(job)
    report = shown(client, url(job))
    assert "3 people created" in report
    assert 'hx-trigger="every 2s' not in report.partition('id="job"')[2]
    assert "Applied a job" in report


def test_a_fragment_is_polled_only_while_something_moves(client, connection):
    def polls(state, *items):
        job = forced(connection, state, *items)
        fragment = shown(client, url(job), **SCRIPT)
        assert "<html" not in fragment
        return f'hx-get="{url(job)}" hx-trigger="every 2s, live"' in fragment

    assert polls(JobState.PLANNING)
    assert polls(JobState.RUNNING, item(2))
    assert polls(JobState.PAUSED, item(2, ItemState.SENDING))
    assert not polls(JobState.PAUSED, item(2))
    assert not polls(JobState.PLANNED, item(2))
    assert not polls(JobState.DONE, item(2, ItemState.DONE))


def test_plan_says_what_it_does_what_it_leaves_and_what_is_noted(client, connection):
    changes = [["Licence", "Basic", "Pro"], *([f"F{n}", "a", "b"] for n in range(9))]
    job = forced(
        connection,
        JobState.PLANNED,
        *(item(number) for number in range(2, 5)),
        item(5, action="change", changes=changes),
        item(6, ItemState.UNCHANGED, action="change"),
        item(7, ItemState.INVALID, action="", problems=[["email", "“x” is not an address."]]),
        notes=[["warning", "812 licences are needed, and 640 are free."]],
    )
    page = shown(client, url(job))
    assert ">Apply 4 changes</button>" in page
    assert "812 licences are needed, and 640 are free." in page
    assert "Create 3, change 1, skip 1" in page
    assert 'Unchanged <span class="badge badge-pill">1</span>' in page
    assert "<del>Basic</del>" in page
    assert "<summary>5 more</summary>" in page
    assert '<span class="text-secondary">F4</span>' in page
    assert "email: “x” is not an address." in page


def test_rows_have_the_same_columns_and_order_before_and_after(client, connection):
    problems = [["email", "“x” is not an address."]]
    job = forced(
        connection,
        JobState.PLANNED,
        item(2, changes=[["First name", "", "Ada"], ["Licence", "", "Pro"]]),
        item(3, action="change", changes=[["Licence", "Basic", "Pro"]]),
        item(4, ItemState.INVALID, action="", problems=problems),
    )

    def table():
        html = shown(client, url(job)).partition("<table")[2]
        heads = [each.partition("<")[0] for each in html.split('<th scope="col"')[1:]]
        numbers = re.findall(r'job-number"[^>]*>(\d+)', html)
        return html, [head.partition(">")[2] for head in heads], numbers

    plan, heads, numbers = table()
    assert heads == ["Row", "State", "Person", "First name", "Licence", "Result"]
    assert numbers == ["4", "3", "2"]
    assert 'title="Basic → Pro"' in plan
    assert 'title="email: “x” is not an address."' in plan
    assert "Will be created" in plan
    job.items.filter(state=ItemState.PENDING).update(state=ItemState.DONE)
    Job.objects.update(state=JobState.DONE, approved_at=clock.now(), finished_at=clock.now())
    result, *same = table()
    assert same == [heads, numbers]
    assert "Created" in result


def test_ended_job_leads_to_results_and_rows_to_correct(client, connection):
    rows = [item(2, ItemState.DONE), item(3, ItemState.FAILED), item(4, ItemState.INVALID)]
    job = forced(connection, JobState.DONE, *rows, kind="people.import", parameters={"names": []})
    page = shown(client, url(job))
    assert "1 person created, 1 failed, 1 skipped" in page
    assert ">Show people</a>" in page
    assert "Download 2 rows to correct" in page
    assert "Rows to correct (Excel)" in page
    assert [part.width for part in JobSummary(job, counts_of(job)).bar] == ["33.33%"] * 3
    file = client.get(url(job, "rows", "to-correct", "csv"))
    assert len(b"".join(file.streaming_content).splitlines()) == 3


def test_rows_that_a_cancelled_job_did_not_send_do_not_wait(client, connection):
    job = forced(connection, JobState.CANCELLED, item(2, ItemState.DONE), item(3))
    page = shown(client, url(job))
    assert "Not sent" in page
    assert "Pending" not in page.partition('id="job-card"')[2]


def test_rows_are_found_by_state_action_and_words(client, connection):
    job = forced(
        connection,
        JobState.DONE,
        item(2, ItemState.DONE, label="anna@example.com"),
        item(3, ItemState.FAILED, label="ben@example.com", message="No licence is left."),
        item(4, ItemState.FAILED, label="carl@example.com", action="change", message="Locked."),
    )

    def found(query):
        table = shown(client, f"{url(job)}?{query}").partition('id="job-items"')[2]
        return {name for name in ("anna@", "ben@", "carl@") if f'">{name}' in table}

    assert found("") == {"anna@", "ben@", "carl@"}
    assert found("state=failed") == {"ben@", "carl@"}
    assert found("state=failed&action=change") == {"carl@"}
    assert found("q=licence") == {"ben@"}
    assert found("q=4") == {"carl@"}
    assert found("state=nonsense&action=none&page=99") == {"anna@", "ben@", "carl@"}
    assert "No results" in shown(client, f"{url(job)}?q=nobody")


def test_failures_are_reported_by_reason_and_sent_again(client, connection, work):
    job = forced(
        connection,
        JobState.DONE,
        *(item(number, ItemState.FAILED, message="No licence is left.") for number in (2, 3)),
        item(4, ItemState.FAILED, label=emails(1)[0], message="<b>Locked</b>"),
    )
    page = shown(client, url(job))
    assert "Why 3 failed" in page
    assert "state=failed&amp;q=No%20licence%20is%20left." in page
    assert "<b>Locked" not in page
    assert "Retry 3 failed rows" in page
    client.post(url(job, "retry"))
    again = work(job)
    assert again.state == JobState.DONE
    assert again.items.filter(state=ItemState.DONE, number=4).exists()


def test_refused_values_are_corrected_and_not_sent_again(client, connection):
    refused = item(2, ItemState.FAILED, message="Invalid.", problems=[["Email", "Not known."]])
    page = shown(client, url(forced(connection, JobState.DONE, refused)))
    assert "Why 1 failed" in page
    assert "jobs/retry" not in page
    assert "Retry the failed row" not in page
    assert "Correct them in the file" in page


def test_a_second_approval_does_nothing_and_complains_of_nothing(client, connection, work):
    job = work(drafted(connection, emails(1)))
    client.post(url(job, "approve"), seen(job))
    answer = client.post(url(job, "approve"), seen(job), follow=True)
    assert "data-toast" not in answer.content.decode().partition("toast-template")[0]
    assert AuditEntry.objects.filter(operation="job.approve").count() == 1


def test_only_the_plan_that_was_shown_is_approved(client, connection, work):
    job = work(drafted(connection, emails(2)))
    earlier = seen(job)
    client.post(url(job, "plan-again"))
    work(job)
    answer = client.post(url(job, "approve"), earlier, follow=True)
    assert "The preview has changed since" in answer.content.decode()
    for nothing in ({}, {"seen": ""}, {"seen": "none"}, {"seen": "-1"}):
        answer = client.post(url(job, "approve"), nothing, follow=True)
        assert "does not name the preview" in answer.content.decode()
    assert Job.objects.get().state == JobState.PLANNED
    client.post(url(job, "approve"), seen(job))
    assert Job.objects.get().state == JobState.RUNNING


def test_what_is_not_possible_now_is_reported_and_not_done(client, connection):
    job = forced(connection, JobState.DONE, item(2, ItemState.DONE))
    for act in ("pause", "resume", "cancel", "plan-again"):
        answer = client.post(url(job, act), follow=True)
        assert answer.status_code == 200
        assert "The job is done now." in answer.content.decode(), act
    answer = client.post(url(job, "pause"), headers={**SCRIPT, "HX-Current-URL": url(job)})
    assert "The job is done now." in answer.content.decode()
    assert Job.objects.get().state == JobState.DONE


def test_a_script_gets_the_page_in_place_as_it_was_narrowed(client, connection):
    job = forced(connection, JobState.RUNNING, item(2), item(3, ItemState.DONE))
    current = f"http://testserver{url(job)}?state=done"
    answer = client.post(url(job, "pause"), headers={**SCRIPT, "HX-Current-URL": current})
    fragment = answer.content.decode()
    assert "Resume" in fragment
    assert "person3@example.com" in fragment
    assert "person2@example.com" not in fragment.partition('id="job-items"')[2]


@pytest.mark.parametrize("state", [JobState.RUNNING, JobState.DONE, JobState.CANCELLED])
def test_job_with_nothing_to_do_counts_nothing(client, connection, state):
    job = forced(connection, state)
    for page in (url(job), reverse("jobs:list", args=[connection.key])):
        html = text_of(shown(client, page))
        assert "A job" in html
        assert "0 of 0" not in " ".join(html.split())


def test_said_before_a_job_is_what_is_offered_after():
    destructive = [one for one in operations() if one.effect is Effect.DESTRUCTIVE]
    for kind in job_types._JOB_TYPES.values():
        restored = [one for one in destructive if kind.reverts(one)]
        assert not restored or type(kind).undo is not JobType.undo, kind.name
        assert not any(isinstance(one.inverse, NoWayBack) for one in restored), kind.name


def test_destructive_plan_says_so_and_takes_proof_before_it_runs(connection, administrator):
    client = admin_client_for(administrator, recently=False)
    job = forced(connection, JobState.PLANNED, item(2), kind="tests.delete")
    assert "This cannot be undone" in shown(client, url(job))
    answer = client.post(url(job, "approve"), seen(job))
    assert "/account/reauthenticate/" in answer["Location"]
    assert Job.objects.get().state == JobState.PLANNED
    done = client.post(answer["Location"], {"password": PASSWORD}, follow=True)
    assert done.redirect_chain[-1][0] == url(job)
    assert Job.objects.get().state == JobState.RUNNING


def test_viewers_see_and_may_stop_but_run_nothing(connect, viewer):
    client, connection = admin_client_for(viewer), connect(viewer)
    planned = forced(connection, JobState.PLANNED, item(2))
    page = shown(client, url(planned))
    assert "Your role can view this preview but not apply it." in page
    assert 'id="act-approve"' not in page
    paused = forced(connection, JobState.PAUSED, item(2), item(3, ItemState.FAILED, message="No."))
    unknown = forced(connection, JobState.DONE, item(2, ItemState.UNKNOWN))
    page = shown(client, url(paused)) + shown(client, url(unknown))
    assert not any(f'id="{name}' in page for name in ("act-resume", "act-retry", "again-"))
    for job, act in ((planned, "approve"), (paused, "resume"), (paused, "retry")):
        assert client.post(url(job, act), seen(job)).status_code == 403
    row = unknown.items.get()
    assert client.post(url(unknown, "judge", row.pk), {"verdict": "again"}).status_code == 403
    client.post(url(paused, "cancel"))
    assert Job.objects.get(pk=paused.pk).state == JobState.CANCELLED


def test_a_connection_that_only_reads_runs_nothing(connect, administrator):
    client = admin_client_for(administrator)
    job = forced(connect(administrator, read_only=True), JobState.PLANNED, item(2))
    assert "This connection is read-only, so the changes cannot" in shown(client, url(job))
    assert client.post(url(job, "approve"), seen(job)).status_code == 403


def test_somebody_elses_job_is_not_found(connect, operator, client):
    job = forced(connect(operator), JobState.PLANNED, item(2))
    own = connect(User.objects.get(email="administrator@example.com"), "Own")
    assert client.get(url(job)).status_code == 404
    assert client.get(url(job).replace(job.connection.key, own.key)).status_code == 404


def test_a_person_settles_what_the_service_does_not_know(client, connection):
    job = forced(connection, JobState.DONE, item(2, ItemState.UNKNOWN), item(3, ItemState.UNKNOWN))
    first, second = job.items.all()
    page = shown(client, url(job))
    assert "Outcome unknown" in page
    client.post(url(job, "judge", first.pk), {"verdict": "done"})
    assert Job.objects.get().state == JobState.DONE
    client.post(url(job, "judge", second.pk), {"verdict": "again"})
    assert Job.objects.get().state == JobState.RUNNING
    states = list(job.items.values_list("state", flat=True))
    assert states == [ItemState.DONE, ItemState.PENDING]
    assert AuditEntry.objects.filter(operation="job.judge").count() == 2
    answer = client.post(url(job, "judge", second.pk), follow=True)
    assert "Mark the row as done" in answer.content.decode()


def test_waiting_is_said_with_until_when_and_why(client, connection):
    soon, later = timezone.now() + timedelta(seconds=5), timezone.now() + timedelta(minutes=5)
    lease = {"leased_until": later, "rate": 2.5, "pace": 4.0}
    job = forced(connection, JobState.RUNNING, item(2), item(3, ItemState.DONE), **lease)

    def render(**fields):
        Job.objects.update(**fields)
        return shown(client, url(job))

    assert "2.5 per second; the service allows 4.0 requests per second" in render()
    assert re.search(r"rate limited, retrying in \d s", render(waits_until=soon))
    assert "Rate limited until" in render(waits_until=later)
    assert "Daily limit. The next request is sent in" in render(trouble="Daily limit.")
    trouble = render(trouble="The service did not answer within 10 s.", openings=1)
    assert "The service did not answer within 10 s. Next attempt at" in trouble
    lost = timezone.now() - timedelta(minutes=1)
    unattended = render(leased_until=lost, waits_until=None, trouble="")
    assert "Waiting for a worker" in unattended
    assert "per second" not in unattended


def test_a_pause_says_why_and_a_plan_that_failed_too(client, connection):
    paused = forced(connection, JobState.PAUSED, item(2), reason="The token is not accepted.")
    assert "The token is not accepted. Fix the problem, then resume." in shown(client, url(paused))
    failed = forced(connection, JobState.UNPLANNABLE, reason="The table has no rows.")
    page = shown(client, url(failed))
    assert "The table has no rows." in page
    assert "Refresh preview" in page


def test_cancelling_asks_first_and_says_what_stays_done(client, connection):
    job = forced(connection, JobState.RUNNING, item(2), item(3), item(4, ItemState.DONE))
    question = shown(client, url(job, "cancel"))
    assert "1 row is done and stays done." in question
    assert "2 rows will not be sent." in question
    client.post(url(job, "cancel"))
    report = shown(client, url(job))
    assert "2 not sent" in report
    plan = forced(connection, JobState.PLANNED, item(2))
    assert "Nothing was sent and nothing was changed." in shown(client, url(plan, "cancel"))
    client.post(url(plan, "cancel"))
    assert "Nothing was sent." in shown(client, url(plan))


def test_what_is_said_aloud_changes_at_milestones_alone(client, connection):
    job = forced(connection, JobState.RUNNING, *(item(number) for number in range(2, 102)))
    said = []
    for done in range(0, 101, 5):
        job.items.filter(number__lt=2 + done).update(state=ItemState.DONE)
        page = shown(client, url(job), **SCRIPT)
        words = page.partition('id="job-milestone" role="status">')[2].partition("<")[0]
        if words not in said:
            said.append(words)
    assert said == [
        "Running.",
        "25 percent done.",
        "50 percent done.",
        "75 percent done.",
        "100 percent done.",
    ]


def test_a_job_of_a_kind_that_is_gone_can_be_looked_at_and_ended(client, connection):
    job = forced(connection, JobState.PAUSED, item(2), kind="gone.kind")
    assert "Resume" not in shown(client, url(job))
    answer = client.post(url(job, "resume"), follow=True)
    assert "made by another release of Switchboard" in answer.content.decode()
    client.post(url(job, "cancel"))
    assert Job.objects.get().state == JobState.CANCELLED


def test_the_counts_of_ended_jobs_are_kept_until_they_go_on(
    client, connection, django_assert_max_num_queries
):
    job = forced(connection, JobState.DONE, item(2, ItemState.DONE), finished_at=timezone.now())
    shown(client, url(job))
    with django_assert_max_num_queries(14) as asked:
        shown(client, url(job))
    assert not any("GROUP BY" in query["sql"] for query in asked.captured_queries)
    job.items.update(state=ItemState.FAILED)
    client.post(url(job, "retry"))
    assert "0 of 1" in shown(client, url(job))


def test_what_job_changed_is_taken_back_by_job_that_is_approved(client, connection, sandbox, work):
    users = sandbox.client.get("/users").json()["users"][:2]
    before = [sandbox.client.get(f"/users/{user['id']}").json().get("dept", "") for user in users]

    def departments():
        ids = [user["id"] for user in users]
        return [sandbox.client.get(f"/users/{key}").json().get("dept", "") for key in ids]

    parameters = {"ids": [user["id"] for user in users], "dept": "Moved"}
    origin = Origin(connection.owner)
    job = services.draft(origin, connection, "tests.department", "Move two", parameters=parameters)
    assert "Undo" not in shown(client, url(work(job)))
    client.post(url(job, "approve"), seen(job))
    work(job)
    assert departments() == ["Moved", "Moved"]
    assert "Undo" in shown(client, url(job))

    first = client.post(url(job, "take-back"), {"idempotency_key": "once"})
    second = client.post(url(job, "take-back"), {"idempotency_key": "once"})
    assert first["Location"] == second["Location"]
    back = work(Job.objects.get(stored_title="Undo: Move two"))
    plan = shown(client, url(back))
    assert "<del>Moved</del>" in plan
    assert "undoes" in plan
    assert departments() == ["Moved", "Moved"]
    client.post(url(back, "approve"), seen(back))
    work(back)
    assert departments() == before


def test_what_cannot_be_taken_back_says_so(client, connection, work):
    job = forced(connection, JobState.DONE, item(2, ItemState.DONE))
    assert "Undo" not in shown(client, url(job))
    answer = client.post(url(job, "take-back"), follow=True)
    assert "This job cannot be undone." in answer.content.decode()
    back = forced(connection, JobState.PLANNING, parameters={"takes_back": "gone"})
    assert work(back).reason == "The job to undo no longer exists."


def test_a_plan_from_a_file_is_not_thrown_away_by_planning_again(client, connection):
    job = forced(connection, JobState.PLANNED, item(2), from_file=True)
    assert "Refresh preview" not in shown(client, url(job))
    answer = client.post(url(job, "plan-again"), follow=True)
    assert "The file of this job was deleted" in answer.content.decode()
    assert Job.objects.get().state == JobState.PLANNED
    assert job.items.count() == 1
