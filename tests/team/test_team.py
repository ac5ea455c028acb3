"""The team: invitations, changes, and that no administrator locks all of them out."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import User
from portal.access.roles import Role
from portal.audit.reading import lines
from portal.team import accounts
from tests.support.portal import PASSWORD, admin_client_for, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(administrator):
    """A client of the administrator."""
    return admin_client_for(administrator)


def said(response):
    return " ".join(str(message) for message in get_messages(response.wsgi_request))


def invite(boss, email="new@example.com"):
    typed = {"email": email, "name": "Newcomer", "role": "operator"}
    return boss.post(reverse("team:invite"), typed)


def do(boss, what, user, **typed):
    return boss.post(reverse(f"team:member-{what}", args=[user.pk]), typed)


def is_in(client):
    return client.get("/connections/").status_code == 200


def test_an_invitation_is_emailed_and_shown_once(boss, mailoutbox):
    page = invite(boss).content.decode()
    link = re.findall(r"http://testserver/account/password/reset/key/[^<\s\"]+", page)[0]
    assert link in mailoutbox[0].body
    assert mailoutbox[0].to == ["new@example.com"]
    user = User.objects.get(email="new@example.com")
    assert (user.name, user.role, user.has_usable_password()) == ("Newcomer", "operator", False)
    assert EmailAddress.objects.get(user=user).verified
    page = boss.get(reverse("team:member", args=[user.pk])).content.decode()
    assert "/reset/key/" not in page
    assert "Invited" in page


def test_the_link_sets_a_password_and_signs_in(boss, mailoutbox):
    invite(boss)
    link = re.findall(r"http://testserver(\S+/key/\S+)", mailoutbox[0].body)[0]
    client = Client()
    form = client.get(link)["Location"]
    client.post(form, {"password1": PASSWORD, "password2": PASSWORD})
    client.post(reverse("account_login"), {"login": "new@example.com", "password": PASSWORD})
    assert is_in(client)


def test_a_link_is_shown_even_where_no_email_can_be_sent(boss, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = invite(boss).content.decode()
    assert "/reset/key/" in page
    assert "could not be sent" in page


@pytest.mark.parametrize("email", ["viewer@example.com", "VIEWER@example.com", "no address", ""])
def test_nobody_is_invited_twice_or_nowhere(email, boss, viewer):
    assert invite(boss, email).status_code == 422
    assert User.objects.count() == 2


def test_a_role_is_changed(boss, viewer):
    do(boss, "role", viewer, role="operator")
    viewer.refresh_from_db()
    assert viewer.role == "operator"


def test_there_are_no_other_roles(boss, viewer):
    assert do(boss, "role", viewer, role="owner").status_code == 422
    viewer.refresh_from_db()
    assert viewer.role == "viewer"


@pytest.mark.parametrize(("what", "typed"), [("role", {"role": "viewer"}), ("deactivate", {})])
def test_nobody_demotes_or_deactivates_themselves(what, typed, boss, administrator):
    member("second@example.com", Role.ADMINISTRATOR)
    assert "You cannot change your own role" in said(do(boss, what, administrator, **typed))
    administrator.refresh_from_db()
    assert administrator.is_administrator
    assert administrator.is_active


def test_the_last_administrator_stays(administrator):
    for change in (
        lambda: accounts.change_role(Origin(), administrator, Role.VIEWER),
        lambda: accounts.deactivate(Origin(), administrator),
    ):
        with pytest.raises(accounts.AccountChangeRefused, match="last administrator"):
            change()
    second = member("second@example.com", Role.ADMINISTRATOR)
    accounts.deactivate(Origin(), second)
    with pytest.raises(accounts.AccountChangeRefused, match="last administrator"):
        accounts.change_role(Origin(), administrator, Role.VIEWER)


def test_deactivating_ends_sessions_and_can_be_undone(boss, viewer):
    theirs = admin_client_for(viewer)
    assert (
        b"signed out immediately"
        in boss.get(reverse("team:member-deactivate", args=[viewer.pk])).content
    )
    do(boss, "deactivate", viewer)
    assert not is_in(theirs)
    do(boss, "activate", viewer)
    assert not is_in(theirs)
    assert is_in(admin_client_for(User.objects.get(pk=viewer.pk)))


def test_account_that_is_so_by_now_is_not_changed_again(viewer):
    for _ in range(2):
        accounts.change_role(Origin(), viewer, Role.OPERATOR)
        accounts.deactivate(Origin(), viewer)
    for _ in range(2):
        accounts.activate(Origin(), viewer)
    acts = lines().filter(object_id=str(viewer.pk), family="team").order_by("sequence")
    done = ["team.create", "team.role", "team.deactivate", "team.activate"]
    assert [entry.operation for entry in acts] == done


def test_a_deactivated_account_gets_no_link(boss, viewer):
    do(boss, "deactivate", viewer)
    assert do(boss, "link", viewer).status_code == 404


def test_sessions_of_another_are_ended(boss, viewer):
    theirs = admin_client_for(viewer)
    do(boss, "sessions", viewer)
    assert not is_in(theirs)
    assert is_in(boss)


def test_who_lost_their_second_factor_is_let_in_again(boss, viewer):
    viewer.authenticator_set.create(type="totp", data={"secret": "x"})
    theirs = admin_client_for(viewer)
    do(boss, "factors", viewer)
    assert not viewer.authenticator_set.exists()
    assert not is_in(theirs)


def test_every_change_is_recorded(boss, administrator, viewer):
    do(boss, "role", viewer, role="operator")
    do(boss, "sessions", viewer)
    do(boss, "link", viewer)
    do(boss, "factors", viewer)
    do(boss, "deactivate", viewer)
    do(boss, "activate", viewer)
    entries = list(lines().filter(operation__startswith="team.", actor=administrator))
    assert [entry.operation for entry in reversed(entries)] == [
        "team.role",
        "team.sign_out",
        "team.invite",
        "team.reset_factors",
        "team.deactivate",
        "team.activate",
    ]
    assert (entries[-1].before, entries[-1].sent) == ({"role": "viewer"}, {"role": "operator"})
    assert {entry.object_label for entry in entries} == {viewer.email}
    assert {entry.object_id for entry in entries} == {str(viewer.pk)}
