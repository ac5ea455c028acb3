"""A typed secret is kept for the next try of its form: encrypted, for one person and field."""

from datetime import timedelta

import pytest
from django.urls import reverse

from portal.access import typed_secrets
from portal.access.models import Connection
from portal.access.roles import Role
from portal.config import clock
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db
NEW = "connections:new"
TOKEN = "token-kept"
HTMX = {"HX-Request": "true"}


def typed(sandbox, **more):
    given = {"name": "Main", "base_url": sandbox.url, "token": sandbox.token}
    return {**given, "way": "query", **more}


def refused(client, sandbox):
    """Returns the form as it comes back of an address that is wrong, without a script."""
    page = client.post(reverse(NEW), typed(sandbox, base_url=sandbox.url.removesuffix("/v2")))
    assert page.status_code == 422
    assert sandbox.token not in page.text
    assert "What you typed is kept for 30 minutes" in text_of(page.text)
    values = form_with(page.text, "base_url").values
    assert values["token"] == ""
    return {**values, "base_url": sandbox.url}


def test_token_without_script_is_kept_until_address_is_right(client, sandbox):
    again = refused(client, sandbox)
    assert client.post(reverse(NEW), again).status_code == 302
    assert Connection.objects.get().token.value == sandbox.token


def test_further_form_fields_come_back_as_secrets_do(client, sandbox):
    extra = "audience=api\nclient_password=S3cret-of-the-form"
    refused_page = client.post(
        reverse(NEW), typed(sandbox, base_url=f"{sandbox.url}/wrong", extra=extra, way="renewing")
    )
    assert refused_page.status_code == 422
    assert "S3cret-of-the-form" not in refused_page.text
    values = form_with(refused_page.text, "base_url").values
    assert values["extra"] == ""
    again = client.post(reverse(NEW), {**values, "name": ""})
    assert again.context["form"].cleaned_data["extra"][1] == (
        "client_password",
        "S3cret-of-the-form",
    )


def test_token_that_is_typed_anew_replaces_kept_one(client, sandbox):
    page = client.post(reverse(NEW), {**refused(client, sandbox), "token": "wrong"})
    assert "does not accept this token" in text_of(page.text)


def test_page_of_a_script_is_sent_no_secret(client, sandbox):
    page = client.post(reverse(NEW), typed(sandbox, base_url="https://"), headers=HTMX)
    assert "hx-preserve" in page.text
    assert TOKEN not in page.text


@pytest.mark.parametrize("whose", ["another person", "another session", "another form", "late"])
def test_kept_token_is_nothing_elsewhere_and_later(
    whose, client, sandbox, administrator, monkeypatch
):
    again, url, now = refused(client, sandbox), reverse(NEW), clock.now()
    if whose == "another person":
        client = admin_client_for(member("operator@example.com", Role.OPERATOR))
    elif whose == "another session":
        client = admin_client_for(administrator)
    elif whose == "another form":
        client.post(url, typed(sandbox, name="Other", colour="teal"))
        url = reverse("connections:connection", args=[Connection.objects.get().key])
        again["base_url"] = f"{sandbox.url}/other"
    else:
        later = now + timedelta(minutes=typed_secrets.MINUTES, seconds=1)
        monkeypatch.setattr(typed_secrets.clock, "now", lambda: later)
    page = client.post(url, again)
    assert page.context["form"].errors.keys() & {"token"}
    assert not Connection.objects.filter(name="Main").exists()


def test_password_of_contract_form_is_kept_too(client, faulty, fault_server):
    fault_server.always(answer(400, {"code": 300, "message": "Not now."}))
    url = reverse("webhooks:follow-signed", args=[faulty.key])
    page = client.post(url, {"secret": "long-enough-secret", "signature_header": "no header"})
    values = form_with(page.text, "secret").values
    assert "long-enough-secret" not in page.text
    rest = {"signature_header": "x-sign", "timestamp_header": "x-time", "version": "v0"}
    assert client.post(url, {**values, **rest}).status_code in (302, 303)


def test_secret_of_the_service_is_not_in_a_form_that_opens():
    """Only what came with the request is kept: initial values are not."""
    widget = typed_secrets.TypedSecretInput()
    assert typed_secrets.SEALED not in widget.render("password", "stored-by-the-service")
