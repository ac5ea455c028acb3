"""Writes of the portal about people and groups are in the lists at once, and no refresh that began
before brings back earlier values."""

from secrets import token_hex

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import scope_of
from portal.connections.api import api_for
from portal.contract.groups import Group, NewGroup
from portal.contract.users import NewUser
from portal.directory import groups as groups_mirror, users as mirror
from portal.directory.models import GroupKind, MirroredGroup, MirroredUser
from portal.directory.users import UserFilter
from portal.jobs.models import JobState
from portal.mirror.mirrored_list import ListReading
from portal.people.services import creation, groups
from portal.people.services.groups import GROUPS
from portal.people.services.person import refresh_person
from tests.people.importing import new_email
from tests.support.fault_server import answer, depending, reset
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def found(client, connection, word, page):
    """Returns whether the search over everything and the list both lead to a page by this word."""
    addresses = [reverse("mirror:search", args=[connection.key])]
    name = "groups:list" if "/groups/" in page else "people:list"
    addresses.append(reverse(name, args=[connection.key]))
    shown = {page in client.get(address, {"q": word}).text for address in addresses}
    assert len(shown) == 1
    return shown.pop()


def end_of_reading(state, model, read, began):
    """A refresh ends that began then and has seen these rows alone."""
    with ListReading(state, api_for(whole(state.connection))) as reading:
        reading.begin()
        reading.began = began
        reading.forget_unseen(model, read)


def test_new_person_is_listed_at_once_and_stays(client, faulty, fault_server):
    began, word = timezone.now(), f"new{token_hex(5)}"
    made = {"id": "u-new", "email": f"{word}@example.com", "first_name": "Ada", "type": 1}

    def service(seen):
        return answer(201, made) if seen.method == "POST" else reset()

    fault_server.always(depending(service))
    info = {"email": made["email"], "first_name": "Ada", "last_name": "Byron", "type": 1}
    wanted = NewUser.model_validate({"action": "create", "user_info": info})
    creation.create(api_for(scope_of(faulty.owner, faulty)), whole(faulty), wanted)
    page = reverse("people:person", args=[faulty.key, "u-new"])
    assert found(client, faulty, word, page)
    assert found(client, faulty, "byron", page)
    assert mirror.status_of(whole(faulty), "u-new") == "pending"
    end_of_reading(mirror.state_of(faulty), MirroredUser, set(), began)
    assert found(client, faulty, word, page)
    end_of_reading(mirror.state_of(faulty), MirroredUser, set(), timezone.now())
    assert not found(client, faulty, word, page)


def test_a_new_group_is_found_at_once_and_stays(client, faulty, fault_server):
    began, word = timezone.now(), f"group{token_hex(5)}"

    def service(seen):
        group = {"id": "g-new", "name": word, "total_members": 0}
        return answer(201, group) if seen.method == "POST" else reset()

    fault_server.always(depending(service))
    wanted = NewGroup.model_validate({"name": word})
    groups.create(api_for(scope_of(faulty.owner, faulty)), faulty, GROUPS, wanted)
    page = reverse("groups:group", args=[faulty.key, "g-new"])
    assert found(client, faulty, word, page)
    end_of_reading(groups_mirror.state_of(faulty), MirroredGroup, set(), began)
    assert found(client, faulty, word, page)


def test_change_taken_back_is_not_brought_again_by_refresh(connection, make_person, make_group):
    person, group, began = make_person(dept="As it was"), make_group(), timezone.now()
    MirroredUser.objects.update(touched_at=None)  # both known for longer
    MirroredGroup.objects.update(touched_at=None)
    changed = person.details().model_copy(update={"last_name": "Changed"})
    refresh_person(api_for(whole(connection)), whole(connection), person.id)
    groups.refresh_group(api_for(whole(connection)), connection, GROUPS, group.id)
    for state, row in (
        (mirror.state_of(connection), mirror._row(connection, changed, "active")),
        (
            groups_mirror.state_of(connection),
            groups_mirror._row(connection, GroupKind.GROUP, Group(id=group.id, name="Changed")),
        ),
    ):
        with ListReading(state, api_for(whole(connection))) as reading:
            reading.begin()
            reading.began = began
            assert reading.store([row]) == 0
    assert (
        mirror.find(whole(connection), UserFilter()).get(user_id=person.id).last_name == "Lovelace"
    )


def test_rows_of_import_are_in_lists_before_it_is_over(run_of, make_person, connection, sandbox):
    word, changed, gone = new_email("imported"), make_person(), make_person()
    group = sandbox.client.post("/groups", json={"name": f"Group {word}"}).json()
    job = run_of(
        {
            "email": word,
            "first_name": "Grace",
            "last_name": "Hopper",
            "type": "basic",
            "dept": "Compilers",
            "groups": group["name"],
        },
        {"email": changed.email, "last_name": "Changed", "action": ""},
        {"email": gone.email, "action": "delete"},
    )
    assert job.state == JobState.DONE
    # No refresh has run: this is what the rows themselves have noted.
    assert mirror.state_of(connection).refreshed_at is None
    people = mirror.find(whole(connection), UserFilter())
    new = people.get(email=word)
    assert (new.name, new.dept, new.type) == ("Grace Hopper", "Compilers", 1)
    assert list(mirror.find(whole(connection), UserFilter(groups=[group["id"]]))) == [new]
    assert people.get(user_id=changed.id).name == "Ada Changed"
    assert not people.filter(user_id=gone.id).exists()
    data = sandbox.client.get(f"/users/{new.user_id}").json()
    assert (data["email"], data["dept"]) == (new.email, new.dept)
