"""Rows that a person leaves out of a plan: counted, shown, put back, and never sent."""

import re
from threading import Thread
from uuid import uuid4

import pytest
from django.db import connections

from portal.access import tokens
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.jobs import services
from portal.jobs.models import ItemState, JobItem, JobState
from tests.support.html import form_with
from tests.support.job_pages import SCRIPT, drafted, url
from tests.support.job_types import ChangeDepartment
from tests.support.portal import admin_client_for
from tests.support.scenarios import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def planned(connection, work):
    """A plan to create three people."""
    mark = uuid4().hex
    return work(drafted(connection, [f"{number}.{mark}@example.com" for number in range(3)]))


def seen(client, job):
    """Returns the version of the shown plan that the approving button sends."""
    return int(form_with(client.get(url(job)).text, "seen").values["seen"])


def form_of(page, row):
    """The form that the button of a row belongs to."""
    return page.partition(f'value="{row.pk}" id="row-act-')[0].rpartition('form="')[2].split('"')[0]


def test_a_row_is_left_out_of_a_plan_and_put_back(client, planned, work, sandbox):
    first, second, _third = planned.items.all()
    assert form_of(client.get(url(planned)).text, first) == "row-leave-out"
    for one in (first, second, second):
        assert client.post(url(planned, "leave-out"), {"item": one.pk}).status_code == 303
    page = client.get(url(planned)).text
    assert "exclude 2" in " ".join(page.split())
    assert ">Create 1 person</button>" in page
    assert form_of(page, first) == "row-put-back"
    listed = client.get(f"{url(planned)}?state=left_out").text
    rows = [int(pk) for pk in re.findall(r'value="(\d+)" id="row-act-', listed)]
    assert rows == [first.pk, second.pk]
    back = client.post(url(planned, "put-back"), {"item": second.pk}, headers=SCRIPT)
    assert "exclude 1" in " ".join(back.text.split())
    assert client.post(url(planned, "approve"), {"seen": seen(client, planned)}).status_code == 303
    done = work(planned)
    states = list(done.items.values_list("state", flat=True))
    assert states == [ItemState.LEFT_OUT, ItemState.DONE, ItemState.DONE]
    assert sandbox.client.get(f"/users/{first.label}").status_code == 404
    report = client.get(url(planned)).text
    assert "2 people created, 1 skipped" in report
    assert 'form="row-' not in report
    kept = AuditEntry.objects.filter(object_id=planned.key).order_by("sequence")
    assert [(one.operation, one.sent["row"]) for one in kept if "row" in (one.sent or {})] == [
        ("job.leave_out", first.number),
        ("job.leave_out", second.number),
        ("job.put_back", second.number),
    ]


def test_plan_with_rows_changed_since_is_not_approved(client, planned):
    row = planned.items.all()[0]
    with_it = seen(client, planned)
    client.post(url(planned, "leave-out"), {"item": row.pk})
    without_it = seen(client, planned)
    client.post(url(planned, "approve"), {"seen": with_it})
    planned.refresh_from_db()
    assert planned.state == JobState.PLANNED
    client.post(url(planned, "put-back"), {"item": row.pk})
    client.post(url(planned, "approve"), {"seen": without_it})
    planned.refresh_from_db()
    assert planned.state == JobState.PLANNED


def test_nothing_is_left_out_of_a_job_that_runs(client, planned, work):
    row = planned.items.all()[0]
    client.post(url(planned, "approve"), {"seen": seen(client, planned)})
    answer = client.post(url(planned, "leave-out"), {"item": row.pk}, follow=True)
    assert "The job is running now." in answer.text
    assert set(work(planned).items.values_list("state", flat=True)) == {ItemState.DONE}


@pytest.mark.django_db(transaction=True)
def test_row_left_out_during_approval_is_sent_or_left_out(administrator, planned, work, sandbox):
    row, shown = planned.items.all()[0], seen(admin_client_for(administrator), planned)

    def post(client, name, sent):
        client.post(url(planned, name), sent)
        connections.close_all()

    data = {"approve": {"seen": shown}, "leave-out": {"item": row.pk}}
    threads = [
        Thread(target=post, args=(admin_client_for(administrator), name, sent))
        for name, sent in data.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    planned.refresh_from_db()
    if planned.state == JobState.PLANNED:  # without the row it is not the plan that was shown
        client = admin_client_for(administrator)
        client.post(url(planned, "approve"), {"seen": seen(client, planned)})
    work(planned)
    row.refresh_from_db()
    was_left_out = AuditEntry.objects.filter(operation="job.leave_out").exists()
    assert row.state == (ItemState.LEFT_OUT if was_left_out else ItemState.DONE)
    was_sent = sandbox.client.get(f"/users/{row.label}").status_code == 200
    assert was_sent == (row.state == ItemState.DONE)


def test_what_was_left_out_stays_so_when_the_plan_is_made_again(connection, work):
    api = api_for(scope_of(connection.owner, connection))
    ids = [person(api).id for _ in range(2)]
    parameters = {"ids": ids, "dept": "Ops"}
    origin = Origin(connection.owner)
    kind = ChangeDepartment.name
    job = work(services.draft(origin, connection, kind, "Move", parameters=parameters))
    services.leave_out(job, job.items.get(object_id=ids[0]).pk, origin)
    services.plan_again(job, origin)
    again = work(job)
    assert dict(again.items.values_list("object_id", "state")) == {
        ids[0]: ItemState.LEFT_OUT,
        ids[1]: ItemState.PENDING,
    }


def test_secret_of_row_left_out_is_kept_no_longer_than_plan(client, planned):
    row = planned.items.all()[0]
    JobItem.objects.filter(pk=row.pk).update(sealed=tokens.seal("{}"))
    client.post(url(planned, "leave-out"), {"item": row.pk})
    assert planned.items.get(pk=row.pk).sealed
    client.post(url(planned, "approve"), {"seen": seen(client, planned)})
    assert not planned.items.get(pk=row.pk).sealed
