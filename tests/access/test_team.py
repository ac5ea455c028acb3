"""The team: invitations, changes, and that no administrator locks all of them out."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.messages import get_messages
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from portal.access.audit.reading import lines
from portal.access.http import Origin
from portal.access.models import User
from portal.access.roles import Role
from portal.access.services import accounts
from tests.support.portal import PASSWORD, admin_client_for, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(administrator: User) -> Client:
    """A client of the administrator."""
    return admin_client_for(administrator)


def said(response: HttpResponse) -> str:
    return " ".join(str(message) for message in get_messages(response.wsgi_request))


def invite(boss: Client, email: str = "new@example.com") -> HttpResponse:
    typed = {"email": email, "name": "Newcomer", "role": "operator"}
    return boss.post(reverse("access:invite"), typed)


def do(boss: Client, what: str, user: User, **typed: str) -> HttpResponse:
    return boss.post(reverse(f"access:member-{what}", args=[user.pk]), typed)


def is_in(client: Client) -> bool:
    return client.get("/connections/").status_code == 200


def test_an_invitation_is_emailed_and_shown_once(boss: Client, mailoutbox: list[EmailMessage]):
    page = invite(boss).content.decode()
    link = re.findall(r"http://testserver/account/password/reset/key/[^<\s\"]+", page)[0]
    assert link in mailoutbox[0].body
    assert mailoutbox[0].to == ["new@example.com"]
    user = User.objects.get(email="new@example.com")
    assert (user.name, user.role, user.has_usable_password()) == ("Newcomer", "operator", False)
    assert EmailAddress.objects.get(user=user).verified
    page = boss.get(reverse("access:member", args=[user.pk])).content.decode()
    assert "/reset/key/" not in page
    assert "Invited" in page


def test_the_link_sets_a_password_and_signs_in(boss: Client, mailoutbox: list[EmailMessage]):
    invite(boss)
    link = re.findall(r"http://testserver(\S+/key/\S+)", mailoutbox[0].body)[0]
    client = Client()
    form = client.get(link)["Location"]
    client.post(form, {"password1": PASSWORD, "password2": PASSWORD})
    client.post(reverse("account_login"), {"login": "new@example.com", "password": PASSWORD})
    assert is_in(client)


def test_a_link_is_shown_even_where_no_email_can_be_sent(boss: Client, settings: Settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = invite(boss).content.decode()
    assert "/reset/key/" in page
    assert "could not be sent" in page


@pytest.mark.parametrize("email", ["viewer@example.com", "VIEWER@example.com", "no address", ""])
def test_nobody_is_invited_twice_or_nowhere(email: str, boss: Client, viewer: User):
    assert invite(boss, email).status_code == 422
    assert User.objects.count() == 2


def test_a_role_is_changed(boss: Client, viewer: User):
    do(boss, "role", viewer, role="operator")
    viewer.refresh_from_db()
    assert viewer.role == "operator"


def test_there_are_no_other_roles(boss: Client, viewer: User):
    assert do(boss, "role", viewer, role="owner").status_code == 422
    viewer.refresh_from_db()
    assert viewer.role == "viewer"


@pytest.mark.parametrize(("what", "typed"), [("role", {"role": "viewer"}), ("deactivate", {})])
def test_nobody_demotes_or_deactivates_themselves(
    what: str, typed: dict[str, str], boss: Client, administrator: User
):
    member("second@example.com", Role.ADMINISTRATOR)
    assert "You cannot change your own role" in said(do(boss, what, administrator, **typed))
    administrator.refresh_from_db()
    assert administrator.is_administrator
    assert administrator.is_active


def test_the_last_administrator_stays(administrator: User):
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


def test_deactivating_ends_sessions_and_can_be_undone(boss: Client, viewer: User):
    theirs = admin_client_for(viewer)
    assert (
        b"signed out immediately"
        in boss.get(reverse("access:member-deactivate", args=[viewer.pk])).content
    )
    do(boss, "deactivate", viewer)
    assert not is_in(theirs)
    do(boss, "activate", viewer)
    assert not is_in(theirs)
    assert is_in(admin_client_for(User.objects.get(pk=viewer.pk)))


def test_a_deactivated_account_gets_no_link(boss: Client, viewer: User):
    do(boss, "deactivate", viewer)
    assert do(boss, "link", viewer).status_code == 404


def test_sessions_of_another_are_ended(boss: Client, viewer: User):
    theirs = admin_client_for(viewer)
    do(boss, "sessions", viewer)
    assert not is_in(theirs)
    assert is_in(boss)


def test_who_lost_their_second_factor_is_let_in_again(boss: Client, viewer: User):
    viewer.authenticator_set.create(type="totp", data={"secret": "x"})
    theirs = admin_client_for(viewer)
    do(boss, "factors", viewer)
    assert not viewer.authenticator_set.exists()
    assert not is_in(theirs)


def test_every_change_is_recorded(boss: Client, administrator: User, viewer: User):
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
