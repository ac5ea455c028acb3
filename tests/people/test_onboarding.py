"""Onboarding templates: kept for departments, applied to new people and to chosen ones, undone."""

from secrets import token_hex

import pytest
from django.urls import reverse

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.imports import sheets
from portal.jobs import services, undoing
from portal.jobs.models import Job, JobState
from portal.people.imports.columns import mapping_of, names_in
from portal.people.imports.jobs import draft
from portal.people.models import OnboardingTemplate
from portal.people.onboarding import templates as onboarding
from portal.people.onboarding.jobs import KIND
from portal.people.services.groups import GROUPS
from tests.people.importing import table_of
from tests.support.html import form_with, text_of
from tests.support.jobs import approve

pytestmark = pytest.mark.django_db


@pytest.fixture
def group(make_group):
    return make_group(GROUPS)


@pytest.fixture
def assistant(make_person):
    return make_person(first_name="Alan")


@pytest.fixture
def department():
    return f"Sales {token_hex(4)}"


@pytest.fixture
def template(connection, group, assistant, department):
    wanted = {
        "name": "Sales",
        "departments": [department],
        "licence": 2,
        "groups": [[group.id, group.name]],
        "im_groups": [],
        "assistants": [[assistant.id, assistant.name]],
        "settings": {"in_meeting.chat": True, "in_meeting.annotation": True},
    }
    made = OnboardingTemplate(connection=connection)
    onboarding.save(Origin(connection.owner), made, wanted)
    return made


def assistants_of(sandbox, user_id):
    listed = sandbox.client.get(f"/users/{user_id}/assistants").json()["assistants"]
    return {one["id"] for one in listed}


def saved(client, connection, **given):
    url = reverse("people:onboarding-new", args=[connection.key])
    form = form_with(client.get(url).content.decode(), "new_departments")
    return client.post(url, {**form.values, **given})


def test_a_template_is_added_changed_and_deleted_with_a_trace(client, connection, group):
    given = {"name": "Support", "new_departments": "Help; Desk;Help", "groups": [group.id]}
    answer = saved(client, connection, **given, **{"in_meeting.chat": "true"}, licence="2")
    assert answer.status_code == 303, text_of(answer.content.decode())
    made = OnboardingTemplate.objects.get()
    assert (made.departments, made.licence) == (["Help", "Desk"], 2)
    assert made.groups == [[group.id, group.name]]
    assert made.settings == {"in_meeting.chat": True}
    said = text_of(client.get(reverse("people:onboarding", args=[connection.key])).text)
    for words in ("Support", "Help, Desk", "Licence: Pro", group.name, "1 setting"):
        assert words in said
    url = reverse("people:onboarding-edit", args=[connection.key, made.pk])
    form = form_with(client.get(url).content.decode(), "new_departments")
    assert form.values["in_meeting.chat"] == "true"
    kept = {"departments": ["Help", "Desk"], "groups": [group.id], "licence": ""}
    answer = client.post(url, form.values | kept)
    assert answer.status_code == 303, text_of(answer.content.decode())
    made.refresh_from_db()
    assert made.departments == ["Help", "Desk"]
    assert (made.licence, made.settings) == (None, {"in_meeting.chat": True})
    client.post(reverse("people:onboarding-delete", args=[connection.key, made.pk]))
    assert not OnboardingTemplate.objects.exists()
    acts = AuditEntry.objects.filter(operation__contains="onboarding").order_by("sequence")
    assert [each.operation.partition(".")[2] for each in acts] == [
        "onboarding",
        "onboarding",
        "remove_onboarding",
    ]


def test_a_name_and_a_department_are_one_templates(client, connection, template, department):
    answer = saved(client, connection, name="sales", new_departments="Other")
    assert answer.status_code == 422
    assert "has this name" in text_of(answer.text)
    answer = saved(client, connection, name="Second", new_departments=department.upper())
    assert answer.status_code == 422
    assert "is for this department" in text_of(answer.text)
    assert form_with(answer.text, "new_departments").values["name"] == "Second"
    assert OnboardingTemplate.objects.get() == template


def test_a_template_names_what_is_gone(client, connection, template, group, work):
    group.delete()
    person = template.assistants[0][0]
    job = applied(client, connection, template, person)
    item = work(job).items.get(action="group.join")
    assert item.state == "invalid"
    assert "not on the account any more" in str(item.problems)


def applied(client, connection, template, *ids):
    url = reverse("people:chosen-onboard", args=[connection.key])
    chosen = {"chosen": list(ids), "matching": ""}
    form = form_with(client.post(url, chosen).content.decode(), "confirmed")
    answer = client.post(url, {**form.values, **chosen, "template": str(template.pk)})
    assert answer.status_code == 303, text_of(answer.content.decode())
    return Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2])


def test_chosen_people_get_what_differs_and_it_can_be_undone(
    client, template, make_person, work, sandbox
):
    connection = template.connection
    person = make_person(type=1)
    person.set(in_meeting={"chat": False, "annotation": False})
    group, assistant = template.groups[0][0], template.assistants[0][0]
    job = work(applied(client, connection, template, person.id))
    assert job.state == JobState.PLANNED, job.reason
    assert [item.action for item in job.items.all()] == [
        "licence.change",
        "settings.change",
        "group.join",
        "assistant.add",
    ]
    approve(job)
    job = work(job)
    assert set(job.items.values_list("state", flat=True)) == {"done"}
    assert person.now()["type"] == 2
    assert group in person.now()["group_ids"]
    assert assistants_of(sandbox, person.id) == {assistant}
    assert person.settings()["in_meeting"]["annotation"] is True
    again = work(applied(client, connection, template, person.id))
    assert set(again.items.values_list("state", flat=True)) == {"unchanged"}
    back = work(undoing.undo(job, Origin(connection.owner)))
    approve(back)
    back = work(back)
    assert set(back.items.values_list("state", flat=True)) == {"done"}
    assert person.now()["type"] == 1
    assert group not in (person.now().get("group_ids") or [])
    assert not assistants_of(sandbox, person.id)
    assert person.settings()["in_meeting"]["annotation"] is False
    assert person.settings()["in_meeting"]["chat"] is False


@pytest.mark.parametrize("chooses", ["", "none"])
def test_new_person_gets_template_of_department_by_default(
    client, template, chooses, work, sandbox
):
    connection, [department] = template.connection, template.departments
    url = reverse("people:create", args=[connection.key])
    html = client.get(url).content.decode()
    assert "Licence: Pro" in text_of(html)
    email = f"{token_hex(6)}@brightwater.example"
    given = {"action": "custCreate", "user_info.email": email, "user_info.type": "1"}
    form = form_with(html, "user_info.email").values
    answer = client.post(url, {**form, **given, "dept": department, "template": chooses})
    assert answer.status_code == 303, text_of(answer.content.decode())
    jobs = Job.objects.filter(kind=KIND)
    assert jobs.exists() == (not chooses)
    if chooses:
        return
    job = work(jobs.get())
    assert job.state == JobState.DONE, job.reason
    person = sandbox.client.get(f"/users/{email}").json()
    assert person["type"] == 2
    assert template.groups[0][0] in person["group_ids"]
    assert assistants_of(sandbox, person["id"]) == {template.assistants[0][0]}


def test_import_gives_new_people_template_once(template, work, sandbox):
    connection, [department] = template.connection, template.departments
    emails = [f"{token_hex(6)}@brightwater.example" for _ in range(3)]
    departments = (department, department.lower(), "Elsewhere")
    rows = [{"email": one, "dept": dept} for one, dept in zip(emails, departments, strict=True)]
    table = sheets.read(table_of(*rows))
    mapping = mapping_of(names_in(table.headers), table.headers)
    job = work(draft(Origin(connection.owner), connection, table, mapping, onboards=True))
    assert any("2 new people get the onboarding template Sales" in words for _, words in job.notes)
    approve(job)
    assert work(job).state == JobState.DONE
    follow_up = work(Job.objects.get(kind=KIND))
    assert follow_up.state == JobState.DONE, follow_up.reason
    for email, has_it in zip(emails, (True, True, False), strict=True):
        person = sandbox.client.get(f"/users/{email}").json()
        groups = person.get("group_ids") or []
        assert (template.groups[0][0] in groups) is has_it
    services.retry_failed(Job.objects.get(pk=job.pk), Origin(connection.owner))
    work(job)
    assert Job.objects.filter(kind=KIND).count() == 1
