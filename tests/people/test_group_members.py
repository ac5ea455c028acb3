"""Members of groups: listed, found, added and removed, any number, each accounted for."""

from secrets import token_hex

import pytest

from portal.access.grants import scope_of
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.contract.users import UserStatus
from portal.directory.colleagues import Colleague
from portal.directory.models import GroupKind, MirroredUser
from portal.jobs.job_types import ItemVerdict
from portal.jobs.models import Job, JobItem, JobState
from portal.people.groups import members
from portal.people.jobs.group_membership import JoinGroupJob
from portal.people.services.groups import GROUPS, IM_GROUPS, remove_members
from portal.people.services.person import refresh_person
from tests.people.test_groups import BOTH, of
from tests.support.fault_server import answer, depending, no_answer
from tests.support.html import form_with, text_of
from tests.support.people import Made
from tests.support.people_pages import part, url as person_page
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db

DASH = "\N{EN DASH}"


def _crowd(sandbox, count):
    """People whom the portal's copy does not know."""
    made = []
    for number in range(count):
        info = {
            "email": f"{token_hex(6)}@brightwater.example",
            "first_name": f"Member{number}",
            "last_name": "Crowd",
            "type": 1,
        }
        body = {"action": "custCreate", "user_info": info}
        made.append(Made(sandbox, sandbox.client.post("/users", json=body).json()))
    return made


def _is_known_in(kind, group, person):
    return group.id in getattr(MirroredUser.objects.get(user_id=person.id), kind.ids)


@BOTH
def test_members_come_page_by_page_and_are_found_by_a_search(
    client, connection, make_group, sandbox, kind
):
    group, people = make_group(kind), _crowd(sandbox, 27)
    group.put(*people)
    wanted = people[0]
    refresh_person(api_for(whole(connection)), whole(connection), wanted.id, UserStatus.ACTIVE)
    address = of(connection, group)
    first = text_of(client.get(address, {"per_page": "25"}).content.decode())
    assert "27 members" in first
    assert f"1{DASH}25 of 27" in first
    second = client.get(address, {"per_page": "25", "page": "2"}).content.decode()
    assert f"26{DASH}27 of 27" in text_of(second)
    assert second.count('class="row-link"') == 2
    beyond = text_of(client.get(address, {"per_page": "25", "page": "9"}).content.decode())
    assert f"26{DASH}27 of 27" in beyond
    found = part(client, f"{address}?q={wanted.email[:9]}", "results").content.decode()
    assert "<html" not in found
    assert "1 member found in" in text_of(found)
    assert person_page(connection, wanted) in found
    none = text_of(client.get(address, {"q": "zzz"}).content.decode())
    assert "No member of this group matches the search." in none


def test_people_are_found_ticked_and_added_without_scripts(
    client, connection, make_group, make_person
):
    group, family = make_group(), f"Hopper{token_hex(4)}"
    inside, first, second = (make_person(last_name=family) for _ in range(3))
    group.put(inside)
    refresh_person(api_for(whole(connection)), whole(connection), inside.id)
    address = of(connection, group, "members-add")
    form = form_with(client.get(address).content.decode(), "emails")
    found = client.post(address, form.values | {"search:picked": family, "find": "picked"})
    assert found.status_code == 200
    html = found.content.decode()
    assert "alert-danger" not in html
    assert first.id in html
    assert second.id in html
    assert inside.id not in html
    nothing = client.post(address, form.values)
    assert nothing.status_code == 422
    assert "Choose a person or enter an email address." in nothing.content.decode()
    assert 'aria-invalid="true" aria-describedby="id_picked_error"' in nothing.content.decode()
    assert 'id="id_picked_error"' in nothing.content.decode()
    sent = form.values | {"picked": [first.id, second.id]}
    done = client.post(address, sent, follow=True)
    assert done.redirect_chain == [(of(connection, group), 303)]
    assert f"2 people added to {group.name}." in text_of(done.content.decode())
    assert group.members() == {inside.id, first.id, second.id}
    assert _is_known_in(GROUPS, group, first)


@BOTH
def test_more_than_one_request_takes_are_added_from_pasted_list(
    client, connection, make_group, sandbox, kind
):
    group, people = make_group(kind), _crowd(sandbox, kind.most + 2)
    first, second, *others = (one.email for one in people)
    pasted = f"{people[0].name} <{first}>; {second.upper()},\t\r\n" + "\n".join(others)
    address = of(connection, group, "members-add")
    shown = client.post(address, {"emails": f"{pasted}\n{first}", "group": group.name})
    done = client.post(address, form_with(shown.text, "emails").values, follow=True)
    assert f"{len(people)} people added" in text_of(done.content.decode())
    assert group.members() == {one.id for one in people}
    added = AuditEntry.objects.filter(operation=f"{kind.family.name}.add_members", intent=None)
    assert sorted(len(entry.sent["members"]) for entry in added) == [2, kind.most]


def test_list_with_names_is_shown_before_anybody_is_added(
    client, connection, make_group, make_person
):
    group, ada, grace = make_group(GROUPS), make_person(), make_person()
    address = of(connection, group, "members-add")
    text = f"King, Ada <{ada.email}>; Grace <{grace.email}>"
    asked = client.post(address, {"emails": text, "group": group.name})
    assert asked.status_code == 422
    assert "2 people were understood" in text_of(asked.text)
    assert group.members() == set()
    form = form_with(asked.text, "emails")
    assert form.values["emails"].splitlines() == [
        f'"King, Ada" <{ada.email}>',
        f"Grace <{grace.email}>",
    ]
    client.post(address, form.values)
    assert group.members() == {ada.id, grace.id}


def test_whom_service_refuses_is_named_and_all_others_are_added(
    client, connection, make_group, sandbox
):
    group, people = make_group(IM_GROUPS), _crowd(sandbox, 11)
    strangers = [f"{token_hex(6)}@example.com" for _ in range(2)]
    emails = [one.email for one in people]
    typed = "\n".join([*emails[:3], strangers[0], *emails[3:], strangers[1]])
    address = of(connection, group, "members-add")
    refused = client.post(address, {"emails": typed, "group": group.name})
    assert refused.status_code == 422
    html = refused.content.decode()
    said = text_of(html)
    assert "11 people were added, 2 were not" in said
    for stranger in strangers:
        assert f"{stranger}: No one on the account has this ID or email." in said
    assert form_with(html, "emails").values["emails"].split() == strangers
    assert group.members() == {one.id for one in people}
    recorded = AuditEntry.objects.filter(operation="im_groups.add_members", outcome="failed")
    failures = " ".join(recorded.values_list("message", flat=True))
    assert all(f"{stranger}: " in failures for stranger in strangers)
    assert "members." not in failures
    happened = text_of(client.get("/").text)
    assert "Added members to an IM group" in happened
    assert "members to an IM group: failed" not in happened
    wrong = client.post(address, {"emails": "half@\nada@example.com", "group": group.name})
    assert "half@: Not an email address" in text_of(wrong.content.decode())


def _members_of(request):
    return [member.get("email") or member["id"] for member in request.json["members"]]


def test_later_request_fails_says_added_and_keeps_rest(client, faulty, fault_server):
    emails = [f"p{number}@example.com" for number in range(35)]
    sent: list[list[str]] = []

    def choose(request):
        if request.method == "GET":
            return answer(200, {"id": "g1", "name": "Night shift", "total_members": 3})
        sent.append(_members_of(request))
        if len(sent) == 3:
            return no_answer()
        return answer(201, {"ids": ",".join(f"id-of-{one}" for one in sent[-1])})

    fault_server.always(depending(choose))
    address = f"/c/{faulty.key}/groups/im/g1/members/add/"
    stopped = client.post(address, {"emails": "\n".join(emails), "group": "Night shift"})
    assert stopped.status_code == 422
    said = text_of(stopped.content.decode())
    assert sent == [emails[:10], emails[10:20], emails[20:30]]
    assert "20 people were added, 15 were not" in said
    assert f"Added: {', '.join(emails[:10])} and 10 more." in said
    assert f"Unknown: {', '.join(emails[20:30])}." in said
    assert "You can safely try again" in said
    assert f"Not added yet: {', '.join(emails[30:])}." in said
    assert "The connection to the conferencing service was lost" not in said  # only what to do
    kept = form_with(stopped.content.decode(), "emails").values["emails"].split()
    assert kept == emails[20:]
    entry = AuditEntry.objects.filter(operation="im_groups.add_members", intent=None)
    assert entry.count() == 3


def test_request_refused_without_name_is_tried_for_each_alone(client, faulty, fault_server):
    def choose(request):
        if request.method == "GET":
            return answer(200, {"id": "g1", "name": "Night shift"})
        if "bad@example.com" in _members_of(request):
            return answer(400, {"code": 300, "message": "Somebody is not right."})
        return answer(201, {"ids": ""})

    fault_server.always(depending(choose))
    typed = {"emails": "a@example.com\nbad@example.com\nb@example.com", "group": "Night shift"}
    refused = client.post(f"/c/{faulty.key}/groups/g1/members/add/", typed)
    said = text_of(refused.content.decode())
    assert "2 people were added, 1 was not" in said
    assert "bad@example.com: Somebody is not right." in said
    assert form_with(refused.content.decode(), "emails").values["emails"] == "bad@example.com"


def test_slow_service_ends_request_in_time_and_rest_is_kept(
    connection, make_group, sandbox, administrator
):
    group, people = make_group(), _crowd(sandbox, 3)
    wanted = [Colleague(one.id, one.name, one.email) for one in people]
    api = api_for(scope_of(connection.owner, connection))
    outcome = remove_members(api, connection, GROUPS, group.id, wanted, seconds=-1)
    assert (outcome.unsent, outcome.done, outcome.error) == (wanted, [], None)
    assert remove_members(api, connection, GROUPS, group.id, wanted).done == wanted


@BOTH
def test_chosen_members_are_removed_after_naming_them(
    client, connection, make_group, make_person, kind
):
    group = make_group(kind)
    first, second, third = (make_person(first_name=name) for name in ("Ada", "Grace", "Vera"))
    group.put(first, second, third)
    for one in (first, second, third):
        refresh_person(api_for(whole(connection)), whole(connection), one.id)
    address = of(connection, group, "members-remove")
    MirroredUser.objects.filter(user_id=second.id).delete()  # so that only the service knows them
    asked = client.post(address, {"chosen": [first.id, second.id], "kept": ""})
    said = text_of(asked.content.decode())
    assert f"{first.name}, {second.name} leave the group." in said
    assert "This can be undone" in said
    assert group.members() == {first.id, second.id, third.id}
    form = form_with(asked.content.decode(), "confirmed")
    done = client.post(address, form.values, follow=True)
    assert f"2 people removed from {group.name}." in text_of(done.content.decode())
    assert group.members() == {third.id}
    assert not _is_known_in(kind, group, first)
    assert _is_known_in(kind, group, third)
    nobody = client.post(address, {"kept": ""}, follow=True)
    assert "Nothing is selected." in text_of(nobody.content.decode())


def test_all_members_or_all_that_a_search_finds_are_removed(
    client, connection, make_group, make_person, sandbox
):
    group, word = make_group(), f"Hopper{token_hex(4)}"
    found, others = make_person(last_name=word), _crowd(sandbox, 31)
    group.put(found, *others)
    refresh_person(api_for(whole(connection)), whole(connection), found.id)
    address = of(connection, group, "members-remove")
    asked = client.post(address, {"all": "1", "matching": f"q={word}"})
    client.post(address, form_with(asked.content.decode(), "confirmed").values)
    assert group.members() == {one.id for one in others}
    asked = client.post(address, {"all": "1", "matching": ""})
    assert "Remove 31 people" in asked.content.decode()
    client.post(address, form_with(asked.content.decode(), "confirmed").values)
    assert group.members() == set()
    odd = client.post(address, {"all": "1", "matching": "dept=Sales"}, follow=True)
    assert "The list has changed since you selected." in text_of(odd.content.decode())


def test_person_joins_and_leaves_groups_on_own_page(client, connection, make_group, person):
    word = token_hex(6)
    first, second = (make_group(GROUPS, name=f"{word} {name}") for name in ("One", "Two"))
    tab = person_page(connection, person, "groups")
    join = person_page(connection, person, "groups-join")
    assert join in client.get(tab).content.decode()
    form = form_with(client.get(join).content.decode(), "search:picked")
    search = f"{join}?field=picked&search:picked={word}"
    found = part(client, search, "found")
    assert first.id in found.content.decode()
    assert "Pick a group." in client.post(join, form.values).content.decode()
    done = client.post(join, form.values | {"picked": [first.id, second.id]}, follow=True)
    said = text_of(done.content.decode())
    assert f"{person.name} is in {first.name}, {second.name} now." in said
    assert first.members() == second.members() == {person.id}
    assert _is_known_in(GROUPS, first, person)
    again = part(client, search, "found")
    assert first.id not in again.content.decode()
    leave = person_page(connection, person, "groups-leave", first.id)
    assert leave in client.get(tab).content.decode()
    assert "This can be undone" in client.get(leave).content.decode()
    gone = client.post(leave, follow=True)
    assert f"{person.name} is not in {first.name} any more." in text_of(gone.content.decode())
    assert first.members() == set()
    assert not _is_known_in(GROUPS, first, person)


def test_a_group_that_cannot_be_joined_is_named_and_stays_ticked(
    client, connection, make_group, person
):
    gone, there = make_group(IM_GROUPS), make_group(IM_GROUPS)
    gone.delete()
    join = person_page(connection, person, "im-groups-join")
    refused = client.post(join, {"picked": [there.id, gone.id]})
    assert refused.status_code == 422
    html = refused.content.decode()
    assert f"{gone.name}: It may have been deleted" in text_of(html)
    assert form_with(html, "search:picked").values["picked"] == gone.id
    assert there.members() == {person.id}


def _job_at(response):
    key = response["Location"].rstrip("/").rpartition("/")[2]
    return Job.objects.get(key=key)


def test_more_people_than_one_request_takes_need_a_job(
    client, connection, make_group, make_person, monkeypatch
):
    monkeypatch.setattr(members, "MOST_ADDED", 2)
    monkeypatch.setattr(members, "MOST_REMOVED", 2)
    group, people = make_group(IM_GROUPS), [make_person() for _ in range(3)]
    address = of(connection, group, "members-add")
    form = form_with(client.get(address).content.decode(), "emails")
    emails = "\n".join(one.email.upper() for one in people)
    stranger = f"{token_hex(6)}@example.com"
    refused = client.post(address, form.values | {"emails": f"{emails}\n{stranger}"})
    assert refused.status_code == 422
    html = refused.content.decode()
    assert f"Not in the list of people: {stranger}." in text_of(html)
    assert stranger in form_with(html, "emails").values["emails"]
    sent = form.values | {"emails": emails}
    added = client.post(address, sent)
    job = _job_at(added)
    assert (job.kind, job.state) == ("people.join_im_group", JobState.PLANNING)
    assert job.title == f"Add 3 people to {group.name}"
    assert client.post(address, sent)["Location"] == added["Location"]
    ids = {one.id for one in people}
    assert set(job.parameters["chosen"]["wanted"]["ids"]) == ids
    assert group.members() == set()

    group.put(*people)
    for one in people:
        refresh_person(api_for(whole(connection)), whole(connection), one.id)
    address = of(connection, group, "members-remove")
    asked = client.post(address, {"all": "1", "matching": ""}).content.decode()
    assert "Removing this many runs as a job" in asked
    removed = _job_at(client.post(address, form_with(asked, "confirmed").values))
    assert (removed.kind, removed.title) == (
        "people.leave_group",
        f"Remove 3 people from {group.name}",
    )
    assert removed.parameters["group_kind"] == GroupKind.IM_GROUP
    assert set(removed.parameters["chosen"]["wanted"]["ids"]) == ids
    MirroredUser.objects.filter(user_id=people[0].id).delete()
    asked = client.post(address, {"all": "1", "matching": ""}).content.decode()
    back = client.post(address, form_with(asked, "confirmed").values, follow=True)
    assert f"Not in the list of people: {people[0].name}." in text_of(back.content.decode())


def test_a_number_of_members_of_whom_none_is_listed_is_doubted(client, faulty, fault_server):
    def respond(seen):
        if seen.path.endswith("/members"):
            return answer(200, {"total_records": 97_357_439, "members": []})
        return answer(200, {"id": "g1", "name": "Sales"})

    fault_server.always(depending(respond))
    said = text_of(client.get(f"/c/{faulty.key}/groups/g1/").text)
    assert "The service reports 97,357,439 members and lists none of them here." in said
    assert said.count("97,357,439") == 1


@BOTH
def test_change_without_answer_is_settled_by_asking(
    connection, sandbox, make_person, make_group, kind
):
    api, person, group = api_for(whole(connection)), make_person(), make_group(kind)
    data = {"kind": kind.mirrored, "group_id": group.id}
    changes = [
        JobItem(object_id=person.id, action=action, data=data) for action in ("join", "leave")
    ]
    job_type = JoinGroupJob()
    before = [job_type.resolve(api, change).verdict for change in changes]
    assert before == [ItemVerdict.NOT_DONE, ItemVerdict.DONE]
    joined = sandbox.client.post(f"{group.path}/members", json={"members": [{"id": person.id}]})
    assert joined.status_code == 201
    after = [job_type.resolve(api, change).verdict for change in changes]
    assert after == [ItemVerdict.DONE, ItemVerdict.NOT_DONE]
