"""A change is undone from its page: what goes back and what stays is shown before it is done."""

import threading
import uuid

import pytest
from django.db import connections as databases
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.audit.reading import lines, undone_by
from portal.client import ApiError
from portal.connections.api import api_for
from portal.contract.groups import NewGroup
from portal.contract.user_settings import InMeeting, UserSettingsUpdate
from portal.contract.users import (
    LicenceType,
    PasswordChange,
    StatusAction,
    StatusChange,
    User as Person,
    UserRemoval,
    UserStatus,
    UserUpdate,
)
from portal.directory import groups, users
from portal.directory.models import MirroredGroup, MirroredUser
from portal.jobs import services
from portal.people.services.groups import GROUPS
from portal.people.services.person import refresh_person
from tests.support.fault_server import answer, depending, no_answer
from tests.support.html import form_with, text_of
from tests.support.job_types import ChangeDepartment
from tests.support.portal import admin_client_for
from tests.support.scenarios import is_gone, person
from tests.support.scopes import whole
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(administrator):
    return admin_client_for(administrator)


@pytest.fixture
def api(connection):
    return request_of(connection)


def request_of(connection, user=None):
    """The service as one request has it."""
    return api_for(scope_of(user or connection.owner, connection), request_id=uuid.uuid4().hex)


@pytest.fixture
def ann(api):
    return person(api)


def newest(operation):
    return lines().filter(operation=operation)[0]


def page_of(entry):
    return reverse("changes:undo", args=[entry.connection_key, entry.sequence])


def shown(client, entry):
    return text_of(client.get(page_of(entry)).content.decode())


def send(client, entry, **more):
    """Presses Undo on the page as it is shown."""
    html = client.get(page_of(entry)).content.decode()
    return client.post(page_of(entry), {**form_with(html, "seen").values, **more}, follow=True)


def change(api, ann):
    """A new licence and department; the entry."""
    api.users.update(ann.id, UserUpdate(type=LicenceType.BASIC, dept="Ops"))
    return newest("users.update")


def test_what_goes_back_is_shown_and_then_done(boss, api, ann):
    entry = change(api, ann)
    assert "Licence Basic Pro" in shown(boss, entry)
    assert api.users.get(ann.id).type is LicenceType.BASIC
    done = text_of(send(boss, entry).content.decode())
    assert f"“Changed a profile” of {ann.email} is undone." in done
    assert (api.users.get(ann.id).type, api.users.get(ann.id).dept) == (LicenceType.PRO, "")
    undo = newest("users.update")
    assert undo.undoes == entry
    assert undo.sent == {"type": 2, "dept": ""}


def test_undo_of_settings_names_person_and_count(boss, api, ann, connection):
    users.put(
        connection, Person(id=ann.id, email="ann@example.com", first_name="Ann", last_name="Lee")
    )
    before = api.users.settings(ann.id).in_meeting
    flipped = InMeeting(chat=not (before and before.chat))
    api.users.update_settings(ann.id, UserSettingsUpdate(in_meeting=flipped))
    entry = newest("users.update_settings")
    assert entry.object_label == "ann@example.com"
    assert "Undo 1 change to Ann Lee" in shown(boss, entry)


def test_what_somebody_else_changed_since_stays_and_says_who(boss, api, ann, connection, operator):
    entry = change(api, ann)
    share_with(connection, operator, Role.OPERATOR)
    request_of(connection, operator).users.update(ann.id, UserUpdate(dept="Legal"))
    text = shown(boss, entry)
    assert "Licence Basic Pro" in text
    assert "Changed since to “Legal”, by Operator. It stays." in text
    send(boss, entry)
    assert (api.users.get(ann.id).type, api.users.get(ann.id).dept) == (LicenceType.PRO, "Legal")


def test_what_was_changed_elsewhere_stays_too(boss, api, ann, sandbox):
    entry = change(api, ann)
    sandbox.client.patch(f"/users/{ann.id}", json={"dept": "Legal"})
    assert "to “Legal”, outside of Switchboard. It is not undone." in shown(boss, entry)


def test_where_all_is_as_it_was_nothing_is_left_to_undo(boss, api, ann):
    entry = change(api, ann)
    api.users.update(ann.id, UserUpdate(type=LicenceType.PRO, dept=""))
    html = boss.get(page_of(entry)).content.decode()
    assert "Nothing is left to undo" in text_of(html)
    assert 'name="seen"' not in html


def test_a_secret_has_no_way_back_and_is_named(boss, api, ann):
    api.users.update(ann.id, UserUpdate(host_key="654321", dept="Ops"))
    text = shown(boss, newest("users.update"))
    assert "Host key Secrets are not recorded" in text
    assert "654321" not in text
    done = text_of(send(boss, newest("users.update")).content.decode())
    assert "is undone. Stays as it is: Host key." in done
    assert (api.users.get(ann.id).host_key, api.users.get(ann.id).dept) == ("654321", "")


def test_what_has_no_way_back_says_why(boss, api, ann):
    api.users.change_password(ann.id, PasswordChange(password="correct horse 2"))
    html = boss.get(page_of(newest("users.change_password"))).content.decode()
    assert "This cannot be undone. The earlier password is not known" in text_of(html)
    assert 'name="seen"' not in html


def test_failed_or_unknown_change_is_not_undone(boss, faulty, fault_server):
    fault_server.then(answer(200, {"id": "u1"})).then(answer(400, {"message": "No."}))
    fault_server.then(answer(200, {"id": "u1"})).always(no_answer())
    words = ["It failed, so that there is nothing to undo.", "Its outcome is unknown."]
    for expected in words:
        with pytest.raises(ApiError):
            request_of(faulty).users.update("u1", UserUpdate(dept="IT"))
        assert expected in shown(boss, newest("users.update"))


def test_what_was_undone_says_so_and_is_not_undone_twice(boss, api, ann):
    entry = change(api, ann)
    html = boss.get(page_of(entry)).content.decode()
    form = form_with(html, "seen").values
    boss.post(page_of(entry), form)
    undo = undone_by(entry.sequence)
    count = AuditEntry.objects.count()
    again = boss.post(page_of(entry), form)
    assert again.status_code == 303
    assert AuditEntry.objects.count() == count
    page = boss.get(page_of(entry)).content.decode()
    assert "This was undone by Administrator" in text_of(page)
    assert undo is not None
    assert reverse("audit:entry", args=[undo.sequence]) in page


def test_an_undo_is_undone_in_turn(boss, api, ann):
    send(boss, change(api, ann))
    undo = newest("users.update")
    send(boss, undo)
    assert (api.users.get(ann.id).type, api.users.get(ann.id).dept) == (LicenceType.BASIC, "Ops")
    assert newest("users.update").undoes == undo


def test_change_since_preview_is_shown_again(boss, api, ann):
    entry = change(api, ann)
    html = boss.get(page_of(entry)).content.decode()
    api.users.update(ann.id, UserUpdate(dept="Legal"))
    said = boss.post(page_of(entry), form_with(html, "seen").values)
    assert said.status_code == 422
    assert "Something has changed since this was shown." in text_of(said.content.decode())
    assert api.users.get(ann.id).type is LicenceType.BASIC
    boss.post(page_of(entry), form_with(said.content.decode(), "seen").values)
    assert (api.users.get(ann.id).type, api.users.get(ann.id).dept) == (LicenceType.PRO, "Legal")


def test_roles_and_owners(api, ann, connect, viewer, operator):
    theirs = connect(viewer, "Theirs")
    foreign = change(api, ann)
    assert admin_client_for(viewer).get(page_of(foreign)).status_code == 404
    address = reverse("changes:undo", args=[theirs.key, foreign.sequence])
    assert admin_client_for(viewer).get(address).status_code == 404
    own = connect(operator, "Own")
    made = person(request_of(own))
    client = admin_client_for(operator)
    request_of(own).users.update(made.id, UserUpdate(dept="Ops"))
    assert client.get(page_of(newest("users.update"))).status_code == 200
    created = newest("users.create")
    assert client.get(page_of(created)).status_code == 403
    assert client.post(page_of(created), {"seen": "x"}).status_code == 403
    assert not is_gone(api, made.id)


def test_an_undo_that_deletes_needs_a_fresh_proof(administrator, api, ann):
    client = admin_client_for(administrator, recently=False)
    entry = newest("users.create")
    html = client.get(page_of(entry)).content.decode()
    answered = client.post(page_of(entry), form_with(html, "seen").values)
    assert "/reauthenticate/" in answered["Location"]
    assert not is_gone(api, ann.id)
    send(admin_client_for(administrator), entry)
    assert is_gone(api, ann.id)


def test_the_lists_know_what_was_undone(boss, api, connection, ann):
    refresh_person(api, whole(connection), ann.id, UserStatus.ACTIVE)
    api.users.update(ann.id, UserUpdate(dept="Ops"))
    refresh_person(api, whole(connection), ann.id)
    send(boss, newest("users.update"))
    assert MirroredUser.objects.get(user_id=ann.id).dept == ""
    api.users.change_status(ann.id, StatusChange(action=StatusAction.DEACTIVATE))
    send(boss, newest("users.change_status"))
    assert MirroredUser.objects.get(user_id=ann.id).status == UserStatus.ACTIVE
    group = api.groups.create(NewGroup(name=uuid.uuid4().hex))
    groups.put_written(connection, GROUPS.mirrored, group)
    send(boss, newest("groups.create"))
    assert not MirroredGroup.objects.filter(group_id=group.id).exists()


def test_refusing_service_is_quoted_and_nothing_is_undone(boss, faulty, fault_server):
    was, now = {"id": "u1", "dept": "Ops"}, {"id": "u1", "dept": "IT"}
    fault_server.then(answer(200, was)).then(answer(204))
    request_of(faulty).users.update("u1", UserUpdate(dept="IT"))
    entry = newest("users.update")
    fault_server.always(answer(200, now))
    html = boss.get(page_of(entry)).content.decode()
    fault_server.then(answer(200, now)).then(answer(200, now)).then(
        answer(400, {"message": "Not today."})
    )
    said = boss.post(page_of(entry), form_with(html, "seen").values)
    assert said.status_code == 422
    assert "Not today" in text_of(said.content.decode())
    assert undone_by(entry.sequence) is None


@pytest.mark.django_db(transaction=True)
def test_two_who_undo_at_the_same_time_do_it_once(administrator, faulty, fault_server):
    was, now = {"id": "u1", "dept": "Ops"}, {"id": "u1", "dept": "IT"}
    fault_server.then(answer(200, was)).then(answer(204))
    request_of(faulty).users.update("u1", UserUpdate(dept="IT"))
    entry = newest("users.update")
    fault_server.always(
        depending(lambda seen: answer(200, now) if seen.method == "GET" else answer(204))
    )
    clients = [admin_client_for(administrator) for _ in range(4)]
    forms = [
        form_with(client.get(page_of(entry)).content.decode(), "seen").values for client in clients
    ]
    together = threading.Barrier(len(clients))

    def post(client, values):
        def run():
            together.wait(20)
            client.post(page_of(entry), values)
            databases.close_all()

        return run

    fault_server.requests.clear()
    threads = [threading.Thread(target=post(*each)) for each in zip(clients, forms, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    writes = [seen for seen in fault_server.requests if seen.method == "PATCH"]
    assert len(writes) == 1


def test_a_person_who_is_gone_has_nothing_to_put_back(boss, api, ann):
    entry = change(api, ann)
    api.users.delete(ann.id, UserRemoval())
    assert "It is not there any more." in shown(boss, entry)


def test_what_a_job_did_is_undone_by_the_job(boss, connection):
    origin = Origin(connection.owner, request_id=uuid.uuid4().hex)
    job = services.draft(origin, connection, ChangeDepartment.name, "New department")
    sent = api_for(scope_of(connection.owner, connection), request_id=origin.request_id)
    entry = change(sent, person(sent))
    html = boss.get(page_of(entry)).content.decode()
    assert "This change was made by a job, which is undone as a whole" in text_of(html)
    assert reverse("jobs:job", args=[connection.key, job.key]) in html
    assert 'name="seen"' not in html


def test_limited_person_undoes_their_own_changes(api, ann, connection, operator):
    api.users.update(ann.id, UserUpdate(dept="Sales"))
    others = newest("users.update")
    refresh_person(api, whole(connection), ann.id, UserStatus.ACTIVE)
    share_with(connection, operator, Role.OPERATOR, departments=["Sales"])
    client = admin_client_for(operator)
    assert client.get(page_of(others)).status_code == 404
    page = reverse("people:profile-edit", args=[connection.key, ann.id, "name"])
    form = form_with(client.get(page).content.decode(), "name-dept")
    client.post(page, {**form.values, "name-first_name": "Bea"})
    own = newest("users.update")
    assert own.actor == operator
    send(client, own)
    assert api.users.get(ann.id).first_name == "Ann"
