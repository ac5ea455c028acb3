"""Limits of a share, chosen by the owner of the connection alone."""

import pytest
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.models import Share
from portal.audit.models import AuditEntry
from portal.connections.services import shares
from portal.contract.meetings import Meetings
from portal.contract.users import Users
from portal.directory.models import GroupKind, MirroredGroup, MirroredUser
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def share(connection, operator):
    MirroredUser.objects.create(connection=connection, user_id="ada", dept="Sales", status="active")
    MirroredGroup.objects.create(
        connection=connection, kind=GroupKind.GROUP, group_id="g1", name="Help desk"
    )
    return share_with(connection, operator)


def _url(share):
    return reverse("connections:share-limits", args=[share.connection.key, share.user_id])


def test_the_owner_limits_a_share_and_its_row_says_so(share, administrator):
    client = admin_client_for(administrator)
    page = client.get(_url(share)).content.decode()
    assert "Sales" in page
    assert "Help desk" in page
    assert page.index(">People<") < page.index(">Groups<") < page.index(">Meetings<")
    assert "Live, past sessions, quality and rooms" in page
    chosen = {"families": ["users"], "departments": ["Sales"], "groups": ["g1"]}
    seen = shares.version_of(share.connection)
    answer = client.post(_url(share), {**chosen, "seen": seen}, follow=True)
    text = answer.content.decode()
    assert "Limited to People<" in text
    assert "Limited to Sales and Help desk<" in text
    scope = scope_of(share.user, share.connection)
    assert scope.may(Users.list)
    assert not scope.may(Meetings.get)
    assert (scope.departments, scope.groups) == ({"Sales"}, {"g1"})
    entry = AuditEntry.objects.order_by("-sequence")[0]
    assert entry.sent["departments"] == ["Sales"]


def test_new_share_is_limited_from_its_first_moment(share, administrator, viewer):
    client, url = (
        admin_client_for(administrator),
        reverse("connections:share-new", args=[share.connection.key]),
    )
    assert "Help desk" in client.get(url).text
    given = {"user": viewer.pk, "role": "viewer", "departments": ["Sales"]}
    given["seen"] = shares.version_of(share.connection)
    assert client.post(url, given).status_code == 302
    scope = scope_of(viewer, share.connection)
    assert (scope.departments, scope.groups) == ({"Sales"}, frozenset())
    assert AuditEntry.objects.order_by("-sequence")[0].sent["departments"] == ["Sales"]


def test_form_counts_what_they_will_see_and_saves_nothing(share, administrator, viewer):
    MirroredUser.objects.create(connection=share.connection, user_id="bob", dept="", status="")
    url = reverse("connections:share-new", args=[share.connection.key])
    client = admin_client_for(administrator)
    assert "2 of 2" in text_of(client.get(url).text)
    given = {"user": viewer.pk, "departments": ["Sales"], "families": ["users"], "preview": "1"}
    counts = text_of(client.post(url, given, headers={"HX-Request": "true"}).text)
    assert "People 1 of 2" in counts
    assert "Meetings Not visible" in counts
    assert not Share.objects.filter(user=viewer).exists()


def test_what_the_account_does_not_have_is_refused(share, administrator):
    form = {"departments": ["Nowhere"], "seen": shares.version_of(share.connection)}
    assert admin_client_for(administrator).post(_url(share), form).status_code == 422
    share.refresh_from_db()
    assert share.departments == []


def test_nobody_else_limits_it(share, operator):
    client = admin_client_for(operator)
    assert client.get(_url(share)).status_code == 404
    assert client.post(_url(share), {"families": []}).status_code == 404
