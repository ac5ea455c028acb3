"""Changes of people by a job are taken back, unless another change came since."""

import json
from collections.abc import Callable
from typing import NamedTuple

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.contract.users import User, UserStatus
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.directory.users import UserFilter
from portal.jobs import services as jobs, undoing
from portal.jobs.models import Job, JobState
from portal.mirror.models import MirrorState
from portal.people.jobs.base import PeopleSelection
from portal.people.services.groups import GROUPS, IM_GROUPS
from tests.people.importing import new_email
from tests.support.html import form_with, text_of
from tests.support.jobs import Work, approve

pytestmark = pytest.mark.django_db

Run = Callable[..., Job]
Finish = Callable[[Job], Job]


@pytest.fixture
def two(make_person):
    return [make_person(first_name=name) for name in ("Ada", "Grace")]


@pytest.fixture
def finish(work):
    """Approves a planned job and carries it out."""

    def run(job):
        assert job.state == JobState.PLANNED, job.reason
        approve(job)
        return work(job)

    return run


@pytest.fixture
def run(connection, work, finish):
    """`run("people.status", people, action="activate")` does a job on chosen people."""

    def of(kind, people, **parameters):
        who = PeopleSelection(UserFilter(ids=[person.id for person in people])).as_parameters()
        data = {"chosen": who, **parameters}
        origin = Origin(connection.owner)
        return finish(work(jobs.draft(origin, connection, kind, "A change", parameters=data)))

    return of


class Back(NamedTuple):
    """Takes jobs back as people do: the button of a job's page, then its approval."""

    client: Client
    work: Work
    finish: Finish

    def plan(self, job: Job) -> Job:
        page = reverse("jobs:job", args=[job.connection.key, job.key])
        idempotency_key = self.client.get(page).context["idempotency_key"]
        where = reverse("jobs:take-back", args=[job.connection.key, job.key])
        answer = self.client.post(where, {"idempotency_key": idempotency_key})
        key = answer["Location"].rstrip("/").rpartition("/")[2]
        assert key != job.key
        return self.work(Job.objects.get(key=key))

    def take(self, job: Job) -> Job:
        return self.finish(self.plan(job))


@pytest.fixture
def back(client, work, finish):
    return Back(client, work, finish)


def states(job):
    return {item.object_id: item.state for item in job.items.all()}


def test_profile_is_restored_but_for_later_changes(two, run, back, sandbox):
    first, second = two
    was = first.now()
    job = run("people.profile", two, changes={"type": 1, "dept": "Legal", "timezone": "Asia/Tokyo"})
    everything = {"type": 3, "dept": "Sales", "timezone": "Europe/Paris"}
    sandbox.client.patch(f"/users/{second.id}", json=everything)
    planned = back.plan(job)
    assert states(planned) == {first.id: "pending", second.id: "invalid"}
    assert ["Licence", "Basic", "Pro"] in planned.items.get(object_id=first.id).changes
    left = planned.items.get(object_id=second.id)
    assert ["Department", "Changed since, to Sales."] in left.problems
    page = back.client.get(
        reverse("jobs:job", args=[job.connection.key, planned.key])
    ).content.decode()
    assert "Changed since, to Sales." in page
    assert "Left: changed since" in page
    assert "Has errors" not in page
    assert reverse("people:person", args=[job.connection.key, first.id]) in page
    back.finish(planned)
    now = first.now()
    for name in ("type", "dept"):
        assert (now.get(name) or "") == (was.get(name) or "")
    assert {name: second.now()[name] for name in everything} == everything
    assert MirroredUser.objects.get(user_id=first.id).type == was["type"]


def test_a_taking_back_is_taken_back_itself(two, run, back):
    job = run("people.profile", two, changes={"dept": "Legal"})
    again = back.take(job)
    assert {person.now().get("dept") or "" for person in two} == {""}
    back.take(again)
    assert {person.now()["dept"] for person in two} == {"Legal"}


def test_what_was_taken_back_is_not_offered_again_until_undone(two, run, back):
    job = run("people.profile", two, changes={"dept": "Legal"})
    page = reverse("jobs:job", args=[job.connection.key, job.key])
    drafted = back.plan(job)
    link = reverse("jobs:job", args=[job.connection.key, drafted.key])
    shown = back.client.get(page)
    assert shown.context.get("idempotency_key") is None
    assert f'Being undone by <a href="{link}">' in shown.text
    with pytest.raises(jobs.JobRefused, match="already been undone"):
        undoing.undo(job, Origin(job.owner))
    jobs.cancel(drafted, Origin(job.owner))
    assert back.client.get(page).context["idempotency_key"]
    again = back.take(job)
    assert back.client.get(page).context.get("idempotency_key") is None
    assert "Undone by" in back.client.get(page).text
    back.take(again)
    assert back.client.get(page).context["idempotency_key"]


def test_deactivated_is_active_again_except_already_or_has_left(make_person, run, back, sandbox):
    first, second, gone = make_person(), make_person(), make_person()
    job = run("people.status", [first, second, gone], action="deactivate")
    sandbox.client.put(f"/users/{second.id}/status", json={"action": "activate"})
    sandbox.client.delete(f"/users/{gone.id}", params={"action": "disassociate"})
    planned = back.plan(job)
    assert states(planned) == {first.id: "pending", second.id: "unchanged", gone.id: "invalid"}
    back.finish(planned)
    active = MirroredUser.objects.filter(user_id=first.id, status="active")
    assert active.exists()
    inactive = sandbox.people("inactive")
    assert first.id not in {user["id"] for user in inactive}


@pytest.mark.parametrize("kind", [GROUPS, IM_GROUPS], ids=["group", "im-group"])
def test_a_group_has_the_members_that_it_had(two, make_group, kind, run, back):
    group = make_group(kind)
    data = {"group_id": group.id, "group_kind": kind.mirrored.value, "group_name": group.name}
    ids = {person.id for person in two}
    joining = "people.join_group" if kind is GROUPS else "people.join_im_group"
    job = run(joining, two, **data)
    assert group.members() == ids
    back.take(job)
    assert group.members() == set()
    run(joining, two, **data)
    job = run("people.leave_group", two, **data)
    assert group.members() == set()
    back.take(job)
    assert group.members() == ids


def test_settings_are_as_before_except_what_was_changed_since(two, run, back):
    first, second = two
    for person in two:
        person.set(in_meeting={"waiting_room": False, "chat": True})
    was = [person.settings() for person in two]
    wanted = {"in_meeting": {"waiting_room": True, "chat": False}}
    job = run("people.settings", two, update=wanted)
    assert first.settings() != was[0]
    second.set(in_meeting={"chat": True, "waiting_room": True})
    back.take(job)
    assert [person.settings() for person in two] == was


def test_import_is_taken_back_but_for_who_was_created_or_removed(
    run_of, make_person, make_group, back, sandbox
):
    first, second, gone = make_person(), make_person(), make_person()
    group, created = make_group(), new_email()
    was = first.now()
    job = run_of(
        {
            "email": first.email,
            "dept": "Sales",
            "type": "Basic",
            "cms_user_id": "abc",
            "status": "inactive",
            "groups": group.name,
        },
        {"email": second.email, "dept": "Sales", "type": "Basic"},
        {
            "email": created,
            "create_action": "custCreate",
            "groups": group.name,
        },
        {"email": gone.email, "action": "delete"},
    )
    sandbox.client.patch(f"/users/{second.id}", json={"dept": "Legal"})
    said = text_of(back.client.get(job.get_absolute_url()).text)
    assert "restores the previous values of 2 people. 1 person whom the import created is" in said
    planned = back.plan(job)
    made = sandbox.client.get(f"/users/{created}").json()
    assert states(planned) == dict.fromkeys([first.id, second.id, made["id"]], "pending")
    notes = " ".join(words for _, words in planned.notes)
    page = reverse("jobs:job", args=[job.connection.key, planned.key])
    assert "1 person whom the import created stays on the account" in back.client.get(page).text
    assert "1 person whom the import created is deactivated, and keeps what they have" in notes
    assert "1 person who was removed does not come back" in notes
    done = back.finish(planned)
    assert states(done) == dict.fromkeys([first.id, second.id, made["id"]], "done")
    assert done.items.get(object_id=second.id).message == (
        "Not restored: Department. Changed since, to Legal."
    )
    now = first.now()
    for name in ("dept", "type", "cms_user_id"):
        assert (now.get(name) or "") == (was.get(name) or "")
    assert (second.now()["dept"], second.now()["type"]) == ("Legal", 2)
    assert group.members() == {made["id"]}
    inactive = sandbox.people("inactive")
    assert first.id not in {user["id"] for user in inactive}
    assert made["id"] in {user["id"] for user in inactive}
    data = User.read(json.dumps(made).encode())
    mirror.put(job.connection, data, UserStatus.PENDING)
    report = back.client.get(page)
    [pointer] = report.context["pointers"]
    assert pointer.url in report.text
    shown = back.client.get(pointer.url)
    assert [row.user_id for row in shown.context["list"].table.data] == [made["id"]]
    assert f"Created by import: {job.title}" in text_of(shown.text)
    own = back.client.get(reverse("jobs:job", args=[job.connection.key, job.key]))
    assert f'href="{pointer.url}">Show people</a>' in own.text
    mirror.drop(job.connection, made["id"])
    MirrorState.objects.filter(kind="users").update(refreshed_at=timezone.now())
    assert not back.client.get(page).context["pointers"]


def test_invitation_of_an_import_is_removed_by_its_undo(run_of, back, sandbox):
    invited = new_email()
    job = run_of({"email": invited})
    user_id = job.items.get().object_id
    planned = back.plan(job)
    assert "1 person whom the import invited, and who has not confirmed, is removed" in " ".join(
        words for _, words in planned.notes
    )
    [item] = planned.items.all()
    assert (item.action, item.changes) == ("delete", [["Person", "Pending", "Removed"]])
    done = back.finish(planned)
    assert states(done) == {user_id: "done"}
    assert sandbox.client.get(f"/users/{user_id}").status_code == 404


def test_whom_an_import_created_can_be_removed_together(run_of, client, sandbox, work, finish):
    job = run_of({"email": new_email()}, {"email": new_email()})
    ids = list(job.items.values_list("object_id", flat=True))
    for user_id in ids:
        answer = User.read(sandbox.client.get(f"/users/{user_id}").content)
        mirror.put(job.connection, answer, UserStatus.PENDING)
    chosen = {"all": "1", "matching": f"job={job.key}"}
    address = reverse("people:chosen-remove", args=[job.connection.key])
    asked = client.post(address, chosen)
    form = form_with(asked.text, "idempotency_key")
    begun = client.post(form.action, form.values | {"action": "disassociate"})
    assert begun.status_code == 303, text_of(begun.text)
    removal = finish(work(Job.objects.get(kind="people.remove")))
    assert set(states(removal)) == set(ids)
    assert set(states(removal).values()) == {"done"}


def test_import_of_host_keys_says_that_they_stay(run_of, make_person):
    job = run_of({"email": make_person().email, "host_key": "246801"})
    notes = " ".join(words for _, words in job.notes)
    assert "An undo does not bring host keys back" in notes


def test_selected_rows_are_undone_alone_and_the_rest_later(run_of, client, back, sandbox):
    job = run_of(*({"email": new_email()} for _ in range(3)))
    page = client.get(reverse("jobs:job", args=[job.connection.key, job.key])).text
    numbers = [str(item.number) for item in job.items.all()]
    assert all(f'name="chosen" value="{number}"' in page for number in numbers)
    address = reverse("jobs:take-back", args=[job.connection.key, job.key])
    part = {"idempotency_key": form_with(page, "idempotency_key").values["idempotency_key"]}
    part |= {"matching": "state=done", "kept": ""}
    assert client.post(address, part)["Location"] == job.get_absolute_url(), "without a row"
    of_other_pages = {"kept": numbers[0], "chosen": numbers[1]}
    begun = client.post(address, part | of_other_pages)
    first = back.work(Job.objects.get(key=begun["Location"].rstrip("/").rpartition("/")[2]))
    assert first.title.startswith("Undo 2 rows of: Import 3 rows")
    assert [item.number for item in first.items.all()] == [int(one) for one in numbers[:2]]
    back.finish(first)
    page = client.get(reverse("jobs:job", args=[job.connection.key, job.key])).text
    assert f'Undone in part by <a href="{first.get_absolute_url()}"' in page
    assert not back.client.get(first.get_absolute_url()).context["pointers"], "nobody stays"
    left = [number for number in numbers if f'name="chosen" value="{number}"' in page]
    assert left == numbers[2:]
    assert 'data-count="1"' in page
    part["idempotency_key"] = form_with(page, "idempotency_key").values["idempotency_key"]
    begun = client.post(address, part | {"all": "1"})
    rest = back.work(Job.objects.get(key=begun["Location"].rstrip("/").rpartition("/")[2]))
    assert [item.number for item in rest.items.all()] == [int(numbers[2])]
    back.finish(rest)
    assert not undoing.JobUndos(job).can_begin
    emails = {item.data["email"] for item in job.items.all()}
    assert not emails & {one["email"] for one in sandbox.people("active", "pending", "inactive")}


def test_each_undo_of_rows_is_named_while_one_is_open(run_of, client, back):
    job = run_of(*({"email": new_email()} for _ in range(3)))
    first, *others = [item.number for item in job.items.all()]
    origin = Origin(job.owner)
    preview = back.work(undoing.undo(job, origin, [first]))
    page = client.get(job.get_absolute_url()).text
    assert f'Being undone by <a href="{preview.get_absolute_url()}"' in page
    rest = back.finish(back.work(undoing.undo(job, origin, others)))
    page = client.get(job.get_absolute_url()).text
    assert f'Being undone by <a href="{preview.get_absolute_url()}"' in page
    assert f'Undone in part by <a href="{rest.get_absolute_url()}"' in page
    jobs.cancel(preview, origin)
    page = client.get(job.get_absolute_url())
    assert page.context["idempotency_key"]


def test_a_removal_offers_no_way_back(two, run):
    job = run("people.remove", two, how={"action": "disassociate"})
    assert set(states(job).values()) == {"done"}
    assert not undoing.JobUndos(job).can_begin
