"""A greater role for some hours: asked for, decided by another user, over by itself."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from portal.access.grants import AccessEnded, Watch, scope_of
from portal.access.http import Origin
from portal.access.models import Elevation, SecondFactorRule, Share
from portal.access.roles import Role
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.verifying import verify
from portal.config import clock
from portal.connections.api import api_for
from portal.connections.approval_rules import is_approver
from portal.connections.services import elevation, ending
from portal.connections.services.elevation import NotElevated
from portal.connections.standing import is_less
from portal.contract.users import Users, UserUpdate
from portal.sign_in import second_factor
from portal.team import accounts
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.mails import delivered
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
WHY = "The webhook is down tonight"


@pytest.fixture
def share(faulty, operator):
    return share_with(faulty, operator, Role.OPERATOR, departments=["Sales"])


def url(name, share):
    more = [share.user_id] if name == "share-elevation" else []
    return reverse(f"connections:{name}", args=[share.connection.key, *more])


def ask(share, role=Role.ADMINISTRATOR, hours=2):
    return elevation.ask(Origin(share.user, email=share.user.email), share, role, hours, WHY)


def approved(share, hours=2):
    asked = ask(share, hours=hours)
    owner = share.connection.owner
    return elevation.approve(Origin(owner, email=owner.email), share, asked.pk)


def decide(client, share, what, asked=None):
    pk = asked or Elevation.objects.get().pk
    return client.post(url("share-elevation", share), {"asked": pk, what: "1"})


def after(length):
    return time_machine.travel(datetime.now(UTC) + length, tick=True)


def acts():
    entries = AuditEntry.objects.filter(operation__contains="elevat").order_by("sequence")
    return [Act(entry.operation) for entry in entries]


def last_entry():
    return AuditEntry.objects.order_by("-sequence")[0]


def role_of(share):
    return scope_of(share.user, share.connection).role


def test_elevation_is_asked_approved_and_over_by_itself(share, operator, administrator):
    client = admin_client_for(operator)
    assert text_of(client.get(url("connection", share)).text).count("Ask for a greater role") == 1
    given = {"role": Role.ADMINISTRATOR, "hours": 2, "reason": WHY}
    assert client.post(url("elevation", share), given).status_code == 302
    assert role_of(share) == Role.OPERATOR
    assert "You asked to be Administrator" in text_of(client.get(url("elevation", share)).text)
    owner = admin_client_for(administrator)
    assert "Operator asks to be Administrator on Faulty" in text_of(owner.get("/").text)
    page = text_of(owner.get(url("share-elevation", share)).text)
    assert WHY in page
    assert "Limited to Sales" in page
    assert decide(owner, share, "approve").status_code == 302
    scope = scope_of(operator, share.connection)
    assert (scope.role, scope.departments) == (Role.ADMINISTRATOR, {"Sales"})
    assert "Administrator until" in text_of(owner.get(url("connection", share)).text)
    people = reverse("people:list", args=[share.connection.key])
    assert "Administrator until" in text_of(client.get(people).text)
    with after(2 * HOUR + timedelta(minutes=1)):
        assert role_of(share) == Role.OPERATOR
        for _ in range(2):
            ending.end_or_remind(share.pk)
        assert role_of(share) == Role.OPERATOR
        mails = delivered()
    assert acts() == [Act.ELEVATION_ASKED, Act.ELEVATION_APPROVED, Act.ELEVATION_ENDED]
    entry = last_entry()
    assert (entry.actor, entry.sent["reason"]) == (None, WHY)
    assert not Elevation.objects.exists()
    assert Share.objects.filter(pk=share.pk).exists()
    assert [one.to[0] for one in mails].count(operator.email) == 2
    assert [one.to[0] for one in mails].count(administrator.email) == 3


def test_work_stops_when_elevation_ends(share, operator):
    approved(share)
    watch = Watch(scope_of(operator, share.connection))
    watch()
    with after(3 * HOUR), pytest.raises(AccessEnded):
        watch()


def test_nobody_approves_their_own_request(share, operator):
    asked = ask(share)
    assert decide(admin_client_for(operator), share, "approve").status_code == 404
    with pytest.raises(NotElevated):
        elevation.approve(Origin(operator), share, asked.pk)
    assert role_of(share) == Role.OPERATOR


@pytest.fixture
def other():
    return member("other@example.com", Role.ADMINISTRATOR)


def test_another_administrator_of_whole_connection_approves(share, other):
    share_with(share.connection, other)
    ask(share)
    assert decide(admin_client_for(other), share, "approve").status_code == 302
    assert role_of(share) == Role.ADMINISTRATOR
    assert last_entry().email == other.email


@pytest.mark.parametrize(
    ("role", "limits"),
    [(Role.OPERATOR, {}), (Role.ADMINISTRATOR, {"departments": ["Sales"]})],
)
def test_who_is_less_or_limited_decides_nothing(share, other, role, limits):
    share_with(share.connection, other, role, **limits)
    asked = ask(share)
    client = admin_client_for(other)
    assert client.get(url("share-elevation", share)).status_code == 404
    assert decide(client, share, "approve").status_code == 404
    with pytest.raises(NotElevated):
        elevation.approve(Origin(other), share, asked.pk)


def test_account_that_who_asks_has_made_decides_nothing(faulty):
    asking = member("asking@example.com", Role.ADMINISTRATOR)
    share = share_with(faulty, asking, Role.OPERATOR)
    made = Origin(asking, email=asking.email)
    puppet = accounts.create(
        made, email="puppet@example.com", name="", role=Role.ADMINISTRATOR, password="x" * 20
    )
    share_with(faulty, puppet)
    asked = ask(share)
    with pytest.raises(NotElevated):
        elevation.approve(Origin(puppet), share, asked.pk)


def test_elevated_administrator_decides_about_nothing(faulty, other, operator):
    share = share_with(faulty, other, Role.OPERATOR)
    approved(share)
    assert role_of(share) == Role.ADMINISTRATOR
    assert not is_approver(other, faulty)
    theirs = share_with(faulty, operator, Role.VIEWER)
    asked = ask(theirs)
    with pytest.raises(NotElevated):
        elevation.approve(Origin(other), theirs, asked.pk)


def test_elevation_gives_no_standing_over_accounts(faulty, other):
    share = share_with(faulty, other, Role.OPERATOR)
    peer = member("peer@example.com", Role.ADMINISTRATOR)
    share_with(faulty, peer)
    approved(share)
    assert is_less(other, peer, Role.ADMINISTRATOR)
    third = member("third@example.com", Role.ADMINISTRATOR)
    share_with(faulty, third, Role.OPERATOR)
    assert is_less(third, other, Role.OPERATOR)


def test_nothing_outruns_role_of_owner(share, administrator):
    approved(share)
    administrator.role = Role.OPERATOR
    administrator.save()
    share = Share.objects.select_related("connection__owner", "user").get(pk=share.pk)
    assert role_of(share) == Role.OPERATOR
    assert elevation.roles_for(share) == []


@pytest.mark.parametrize(
    "given",
    [{"role": "viewer"}, {"role": "operator"}, {"hours": 200}, {"hours": -1}, {"reason": " "}],
)
def test_request_that_fits_nothing_is_refused(share, operator, given):
    data = {"role": Role.ADMINISTRATOR, "hours": 2, "reason": WHY, **given}
    assert admin_client_for(operator).post(url("elevation", share), data).status_code == 422
    assert not Elevation.objects.exists()


def test_owner_asks_for_nothing(share, administrator):
    client = admin_client_for(administrator)
    assert client.get(url("elevation", share)).status_code == 404
    assert client.post(url("elevation-end", share)).status_code == 404


def test_request_is_made_and_decided_once(share, administrator):
    asked = ask(share)
    with pytest.raises(NotElevated):
        ask(share)
    client = admin_client_for(administrator)
    decide(client, share, "approve")
    ends_at = Elevation.objects.get().ends_at
    decide(client, share, "approve", asked.pk)
    assert Elevation.objects.get().ends_at == ends_at
    assert acts().count(Act.ELEVATION_APPROVED) == 1


def test_page_of_an_earlier_request_approves_no_later_one(share, operator, administrator):
    earlier = ask(share, Role.ADMINISTRATOR).pk
    elevation.give_back(Origin(operator), share)
    ask(share, hours=8)
    decide(admin_client_for(administrator), share, "approve", earlier)
    assert role_of(share) == Role.OPERATOR
    assert Act.ELEVATION_WITHDRAWN in acts()


def test_declined_request_gives_nothing(share, administrator):
    ask(share)
    decide(admin_client_for(administrator), share, "stop")
    assert role_of(share) == Role.OPERATOR
    assert acts()[-1] == Act.ELEVATION_DECLINED
    assert "was declined" in delivered()[-1].body


@pytest.mark.parametrize("by", ["holder", "owner"])
def test_either_ends_it_early(share, operator, administrator, by):
    approved(share)
    if by == "owner":
        decide(admin_client_for(administrator), share, "stop")
    else:
        admin_client_for(operator).post(url("elevation-end", share))
    assert role_of(share) == Role.OPERATOR
    assert acts()[-1] == Act.ELEVATION_TAKEN_BACK


def test_request_lapses_after_a_day_and_is_approved_no_more(share, administrator):
    asked = ask(share)
    with after(25 * HOUR):
        with pytest.raises(NotElevated):
            elevation.approve(Origin(administrator), share, asked.pk)
        ending.end_or_remind(share.pk)
        assert acts()[-1] == Act.ELEVATION_LAPSED
        ask(share)


def test_elevation_ends_with_its_share(share):
    approved(share, hours=8)
    share.end_at(clock.now() + HOUR)
    share.save()
    with after(2 * HOUR):
        assert scope_of(share.user, share.connection).is_nothing
        ending.end_or_remind(share.pk)
    assert not Elevation.objects.exists()


def test_second_factor_of_a_role_is_needed_for_some_hours_too(share, operator):
    approved(share)
    assert not second_factor.is_missing(operator)
    SecondFactorRule.objects.create(role=Role.ADMINISTRATOR, since=clock.now())
    assert second_factor.is_missing(operator)
    Elevation.objects.all().delete()
    assert not second_factor.is_missing(operator)
    with pytest.raises(NotElevated, match="two-factor"):
        ask(share)


def test_trail_says_that_a_change_was_made_under_an_elevation(faulty, operator, fault_server):
    share = share_with(faulty, operator, Role.VIEWER)
    assert not scope_of(operator, faulty).may(Users.update)
    approved(share)
    fault_server.always(answer(200, {"id": "u1", "email": "ann@example.com", "type": 1}))
    api_for(scope_of(operator, faulty)).users.update("u1", UserUpdate(dept="IT"))
    entries = AuditEntry.objects.filter(operation="users.update")
    assert {entry.elevated_to for entry in entries} == {"administrator"}
    page = admin_client_for(faulty.owner).get(reverse("audit:trail"))
    assert "elevated to Administrator" in text_of(page.text)
    assert verify().problem == ""
