"""Who can see or change one object: the owner, and each colleague by their scope."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.roles import Role
from portal.contract.meetings import Meetings
from portal.contract.users import Users
from portal.directory.models import MirroredUser
from portal.directory.who_sees import access_to
from portal.recordings.models import MirroredRecording
from tests.support.html import text_of
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(faulty):
    return MirroredUser.objects.create(
        connection=faulty, user_id="ada", email="ada@example.com", dept="Sales", status="active"
    )


def answers(connection, reading=Users.get, changing=Users.update, host="ada"):
    return {
        one.user.email.partition("@")[0]: (one.sees, one.changes)
        for one in access_to(connection, host, reading, changing)
    }


def test_scopes_are_held_against_the_object(faulty, ada, operator, viewer):
    share_with(faulty, operator, Role.OPERATOR, departments=["Sales"])
    share_with(faulty, viewer, Role.VIEWER)
    share_with(faulty, member("it@example.com", Role.OPERATOR), departments=["IT"])
    share_with(faulty, member("sessions@example.com", Role.OPERATOR), families=["meetings"])
    over = share_with(faulty, member("over@example.com", Role.OPERATOR))
    over.ends_at = timezone.now() - timedelta(minutes=1)
    over.save()
    assert answers(faulty) == {
        "administrator": (True, True),
        "operator": (True, True),
        "viewer": (True, False),
        "it": (False, False),
        "sessions": (False, False),
    }
    of_meeting = answers(faulty, Meetings.get, Meetings.update)
    assert of_meeting["sessions"] == (True, True)
    assert of_meeting["it"] == (False, False)
    assert answers(faulty, host="")["operator"] == (False, False)


def test_read_only_connection_lets_nobody_change(faulty, ada):
    faulty.read_only = True
    faulty.save()
    assert answers(faulty) == {"administrator": (True, False)}


def recording_url(connection):
    MirroredRecording.objects.create(
        connection=connection, uuid="r1", host_id="ada", topic="Retro", session_id="1"
    )
    return reverse("recordings:who-sees", args=[connection.key, "r1"])


def test_page_is_for_those_who_see_shares(faulty, ada, operator, viewer):
    url = recording_url(faulty)
    second = member("second@example.com", Role.ADMINISTRATOR)
    share = share_with(faulty, operator, Role.OPERATOR)
    share.ends_at = timezone.now() + timedelta(days=3)
    share.save()
    share_with(faulty, viewer, Role.ADMINISTRATOR, departments=["Sales"])
    share_with(faulty, second)
    for allowed in (faulty.owner, second):
        page = text_of(admin_client_for(allowed).get(url).text)
        assert "Who can see or change this recording?" in page
        assert f"{share.ends_at.day} {share.ends_at:%B %Y}" in page
        assert "Limited to Sales" in page
    limited = member("limited@example.com", Role.ADMINISTRATOR)
    share_with(faulty, limited, departments=["Sales"])
    for refused in (operator, limited):
        answer = admin_client_for(refused).get(url)
        assert answer.status_code == 403
        assert "second@example.com" not in answer.text
    assert (
        admin_client_for(member("out@example.com", Role.ADMINISTRATOR)).get(url).status_code == 404
    )


@pytest.mark.parametrize("family", ["people", "meetings"])
def test_menu_leads_to_page_where_others_have_access(connection, sandbox, operator, family):
    client = admin_client_for(connection.owner)
    host = sandbox.client.get("/users").json()["users"][0]["id"]
    if family == "people":
        thing = host
    else:
        body = {"topic": "Retro", "type": 2, "start_time": "2038-01-01T10:00:00", "duration": 30}
        thing = sandbox.client.post(f"/users/{host}/meetings", json=body).json()["id"]
    name = "people:person" if family == "people" else "meetings:session"
    page, who = (
        reverse(each, args=[connection.key, thing]) for each in (name, f"{family}:who-sees")
    )
    assert who not in client.get(page).text
    share_with(connection, operator)
    assert who in client.get(page).text
    answer = text_of(client.get(who).text)
    assert "operator@example.com" in answer
    assert admin_client_for(operator).get(page).text.count(who) == 0
