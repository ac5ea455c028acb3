"""Actions on many recordings: planned, approved, carried out and undone."""

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.contract.path import encoded
from portal.jobs import services, undoing
from portal.jobs.models import Job, JobItem, JobState
from portal.recordings import holds
from portal.recordings.jobs.selection import TrashRecordingsJob
from portal.recordings.models import Hold, MirroredRecording
from tests.people.test_chosen import planned, run, states
from tests.recordings.made import available_files
from tests.support.html import form_with, text_of
from tests.support.jobs import approve

pytestmark = pytest.mark.django_db

Several = list[MirroredRecording]


def drafted(client, recordings, action, **form):
    """The job that comes of choosing in the list, then of filling the action's own form in."""
    asked = reverse(f"recordings:chosen-{action}", args=[recordings[0].connection.key])
    chosen = {"chosen": [one.uuid for one in recordings], "matching": ""}
    page = client.post(asked, chosen)
    assert page.status_code == 200, page
    own = form_with(page.text, "confirmed")
    answer = client.post(asked, {**own.values, **form})
    assert answer.status_code == 303, text_of(answer.text)
    return Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2])


def says_no_way_back(client, job):
    page = client.get(reverse("jobs:job", args=[job.connection.key, job.key]))
    return "This cannot be undone" in text_of(page.text)


def status(recording):
    return MirroredRecording.objects.get(pk=recording.pk).status


def settings_of(sandbox, recording):
    path = f"/meetings/{encoded(recording.uuid)}/recordings/settings"
    return dict(sandbox.client.get(path).json())


def set_(sandbox, recording, **values):
    path = f"/meetings/{encoded(recording.uuid)}/recordings/settings"
    assert sandbox.client.patch(path, json=values).status_code == 204


def test_recordings_go_to_the_trash_and_the_job_is_undone(client, several, sandbox, work):
    before = {one.uuid: set(available_files(sandbox, one.uuid)) for one in several}
    job = planned(work, drafted(client, several, "trash"))
    assert job.title == "Move 3 recordings to trash"
    assert any("3 recordings, " in words for _, words in job.notes)
    assert all(available_files(sandbox, one.uuid) for one in several)
    assert not says_no_way_back(client, job)
    job = run(work, job)
    assert states(job) == {"done": 3}
    assert not any(available_files(sandbox, one.uuid) for one in several)
    assert {status(one) for one in several} == {"trashed"}
    assert undoing.JobUndos(job).can_begin
    undone = planned(work, undoing.undo(job, Origin(job.owner)))
    assert {item.action for item in undone.items.all()} == {"recover"}
    assert states(run(work, undone)) == {"done": 3}
    assert {one.uuid: set(available_files(sandbox, one.uuid)) for one in several} == before
    assert {status(one) for one in several} == {"available"}


@pytest.mark.parametrize("start", ["2026-11-01T23:30:00+00:00", "2026-11-01 23:30 GMT"])
def test_time_of_a_row_is_said_where_the_reader_is(start):
    item = JobItem(data={"host": "Anna Lee", "start": start})
    with timezone.override("Europe/Berlin"), translation.override("de"):
        said = TrashRecordingsJob().about(item)
    assert said == ["Anna Lee", "2. November 2026, 00:30 (Europe/Berlin)"]


def test_undoing_brings_back_only_the_files_that_the_job_moved(client, recorded, sandbox, work):
    first, *others = available_files(sandbox, recorded.uuid)
    reverse_of = reverse(
        "recordings:recording-remove",
        args=[recorded.connection.key, recorded.uuid, first, "trash"],
    )
    assert client.post(reverse_of).status_code == 303
    job = run(work, planned(work, drafted(client, [recorded], "trash")))
    assert available_files(sandbox, recorded.uuid) == []
    run(work, planned(work, undoing.undo(job, Origin(job.owner))))
    assert set(available_files(sandbox, recorded.uuid)) == set(others)
    assert status(recorded) == "partly"


def test_what_somebody_brought_back_since_is_left_alone(client, several, sandbox, work):
    first, *_ = several
    job = run(work, planned(work, drafted(client, several, "trash")))
    path = f"/meetings/{encoded(first.uuid)}/recordings/status"
    assert sandbox.client.put(path, json={"action": "recover"}).status_code == 204
    undone = planned(work, undoing.undo(job, Origin(job.owner)))
    assert states(undone) == {"unchanged": 1, "pending": 2}


def test_recordings_are_recovered_together(client, several, sandbox, work):
    run(work, planned(work, drafted(client, several, "trash")))
    job = planned(work, drafted(client, several, "recover"))
    assert states(run(work, job)) == {"done": 3}
    assert all(available_files(sandbox, one.uuid) for one in several)


def test_deleting_for_good_takes_the_word_and_has_no_way_back(client, several, sandbox, work):
    first, *_ = several
    asked = reverse("recordings:chosen-delete", args=[first.connection.key])
    sent = {"chosen": [first.uuid], "matching": "", "confirmed": "1", "confirmation": "no"}
    assert client.post(asked, sent).status_code == 422
    job = planned(work, drafted(client, [first], "delete", confirmation="delete"))
    assert says_no_way_back(client, job)
    job = run(work, job)
    assert not undoing.JobUndos(job).can_begin
    assert available_files(sandbox, first.uuid) == []
    assert not MirroredRecording.objects.filter(pk=first.pk).exists()


def test_what_is_held_is_left_out_of_every_plan(client, several, sandbox, work):
    first, *others = several
    holds.place(Origin(first.connection.owner), first.connection, [first], "Lawsuit", None)
    for action, form in (("trash", {}), ("delete", {"confirmation": "delete"})):
        job = planned(work, drafted(client, several, action, **form))
        assert states(job) == {"invalid": 1, "pending": 2}
        item = job.items.get(state="invalid")
        assert item.object_id == first.uuid
        assert "Lawsuit" in item.problems[0][1]
    run(work, job)
    assert available_files(sandbox, first.uuid)
    assert not any(available_files(sandbox, one.uuid) for one in others)


def test_hold_that_comes_after_approval_still_stops_item(client, several, sandbox, work):
    first, *_ = several
    job = planned(work, drafted(client, several, "trash"))
    approve(job)
    holds.place(Origin(first.connection.owner), first.connection, [first], "Lawsuit", None)
    job = work(job)
    assert (job.state, states(job)) == (JobState.DONE, {"failed": 1, "done": 2})
    item = job.items.get(state="failed")
    assert (item.object_id, "Lawsuit" in item.message) == (first.uuid, True)
    assert available_files(sandbox, first.uuid)
    refused = AuditEntry.objects.get(operation="recordings.delete", object_id=first.uuid)
    assert refused.outcome == "failed"
    Hold.objects.all().delete()
    services.retry_failed(job, Origin(job.owner))
    assert states(work(job)) == {"done": 3}


def test_exposed_recordings_are_mended_and_it_is_undone(client, several, sandbox, work):
    first, second, third = several
    given = {"share_recording": "publicly", "viewer_download": True, "password": ""}
    for one in several:
        set_(sandbox, one, **given)
    set_(sandbox, third, viewer_download=False, password="own-1234")
    form = {"viewer_download": "no", "add_password": "on"}
    job = planned(work, drafted(client, several, "sharing", **form))
    assert states(job) == {"pending": 2, "unchanged": 1}
    assert any("Password" in change for change in job.items.get(object_id=first.uuid).changes)
    listed = reverse("recordings:list", args=[first.connection.key])
    exposed = text_of(client.get(listed, {"status": "exposed"}).text)
    assert "2 recordings" in exposed
    job = run(work, job)
    passwords = {settings_of(sandbox, one)["password"] for one in (first, second)}
    assert len(passwords) == 2
    assert all(passwords)
    assert settings_of(sandbox, third)["password"] == "own-1234"
    assert not settings_of(sandbox, first)["viewer_download"]
    kept = repr([list(job.items.values()), list(AuditEntry.objects.values())])
    assert not [one for one in passwords if one in kept]
    assert "0 recordings" in text_of(client.get(listed, {"status": "exposed"}).text)
    back = run(work, planned(work, undoing.undo(job, Origin(job.owner))))
    for one in (first, second):
        now = settings_of(sandbox, one)
        assert {name: now[name] for name in given} == given
    again = planned(work, undoing.undo(back, Origin(job.owner)))
    changed = {change[0] for item in again.items.all() for change in item.changes}
    assert changed == {"Downloads"}, "a password that was taken away is stored nowhere"


def test_choosing_nothing_to_change_is_said(client, recorded):
    asked = reverse("recordings:chosen-sharing", args=[recorded.connection.key])
    sent = {"chosen": [recorded.uuid], "matching": "", "confirmed": "1"}
    answer = client.post(asked, sent)
    assert answer.status_code == 422
    assert "Choose what to change" in text_of(answer.text)


def test_all_that_match_are_meant_and_what_they_take_is_said(client, several):
    asked = reverse("recordings:chosen-trash", args=[several[0].connection.key])
    html = client.post(asked, {"all": "1", "matching": ""}).text
    assert "btn-danger" not in html, "a preview destroys nothing"
    page = text_of(html)
    assert "Move 3 recordings to trash" in page
    assert "They take " in page
    one = text_of(client.post(asked, {"chosen": several[0].uuid}).text)
    assert "Move 1 recording to trash" in one
    assert "It takes " in one
    assert client.post(asked, {"all": "1", "matching": "dept=nowhere"}).status_code == 303
