"""Plans of imports: what a row does is known, and shown, before anything is sent."""

import pytest

from portal.access.models import User
from portal.access.roles import Role
from portal.audit.models import AuditEntry
from portal.contract.model import MASK
from portal.jobs.models import ItemState, JobFile, JobState
from tests.people.importing import changes, new_email, only, problems, states

pytestmark = pytest.mark.django_db


def test_plan_tells_creations_changes_and_unchanged_apart(plan_of, make_person, sandbox):
    same, other = make_person(dept="Sales"), make_person()
    new = new_email()
    job = plan_of(
        {"email": new, "first_name": "New", "type": "Basic", "dept": ""},
        {"email": same.email.upper(), "first_name": "Ada", "type": "Pro", "dept": ""},
        {"email": other.email, "first_name": "Grace", "type": "1", "dept": "Research"},
    )
    assert job.state == JobState.PLANNED
    assert states(job) == [(2, "create", "pending"), (3, "", "unchanged"), (4, "change", "pending")]
    assert changes(job.items.get(number=4)) == [
        ("First name", "Ada", "Grace"),
        ("Licence", "Pro", "Basic"),
        ("Department", "", "Research"),
    ]
    assert sandbox.client.get(f"/users/{new}").status_code == 404
    assert not AuditEntry.objects.filter(operation__startswith="users.").exists()


def test_all_wrong_with_table_is_shown_at_once_by_row_and_column(plan_of):
    good = new_email()
    job = plan_of(
        {"E-mail": good, "First": "x", "Licence": "Pro", "Time zone": "Europe/Berlin"},
        {"E-mail": "nobody", "Licence": "Gold", "Time zone": "Mars", "PMI": "12345"},
        {"E-mail": "", "Host key": "1234567"},
        {"E-mail": good.upper(), "Licence": "Pro"},
        {"E-mail": new_email(), "Groups": "No such group; Neither this"},
        {"E-mail": new_email(), "Password": "long enough for anyone"},
        {"E-mail": new_email(), "Password": "short", "create_action": "autoCreate"},
        {"E-mail": new_email(), "action": "deactivate"},
        {"E-mail": new_email(), "action": "explode"},
        {"E-mail": new_email(), "first_name": "x" * 65},
    )
    found = {item.number: problems(item) for item in job.items.filter(state=ItemState.INVALID)}
    assert sorted(found) == [3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert [column for column, _ in found[3]] == ["Licence", "Time zone", "E-mail", "PMI"]
    assert "exactly 10 digits" in found[3][3][1]
    assert [column for column, _ in found[4]] == ["E-mail", "Host key"]
    assert found[5] == [("E-mail", f"Row 2 has the same: {good}.")]
    assert [words for _, words in found[6]] == [
        "Group “No such group” does not exist.",
        "Group “Neither this” does not exist.",
    ]
    assert found[7][0][0] == "Password"
    assert "autoCreate" in found[7][0][1]
    assert found[8] == [("Password", "Use at least 8 characters.")]
    assert found[9] == [("E-mail", "No one on the account has this email.")]
    assert "“explode” is none of" in found[10][0][1]
    assert found[11] == [("first_name", "Use at most 64 characters.")]


def test_what_lists_do_not_report_is_asked_of_each_person(plan_of, make_person, sandbox):
    person = make_person()
    data = {"language": "en-GB", "host_key": "123456", "use_pmi": True, "vanity_name": ""}
    key = f"room-{person.id[:8].lower().strip('-_')}x"
    data["vanity_name"] = key.replace("_", "-")
    assert sandbox.client.patch(f"/users/{person.id}", json=data).status_code == 204
    row = {
        "email": person.email,
        "language": "en_GB",
        "host_key": "123456",
        "use_pmi": "yes",
        "vanity_name": str(data["vanity_name"]),
    }
    assert only(plan_of(row)).state == ItemState.UNCHANGED
    changed = only(plan_of({**row, "use_pmi": "no", "host_key": "654321"}))
    assert changes(changed) == [
        ("Host key", MASK, MASK),
        ("Use the personal meeting ID for instant meetings", "Yes", "No"),
    ]
    assert "654321" not in str(changed.data)
    assert changed.secret == {"host_key": "654321"}


def test_row_may_create_only_if_person_does_not_exist(plan_of, person):
    [item] = plan_of({"email": person.email, "action": "create"}).items.all()
    assert item.state == ItemState.INVALID
    assert "Ada Lovelace is on the account" in item.problems[0][1]


def test_create_actions_of_interface_are_understood(plan_of):
    job = plan_of(
        {"email": new_email(), "action": "ssoCreate"},
        {"email": new_email(), "action": "autoCreate", "password": "long enough for anyone"},
        {"email": new_email(), "action": ""},
        way="custCreate",
    )
    ways = [item.data["create"]["action"] for item in job.items.all()]
    assert ways == ["ssoCreate", "autoCreate", "custCreate"]


def test_passwords_are_encrypted_and_file_gone_after_planning(plan_of):
    secret = "canary-in-the-coal-mine"
    row = {"email": new_email(), "create_action": "autoCreate", "password": secret}
    job = plan_of(row)
    item = only(job)
    assert item.secret == {"password": secret}
    assert secret not in f"{item.data} {item.changes} {item.sealed} {job.parameters} {job.notes}"
    assert not JobFile.objects.filter(job=job).exists()


def test_removal_says_what_is_lost_and_needs_active_heir(plan_of, make_person, sandbox):
    heir, gone, other, third, fourth, off = (make_person() for _ in range(6))
    sandbox.client.put(f"/users/{off.id}/status", json={"action": "deactivate"})
    job = plan_of(
        {"email": gone.email, "action": "delete"},
        {"email": other.email, "action": "disassociate", "transfer_email": heir.email},
        {"email": third.email, "action": "delete", "transfer_email": gone.email},
        {"email": fourth.email, "action": "delete", "transfer_email": off.email},
        {"email": off.email, "action": "delete", "transfer_meeting": "yes"},
    )
    assert [state for _, _, state in states(job)] == ["pending", "pending", *["invalid"] * 3]
    assert ("Not transferred", "meetings, webinars, recordings", "deleted with them") in changes(
        job.items.get(number=2)
    )
    assert job.items.get(number=3).data["removal"] == {
        "action": "disassociate",
        "transfer_email": heir.email,
        "transfer_meeting": True,
        "transfer_webinar": True,
        "transfer_recording": True,
    }
    assert "removed as well" in job.items.get(number=4).problems[0][1]
    assert "active" in job.items.get(number=5).problems[0][1]
    assert "Name the colleague" in job.items.get(number=6).problems[0][1]
    assert [
        "warning",
        "1 person is removed without transferring everything they have.",
    ] in job.notes


def test_an_operator_imports_but_removes_nobody(plan_of, administrator, person):
    User.objects.filter(pk=administrator.pk).update(role=Role.OPERATOR)
    job = plan_of({"email": person.email, "action": "delete"}, {"email": new_email()})
    assert [state for _, _, state in states(job)] == ["invalid", "pending"]
    assert "Only administrators" in job.items.get(number=2).problems[0][1]


def test_groups_join_by_name_or_id_and_existing_is_no_change(plan_of, person, sandbox):
    mark = person.id[:6]
    ids = []
    for path in ("/groups", "/im/groups"):
        made = sandbox.client.post(path, json={"name": f"Group {mark}"})
        assert made.status_code == 201, made.text
        ids.append(made.json()["id"])
    row = {"email": person.email, "groups": f"group {mark.upper()}", "im group ids": ids[1]}
    item = only(plan_of(row))
    assert changes(item) == [
        ("Groups", "", f"Joins Group {mark}"),
        ("IM groups", "", f"Joins Group {mark}"),
    ]
    assert (item.data["groups"], item.data["im_groups"]) == (ids[:1], ids[1:])
    for path, key in zip(("/groups", "/im/groups"), ids, strict=True):
        body = {"members": [{"id": person.id}]}
        assert sandbox.client.post(f"{path}/{key}/members", json=body).status_code == 201
    assert only(plan_of(row)).state == ItemState.UNCHANGED


def test_missing_licences_are_reported_before_sending(plan_of, sandbox, person):
    people = sandbox.people("active", "inactive", "pending")
    used = sum(user["type"] == 2 for user in people)
    rows = [{"email": new_email(), "type": "Pro"} for _ in range(3)]
    [[tone, words]] = plan_of(*rows, seats={2: used + 1}, way="custCreate").notes
    assert tone == "bad"
    assert f"{used} of {used + 1} used, 1 free; these changes use 3." in words
    assert "2 more are needed" in words
    leaver = {"email": person.email, "type": "Basic"}
    [[tone, words]] = plan_of(*rows, leaver, seats={2: used + 2}, way="custCreate").notes
    assert (tone, "use 3 and free 1" in words) == ("warning", True)
    [[tone, words]] = plan_of(*rows, seats={2: used + 3}, way="custCreate").notes
    assert tone == "neutral"
    [[tone, words]] = plan_of(*rows, seats={}, way="custCreate").notes
    assert "total is unknown" in words


def test_department_almost_as_another_is_asked_about(plan_of, person, sandbox):
    sandbox.client.patch(f"/users/{person.id}", json={"dept": "Küche Nord"})
    names = ("KÜCHE NORD", "Kuche Nord", "Küche Nort", "Küche Nord", "Küche Süd", "Küche 1")
    names += ("Küche 2", "Ward XQ", "ward xq", "ward xq")
    job = plan_of(*({"email": new_email(), "dept": name} for name in names))
    asked = [words for tone, words in job.notes if tone == "warning" and "is the dep" in words]
    found = [(words.split(":")[0], words.split("“")[1:3]) for words in asked]
    assert [(rows, [one.split("”")[0] for one in pair]) for rows, pair in found] == [
        ("1 row", ["KÜCHE NORD", "Küche Nord"]),
        ("1 row", ["Kuche Nord", "Küche Nord"]),
        ("1 row", ["Küche Nort", "Küche Nord"]),
        ("2 rows", ["ward xq", "Ward XQ"]),
    ]
    assert "4 new departments: Küche Süd (1 person), Küche 1 (1 person)," in str(job.notes)


def test_mails_of_the_service_are_said_above_the_plan(plan_of, person):
    rows = [{"email": new_email(), "action": way} for way in ("", "create", "ssoCreate")]
    job = plan_of(*rows, {"email": person.email, "first_name": "Grace"}, {"email": "nobody"})
    assert job.notes[0] == ["neutral", "2 people are emailed an activation link."]


def test_name_beside_address_is_that_of_new_person(plan_of, person):
    new, other = new_email("new"), new_email("other")
    cells = [f"King, Ada <{new}>", f"Grace Hopper <{person.email}>", f"Alan Turing <{other}>"]
    job = plan_of(*({"email": cell, "dept": "Sales", "last_name": ""} for cell in cells[:2]))
    [created, changed] = job.items.all()
    assert created.data["create"]["user_info"] == {
        "email": new, "first_name": "Ada", "last_name": "King", "type": 1,
    }  # fmt: skip
    assert changes(created)[:2] == [("First name", "", "Ada"), ("Last name", "", "King")]
    assert (created.data["name"], changed.data["name"]) == ("Ada King", person.name)
    assert [title for title, _, _ in changes(changed)] == ["Department"]
    named = only(plan_of({"email": cells[2], "last_name": "Mathison"}))
    assert named.data["name"] == "Mathison"
