"""Defined roles: what they may do is what was granted, and never what no role can be given."""

from datetime import timedelta

import pytest

from portal.access.grants import Can, scope_of, scopes_of
from portal.access.http import Origin
from portal.access.mails import mail, post
from portal.access.models import Connection, CustomRole, Elevation, User
from portal.access.roles import DEFINABLE, Role, covers, least_like, lesser, may, resolved
from portal.access.scope import UNLIMITED, Scope
from portal.audit.narrowing import shown_since
from portal.audit.reading import limited_keys
from portal.config import clock
from portal.connections.services.elevation import roles_for
from portal.contract import OPERATIONS
from portal.contract.operation import Effect
from portal.team import accounts
from portal.team.roles import services
from portal.work.models import OutgoingMail
from portal.work.outbox import OUTBOX
from tests.support.mails import delivered
from tests.support.portal import member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

WEBINARS = {"webinars": ["read", "write"], "users": ["read"]}
ALL = {family: [effect.value for effect in Effect] for family in (*DEFINABLE, "chat", "billing")}


@pytest.fixture
def define(administrator):
    def make(grants=WEBINARS, name="Webinar team"):
        return CustomRole.objects.create(name=name, grants=grants, created_by=administrator)

    return make


def allowed(role):
    return {name for name, operation in OPERATIONS.items() if may(role, operation)}


def granted(grants):
    return {
        name
        for name, operation in OPERATIONS.items()
        if operation.effect.value in grants.get(operation.family, ())
    }


def test_defined_role_may_do_what_was_granted(define):
    assert allowed(define().key) == granted(WEBINARS)


def test_defined_role_has_nothing_of_administrators_alone(define):
    everything = allowed(define(ALL).key)
    assert everything == {
        name
        for name, operation in OPERATIONS.items()
        if operation.effect in DEFINABLE.get(operation.family, ())
    }
    families = {name.partition(".")[0] for name in everything}
    assert families.isdisjoint({"chat", "billing", "accounts", "webhooks"})
    assert "tracking_fields.delete" not in everything


@pytest.mark.parametrize(
    "grants", [{}, {"crystals": ["read"]}, {"webinars": ["dance"]}, {"chat": ["read"]}, ["x"], None]
)
def test_defined_role_of_unknown_grants_may_do_nothing(define, grants):
    assert not allowed(define(grants if grants is not None else "").key)


@pytest.mark.parametrize(
    "role", ["custom-gone2345", "custom-", "custom-x=", "crystal", "", "=a:read"]
)
def test_unknown_role_may_do_nothing(role):
    assert not allowed(role)
    assert not covers(Role.ADMINISTRATOR, role)
    assert lesser(Role.ADMINISTRATOR, role) == ""


def test_role_written_with_more_may_not_do_that():
    assert allowed("custom-x=chat:read;webinars:read,write,destructive;users:destroy") == granted(
        {"webinars": ["read", "write", "destructive"]}
    )


@pytest.mark.parametrize("role", Role)
def test_lesser_role_may_do_what_both_may(define, role):
    key = define({"webinars": ["read", "write", "destructive"], "users": ["read", "write"]}).key
    for both in (lesser(key, role), lesser(role, key)):
        assert allowed(both) == allowed(key) & allowed(role)
        assert covers(key, both)
        assert covers(role, both)


def test_lesser_of_two_defined_roles_is_what_both_grant(define):
    other = {"webinars": ["read"], "meetings": ["read"]}
    one, two = define(), define(other, "Meeting team")
    assert allowed(lesser(one.key, two.key)) == granted({"webinars": ["read"]})
    assert lesser(one.key, define({"devices": ["read"]}, "Devices").key) == ""


@pytest.mark.parametrize(
    ("grants", "like"),
    [
        ({"users": ["read"]}, Role.VIEWER),
        (WEBINARS, Role.OPERATOR),
        ({"webinars": ["read", "destructive"]}, Role.ADMINISTRATOR),
        ({}, Role.ADMINISTRATOR),
    ],
)
def test_second_factor_goes_by_the_gravest_effect(define, grants, like):
    assert least_like(define(grants).key) == like


def test_templates_offer_what_a_defined_role_may_call(define):
    scope = Scope(None, Connection(), define().key, UNLIMITED, UNLIMITED, UNLIMITED)
    can = Can(scope)
    assert can.webinars.update
    assert can.users.list
    assert not can.users.update
    assert not can.webinars.delete
    assert not can.meetings.get


def test_scope_is_limited_to_the_families_a_role_views(define):
    scope = Scope(None, Connection(), define().key, UNLIMITED, UNLIMITED, UNLIMITED)
    assert scope.families == {"webinars", "users"}
    assert scope.is_limited
    both = Scope(
        None, Connection(), define(name="B").key, frozenset({"users"}), UNLIMITED, UNLIMITED
    )
    assert both.families == {"users"}
    nothing = Scope(
        None, Connection(), define(name="C").key, frozenset({"devices"}), UNLIMITED, UNLIMITED
    )
    assert nothing.families
    assert not nothing.families & set(DEFINABLE)


def test_share_gives_what_role_holder_and_owner_all_may(define, administrator, viewer):
    owned = Connection.objects.create(owner=administrator, name="A", base_url="https://a.example")
    role = define()
    share_with(owned, viewer, role.key)
    assert allowed(scope_of(viewer, owned).role) == granted(
        {"webinars": ["read"], "users": ["read"]}
    )
    User.objects.filter(pk=viewer.pk).update(role=Role.OPERATOR)
    viewer.refresh_from_db()
    assert scope_of(viewer, owned).role == resolved(role.key)


def test_changed_role_changes_the_next_scope(define, administrator, operator):
    owned = Connection.objects.create(owner=administrator, name="A", base_url="https://a.example")
    role = define()
    share_with(owned, operator, role.key)
    before = scope_of(operator, owned)
    CustomRole.objects.filter(pk=role.pk).update(grants={"users": ["read"]})
    after = scope_of(operator, owned)
    assert before.may(OPERATIONS["webinars.get"])
    assert not after.may(OPERATIONS["webinars.get"])
    assert before != after
    assert before.rights != after.rights
    assert not after.covers(before.limits)


def test_deleted_role_gives_nothing(define, administrator, operator):
    owned = Connection.objects.create(owner=administrator, name="A", base_url="https://a.example")
    role = define()
    share_with(owned, operator, role.key)
    role.deleted_at = role.created_at
    role.save()
    assert scope_of(operator, owned).is_nothing


def test_scopes_read_each_defined_role_once(define, administrator, django_assert_num_queries):
    person = User.objects.create_user("p@example.com", role=define().key)
    owned = [
        Connection.objects.create(owner=person, name=name, base_url="https://a.example")
        for name in "ABC"
    ]
    with django_assert_num_queries(1):
        assert len(scopes_of(person, owned)) == 3


def test_share_by_a_defined_role_keeps_the_trail_of_others(define, administrator):
    owner = member("owner@example.com", Role.ADMINISTRATOR)
    owned = Connection.objects.create(owner=owner, name="A", base_url="https://a.example")
    share = share_with(owned, administrator, define().key)
    assert limited_keys(administrator) == [owned.key]
    share.delete()
    assert limited_keys(administrator) == [owned.key]


def test_own_work_from_before_a_role_was_narrowed_is_not_shown(define, administrator, operator):
    owned = Connection.objects.create(owner=operator, name="A", base_url="https://a.example")
    role = define()
    accounts.change_role(Origin(administrator), operator, role.key)
    given = shown_since(scope_of(operator, owned))
    assert given is not None
    services.change(
        Origin(administrator),
        role,
        name=role.name,
        description="",
        grants={"users": ["read"]},
        seen=1,
    )
    assert shown_since(scope_of(operator, owned)) > given


def test_mail_that_waits_goes_by_what_a_defined_role_still_shows(define, administrator, operator):
    owned = Connection.objects.create(owner=administrator, name="A", base_url="https://a.example")
    role = define()
    share_with(owned, operator, role.key)
    for text in ("Shown", "Hidden"):
        post(mail(text, text, operator.email), scope=scope_of(operator, owned))
        assert OutgoingMail.objects.filter(OUTBOX.supported()).exists()
        if text == "Hidden":
            CustomRole.objects.filter(pk=role.pk).update(grants={"users": ["read"]})
        sent = [one.subject for one in delivered()]
    assert OutgoingMail.objects.filter(OUTBOX.supported()).count() == 0
    assert sent == ["Shown"]


def test_elevation_from_a_defined_role_is_to_a_built_in_one(define, administrator, operator):
    owned = Connection.objects.create(owner=administrator, name="A", base_url="https://a.example")
    share = share_with(owned, operator, define().key)
    assert roles_for(share) == [Role.OPERATOR, Role.ADMINISTRATOR]
    now = clock.now()
    Elevation.objects.create(
        share=share,
        role=Role.ADMINISTRATOR,
        hours=1,
        reason="x",
        lapses_at=now,
        ends_at=now + timedelta(hours=1),
    )
    assert scope_of(operator, owned).elevated_to == Role.ADMINISTRATOR
    accounts.change_role(Origin(), operator, define(ALL, "All").key)
    limits = {"role": define({"users": ["read"]}, "Users").key}
    User.objects.filter(pk=administrator.pk).update(**limits)
    scope = scope_of(operator, Connection.objects.select_related("owner").get())
    assert scope.elevated_to == ""
    assert allowed(scope.role) == granted({"users": ["read"]})
