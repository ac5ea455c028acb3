"""Settings of a group's members, changed together from the group's page."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from portal.directory import groups as mirror, users
from portal.jobs.models import Job, JobState
from portal.people.services.groups import GROUPS, IM_GROUPS
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

Change = Callable[[Any], set[str]]
SETTING = "in_meeting.waiting_room"


@pytest.fixture
def people(make_person):
    return [make_person(first_name=name) for name in ("Ada", "Grace", "Emmy")]


@pytest.fixture(params=[GROUPS, IM_GROUPS], ids=lambda kind: kind.slug)
def group(request, make_group):
    """A group, and then an IM group."""
    return make_group(request.param)


def _url(connection, group, name="members-settings"):
    return reverse(f"{group.kind.slug}:{name}", args=[connection.key, group.id])


def _filled(connection, group, *members):
    """The group with these members, at the service and in the mirror."""
    group.put(*members)
    mirror.join(connection, group.kind.mirrored, group.id, [one.id for one in members])
    return group


def test_members_move_to_another_group_of_the_kind_alone(client, connection, make_person, group):
    filled = _filled(connection, group, make_person())
    page = client.get(_url(connection, filled, "members-move"), {"all": "1"}).text
    assert f"They leave {filled.name}, and stay" in page
    assert f"{filled.kind.mirrored} {filled.id}" not in page


@pytest.fixture
def change(client, work):
    """Fills in the page that was answered, and runs the job: whose settings that changed."""

    def changed(asked):
        return _changed(client, asked, work)

    return changed


def _changed(client, asked, work):
    form = form_with(asked.content.decode(), "confirmed")
    answered = client.post(form.action, form.values | {SETTING: "true"})
    assert answered.status_code == 303, text_of(answered.content.decode())
    job = work(Job.objects.get(key=answered["Location"].rstrip("/").rpartition("/")[2]))
    assert job.state == JobState.PLANNED, job.reason
    approve(job)
    assert work(job).state == JobState.DONE
    return {item.object_id for item in job.items.filter(action="change")}


def _waits(person):
    return bool(person.settings()["in_meeting"].get("waiting_room"))


def test_the_settings_of_all_members_are_changed(client, connection, group, people, change):
    ada, grace, emmy = people
    _filled(connection, group, ada, grace)
    page = client.get(_url(connection, group, "group")).content.decode()
    link = f"{_url(connection, group)}?all=1"
    assert f'href="{link}"' in page
    asked = client.get(link)
    said = text_of(asked.content.decode())
    assert "Change settings of 2 people" in said
    assert "Refresh the list of people" not in said
    assert change(asked) == {ada.id, grace.id}
    assert [_waits(person) for person in (ada, grace, emmy)] == [True, True, False]


def test_the_settings_of_selected_members_are_changed(client, connection, group, people, change):
    _filled(connection, group, *people)
    page = client.get(_url(connection, group, "group")).content.decode()
    assert f'formaction="{_url(connection, group)}"' in page
    asked = client.post(_url(connection, group), {"chosen": [people[1].id], "matching": ""})
    assert "Change settings of 1 person" in text_of(asked.content.decode())
    assert change(asked) == {people[1].id}


def test_all_that_a_search_finds_are_meant_by_all_that_match(
    client, connection, group, people, change
):
    _filled(connection, group, *people[:2])
    asked = client.post(_url(connection, group), {"all": "1", "matching": "q=grace"})
    assert change(asked) == {people[1].id}
    [job] = Job.objects.all()
    assert job.parameters["chosen"]["words"] == f"{group.kind.title}: {group.name}, Search: grace"


def test_members_unknown_to_people_are_counted(client, connection, make_group, people):
    group = _filled(connection, make_group(), people[0])
    group.put(people[1])
    said = text_of(client.get(_url(connection, group), {"all": "1"}).content.decode())
    assert "The group has 2 members, and the list of people here knows 1 of them." in said


@pytest.mark.parametrize("posted", [{}, {"all": "1", "matching": "group=other"}])
def test_selection_that_is_not_understood_leads_back_to_group(
    client, connection, make_group, people, posted
):
    group = _filled(connection, make_group(), people[0])
    answered = client.post(_url(connection, group), posted)
    assert answered["Location"] == _url(connection, group, "group")
    assert not Job.objects.exists()


def test_a_group_without_members_offers_no_settings_of_them(client, connection, make_group):
    group = make_group()
    assert _url(connection, group) not in client.get(_url(connection, group, "group")).text
    answered = client.get(_url(connection, group), {"all": "1"})
    assert answered["Location"] == _url(connection, group, "group")


def test_a_group_says_what_its_own_settings_are(client, connection, make_group):
    said = text_of(client.get(_url(connection, make_group(), "group")).text)
    assert "to a group as a whole are not shown here" in said
    said = text_of(client.get(_url(connection, make_group(IM_GROUPS), "group")).text)
    assert "to a group as a whole are not shown here" not in said


def test_a_viewer_is_not_offered_it(connect, viewer, make_group, person):
    connection = connect(viewer)
    group = make_group()
    group.put(person)
    data = person.details()
    users.put(connection, data)
    html = admin_client_for(viewer).get(_url(connection, group, "group")).text
    assert "Change settings" not in html
