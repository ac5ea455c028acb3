"""Defining roles: by administrators, shown before they are saved, never more than one's own."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, CustomRole, Share, User
from portal.access.roles import Role, may, resolved, rights_of
from portal.audit.changes import changes
from portal.audit.models import AuditEntry
from portal.config import clock
from portal.connections.services import shares
from portal.connections.share_words import sentence_of
from portal.contract import OPERATIONS
from portal.sign_in import second_factor
from portal.team import accounts
from portal.team.roles import services
from tests.support.html import text_of
from tests.support.mails import delivered
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

LIST = reverse("team:roles")
NEW = reverse("team:role-new")
TYPED = {"name": "Webinar team", "webinars": "write", "users": "read", "seen": "0"}
GRANTS = {"webinars": ["read", "write"], "users": ["read"]}


@pytest.fixture
def boss(administrator):
    return admin_client_for(administrator)


@pytest.fixture
def role(administrator):
    return services.define(
        Origin(administrator), name="Webinar team", description="Runs webinars", grants=GRANTS
    )


def change(actor, role, grants, **facts):
    stored = CustomRole.objects.get(pk=role.pk)
    values = {"name": stored.name, "description": "", "seen": stored.version} | facts
    return services.change(Origin(actor), role, grants=grants, **values)


def owned_by(user, name="A"):
    return Connection.objects.create(owner=user, name=name, base_url="https://a.example")


def page(response):
    return text_of(response.content.decode())


def url(name, role):
    return reverse(f"team:{name}", args=[role.key])


def last_entry():
    return AuditEntry.objects.order_by("-sequence")[0]


def test_role_is_defined_and_listed_with_its_entry_in_the_trail(boss):
    response = boss.post(NEW, TYPED)
    role = CustomRole.objects.get()
    assert response["Location"] == url("role", role)
    assert role.grants == GRANTS
    assert last_entry().operation == "role.define"
    told = " ".join(f"{one.title} {one.after}" for one in changes(last_entry()))
    assert "Webinars: view, change" in told
    listed = page(boss.get(LIST))
    assert "Webinar team" in listed
    assert "Defined here" in listed


def test_preview_shows_pages_and_acts_and_saves_nothing(boss):
    response = boss.post(NEW, TYPED | {"preview": "1"})
    assert response.status_code == 200
    shown = {section.title: section for section in response.context["sections"]}
    visible = {one.title for each in shown.values() for one in each.pages if one.is_visible}
    assert {"People", "Webinars"} <= visible
    assert not {"Meetings", "Webhooks", "Approval rules"} & visible
    assert OPERATIONS["webinars.update"].summary in shown["Sessions"].allowed
    assert OPERATIONS["webinars.delete"].summary in shown["Sessions"].refused
    assert response.context["like"] == "Operator"
    assert not CustomRole.objects.exists()


@pytest.mark.parametrize(
    "typed",
    [
        {"name": "", "webinars": "read"},
        {"name": "Empty"},
        {"name": "Operator", "webinars": "read"},
        {"name": "Betrachter", "chat": "read"},
        {"name": "More", "past_webinars": "write"},
        {"name": "More", "tracking_fields": "destructive"},
        {"name": "webinar TEAM", "webinars": "read"},
    ],
)
def test_role_without_sense_is_refused(boss, role, typed):
    assert boss.post(NEW, typed | {"seen": "0"}).status_code == 422
    assert CustomRole.objects.count() == 1


def test_change_is_shown_before_it_is_saved_for_others(boss, role, operator):
    accounts.change_role(Origin(), operator, role.key)
    typed = TYPED | {"seen": "1", "users": "", "meetings": "read"}
    shown = boss.post(url("role-edit", role), typed)
    assert shown.status_code == 422
    text = page(shown)
    assert "Gains: Meetings: view" in text
    assert "Loses: People: view" in text
    assert resolved(role.key) == resolved(CustomRole.objects.get().key)
    assert CustomRole.objects.get().version == 1
    previewed = shown.context["form"].fingerprint
    boss.post(url("role-edit", role), typed | {"previewed": previewed})
    assert CustomRole.objects.get().grants == {"webinars": ["read", "write"], "meetings": ["read"]}
    told = delivered()[-1]
    assert "No longer: People: view" in told.body
    assert told.to == [operator.email]


def test_form_of_an_outdated_page_changes_nothing(boss, administrator, role):
    change(administrator, role, {"webinars": ["read"]})
    refused = boss.post(url("role-edit", role), TYPED | {"seen": "1"})
    assert refused.status_code == 422
    assert "has changed since you opened this page" in page(refused)
    with pytest.raises(services.RoleChangeRefused):
        services.delete(Origin(administrator), role, seen=1)


def test_same_form_sent_again_writes_no_entry(administrator, role):
    count = AuditEntry.objects.count()
    assert not change(administrator, role, GRANTS, description="Runs webinars")
    assert AuditEntry.objects.count() == count


def test_role_in_use_is_not_deleted(boss, administrator, role, operator, viewer):
    accounts.change_role(Origin(), operator, role.key)
    share_with(owned_by(administrator), viewer, role.key)
    asked = boss.get(url("role-delete", role))
    assert "Operator in the team" in page(asked)
    assert "Viewer on A" in page(asked)
    assert "Delete role" not in page(asked)
    assert boss.post(url("role-delete", role), {"seen": "1"}).status_code == 422
    assert CustomRole.objects.current().exists()


def test_holders_of_a_deleted_role_get_the_one_that_was_shown(
    boss, administrator, role, operator, viewer
):
    accounts.change_role(Origin(), operator, role.key)
    share = share_with(owned_by(administrator), viewer, role.key)
    typed = {"seen": "1", "to": Role.VIEWER, "previewed": ""}
    shown = boss.post(url("role-delete", role), typed)
    assert "Operator Gains:" in page(shown)
    assert "Loses: Webinars: change" in page(shown)
    assert CustomRole.objects.current().exists()
    typed["previewed"] = shown.context["shown"]
    late = member("late@example.com", role.key)
    assert "Late Gains:" in page(boss.post(url("role-delete", role), typed))
    assert CustomRole.objects.current().exists()
    late.delete()
    assert boss.post(url("role-delete", role), typed)["Location"] == LIST
    for one in (operator, share):
        one.refresh_from_db()
        assert one.role == Role.VIEWER
    assert not CustomRole.objects.current().exists()
    told = {one.to[0]: one.body for one in delivered()}
    assert "On the connection A, Viewer has the role Viewer instead." in told[viewer.email]
    assert "You are now Viewer." in told[operator.email]
    entries = AuditEntry.objects.filter(sequence__gt=last_entry().sequence - 3)
    assert {one.operation for one in entries} == {
        "team.role",
        "connection.change_share",
        "role.delete",
    }


@pytest.mark.parametrize("to", ["", "custom-gone2345", "itself", Role.OPERATOR])
def test_role_is_not_replaced_by_what_cannot_be_given(administrator, role, to):
    owner = member("owner@example.com", Role.ADMINISTRATOR)
    share = share_with(owned_by(owner), member("v@example.com", Role.VIEWER), role.key)
    with pytest.raises(services.RoleChangeRefused):
        services.delete(Origin(administrator), role, seen=1, to=role.key if to == "itself" else to)
    share.refresh_from_db()
    assert share.role == role.key
    User.objects.filter(pk=owner.pk).update(role=Role.VIEWER)
    with pytest.raises(services.RoleChangeRefused):
        services.delete(Origin(owner), role, seen=1, to=Role.OPERATOR)


def test_share_that_is_over_does_not_hold_a_role_up(boss, administrator, role, viewer):
    share = share_with(owned_by(administrator), viewer, role.key)
    Share.objects.filter(pk=share.pk).update(ends_at=clock.now())
    assert "Nobody has this role." in page(boss.get(url("role-delete", role)))
    boss.post(url("role-delete", role), {"seen": "1"})
    assert not CustomRole.objects.current().exists()


def test_deleted_role_may_do_nothing_and_keeps_its_name(boss, role):
    boss.post(url("role-delete", role), {"seen": "1"})
    assert not CustomRole.objects.current().exists()
    assert resolved(role.key) == ""
    assert boss.get(url("role", role)).status_code == 404
    assert last_entry().object_label == "Webinar team"
    with pytest.raises(accounts.AccountChangeRefused):
        accounts.create(Origin(), email="late@example.com", role=role.key)


@pytest.mark.parametrize("who", [Role.VIEWER, Role.OPERATOR, Role.COMPLIANCE])
def test_others_than_administrators_define_nothing(role, who):
    person = member("person@example.com", who)
    for attempt in (
        lambda: services.define(Origin(person), name="X", description="", grants=GRANTS),
        lambda: change(person, role, GRANTS | {"meetings": ["read"]}),
        lambda: services.delete(Origin(person), role, seen=1),
    ):
        with pytest.raises(services.RoleChangeRefused):
            attempt()


def test_administrator_does_not_widen_their_own_share(administrator, role):
    owner = member("owner@example.com", Role.ADMINISTRATOR)
    share_with(owned_by(owner), administrator, role.key)
    wider = GRANTS | {"users": ["read", "write", "destructive"]}
    with pytest.raises(services.RoleChangeRefused, match="on A"):
        change(administrator, role, wider)
    assert change(owner, role, wider)


def test_administrator_does_not_widen_what_they_may_not_give(administrator, role, operator):
    owner = member("owner@example.com", Role.ADMINISTRATOR)
    share_with(owned_by(owner), operator, role.key)
    with pytest.raises(services.RoleChangeRefused, match="on A"):
        change(administrator, role, GRANTS | {"meetings": ["read"]})
    assert change(administrator, role, {"webinars": ["read"]})


def test_role_is_not_widened_behind_another_that_hides_it(administrator, role, operator):
    owner = member("owner@example.com", Role.ADMINISTRATOR)
    share = share_with(owned_by(owner), operator, role.key)
    webinars = CustomRole.objects.create(name="W", grants=GRANTS, created_by=administrator)
    accounts.change_role(Origin(administrator), operator, webinars.key)
    before = scope_of(operator, share.connection).role
    with pytest.raises(services.RoleChangeRefused, match="on A"):
        change(administrator, role, GRANTS | {"meetings": ["read", "write"]})
    accounts.change_role(Origin(administrator), operator, Role.OPERATOR)
    assert rights_of(scope_of(operator, share.connection).role) == rights_of(before)


def test_administrator_does_not_change_role_of_one_who_is_more(administrator, role, operator):
    owner = member("owner@example.com", Role.ADMINISTRATOR)
    accounts.change_role(Origin(), operator, role.key)
    connection = owned_by(owner)
    share_with(connection, operator, Role.OPERATOR)
    share_with(connection, administrator, Role.VIEWER)
    with pytest.raises(services.RoleChangeRefused, match="more than you"):
        change(administrator, role, {"webinars": ["read"]})


def test_member_with_a_defined_role_has_just_that(boss, role, operator):
    boss.post(reverse("team:member-role", args=[operator.pk]), {"role": role.key})
    operator.refresh_from_db()
    assert operator.get_role_display() == "Webinar team"
    assert not operator.is_administrator
    scope = scope_of(operator, owned_by(operator))
    assert {name for name, one in OPERATIONS.items() if scope.may(one)} == {
        name for name, one in OPERATIONS.items() if one.effect.value in GRANTS.get(one.family, ())
    }
    assert last_entry().sent == {"role": role.key}
    assert [one.after for one in changes(last_entry())] == ["Webinar team"]


def test_owner_gives_a_defined_role_and_no_more_than_their_own(administrator, role, operator):
    one, viewer = owned_by(operator), member("v@example.com", Role.VIEWER)
    assert role.key in shares.roles_of(operator)
    assert role.key not in shares.roles_of(viewer)
    own = owned_by(viewer, "B")
    seen = shares.version_of(own)
    with pytest.raises(shares.NotShared):
        shares.give(Origin(viewer), own, operator, role.key, seen=seen, limits={})
    share = shares.give(
        Origin(operator), one, administrator, role.key, seen=shares.version_of(one), limits={}
    )
    assert "can view and change People and Webinars as Webinar team" in sentence_of(share)


def test_role_that_was_made_up_cannot_be_given(boss, viewer):
    made_up = "custom-x=users:read,write,destructive"
    for value in (made_up, "custom-gone2345"):
        boss.post(reverse("team:member-role", args=[viewer.pk]), {"role": value})
        viewer.refresh_from_db()
        assert viewer.role == Role.VIEWER
        with pytest.raises(accounts.AccountChangeRefused):
            accounts.change_role(Origin(), viewer, value)


def test_second_factor_rule_of_operators_counts_for_a_role(role, operator, settings):
    accounts.change_role(Origin(), operator, role.key)
    assert not second_factor.is_missing(operator)
    settings.REQUIRE_SECOND_FACTOR = ["operator"]
    assert second_factor.is_missing(operator)
    states = {state.role: state.count for state in second_factor.states()}
    assert states[Role.OPERATOR] == 1


def test_command_makes_an_account_with_a_defined_role(role):
    call_command("create_admin", "--email", "new@example.com", "--role", "webinar team")
    assert User.objects.get(email="new@example.com").role == role.key


def test_pages_of_roles_are_for_administrators_alone(role, operator):
    client = admin_client_for(operator)
    for address in (LIST, NEW, url("role", role), url("role-edit", role), url("role-delete", role)):
        assert client.get(address).status_code == 403


def test_page_of_a_built_in_role_shows_what_it_may_do(boss):
    shown = boss.get(reverse("team:role", args=["viewer"]))
    assert all(not section.allowed for section in shown.context["sections"])
    assert may("viewer", OPERATIONS["users.list"])
    assert boss.get(reverse("team:role", args=["custom-gone2345"])).status_code == 404
