"""What is pasted into the form of a connection is recognised, whatever its order and labels."""

import base64
import json

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from portal.access.models import Connection, Way
from portal.connections.pasted import recognise
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of

NEW = "connections:new"
ACCOUNT, CLIENT = "7wPwX3nTnG8g4kQ9WvYYw_", "-v2TzyDRRmOaD7k3Bq9x1g"
SECRET = "n8Fk29dLq0PzXc7VbR4tYw1MhG5sJe6U"
ALL = {"client_account": ACCOUNT, "client_id": CLIENT, "secret": SECRET}
BASIC = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
TOKEN_URL = "https://auth.example.com/oauth/token"


def jwt(**claims):
    texts = [json.dumps(each).encode() for each in ({"alg": "HS256", "typ": "JWT"}, claims)]
    encoded = [base64.urlsafe_b64encode(text).decode().rstrip("=") for text in texts]
    return ".".join([*encoded, "s" * 43])


FORMER = jwt(aud=None, iss="k3y", exp=1577836800, iat=0)
TOKEN = jwt(aud="https://x.example", uid="q", ver=9, exp=4102444800)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Account ID\n{ACCOUNT}\nCopy\nClient ID\n{CLIENT}\nCopy\nClient secret\n{SECRET}", ALL),
        (f"secret: {SECRET}\nclient id: {CLIENT}\naccount id: {ACCOUNT}", ALL),
        (f"Konto-ID: {ACCOUNT}\nClient-ID: {CLIENT}\nClient-Geheimnis: {SECRET}", ALL),
        (f"The client id is {CLIENT}, the secret {SECRET} and account id {ACCOUNT}.", ALL),
        (f"Account ID,Client ID,Client secret\n{ACCOUNT},{CLIENT},{SECRET}", ALL),
        (f"{ACCOUNT}\n{CLIENT}\n{SECRET}", ALL),
        (f"{SECRET} {ACCOUNT} {CLIENT}", ALL),
        (json.dumps({"accountId": ACCOUNT, "clientId": CLIENT, "clientSecret": SECRET}), ALL),
        (
            f"export X_ACCOUNT_ID='{ACCOUNT}'\nX_CLIENT_ID={CLIENT}\nX_CLIENT_SECRET={SECRET}\n"
            "X_WEBHOOK_SECRET_TOKEN=abcdefgh12345678901",
            ALL,
        ),
        (
            f"curl -X POST '{TOKEN_URL}?grant_type=account_credentials&account_id={ACCOUNT}' "
            f"-H 'Authorization: Basic {BASIC}'",
            {**ALL, "token_url": TOKEN_URL},
        ),
        (
            f"ACCOUNT_ID={ACCOUNT}\nCLIENT_SECRET=\nCLIENT_ID={CLIENT}",
            {"client_account": ACCOUNT, "client_id": CLIENT},
        ),
        (
            f"Account ID: {ACCOUNT}\nClient secret: ••••••••\nClient ID: {CLIENT}",
            {"client_account": ACCOUNT, "client_id": CLIENT},
        ),
        ("Client ID: 12\nClient secret: a~b!d$e", {"client_id": "12", "secret": "a~b!d$e"}),
        (f"{CLIENT} {SECRET}", {"client_id": CLIENT, "secret": SECRET}),
        (f"Authorization: Bearer {TOKEN}", {"token": TOKEN}),
        (f"API key: {CLIENT}\nAPI secret: {SECRET}\nJWT token: {FORMER}", {"token": FORMER}),
        (
            json.dumps({"access_token": TOKEN, "token_type": "bearer", "expires_in": 3599})
            + '{"scope": "user:read:admin", "api_url": "https://eu.example.com/v2"}',
            {"token": TOKEN, "base_url": "https://eu.example.com/v2"},
        ),
        (f"API key: {CLIENT}\nAPI secret: {SECRET}", {}),
        ("Please send me the credentials on Monday 2026-12-01", {}),
    ],
)
def test_pasted_text_is_recognised(text, expected):
    assert recognise(text).values == expected


def test_token_of_former_app_is_recognised_as_such():
    assert [recognise(each).is_former for each in (FORMER, TOKEN)] == [True, False]


@pytest.fixture
def service(fault_server):
    """Issues a token for the credentials above, and answers as a service of today."""

    def behave(seen):
        if "/oauth/token" in seen.path:
            is_right = f"account_id={ACCOUNT}" in seen.body.decode()
            assert seen.headers["authorization"] == f"Basic {BASIC}"
            if not is_right:
                return answer(400, {"reason": "Bad Request"})
            return answer(200, {"access_token": "issued", "expires_in": 3600})
        if seen.headers.get("authorization") != "Bearer issued":
            return answer(401, {"code": 124, "message": "Invalid access token."})
        return answer(200, {"next_page_token": "", "total_records": 0, "users": []})

    fault_server.always(depending(behave))
    return fault_server


def given(service, text, **more):
    return {
        "name": "Real",
        "base_url": service.url,
        "colour": "teal",
        "way": "query",
        "client_account": "",
        "client_id": "",
        "token": "",
        "token_url": f"{service.url}/oauth/token",
        "pasted": text,
        **more,
    }


def said(response):
    return " ".join(str(message) for message in get_messages(response.wsgi_request))


@pytest.mark.django_db
def test_pasted_block_connects_and_says_what_it_was_taken_for(client, service):
    text = f"Client ID {CLIENT}\nAccount ID {ACCOUNT}\nClient secret {SECRET}"
    response = client.post(reverse(NEW), given(service, text))
    assert response.status_code == 302
    connection = Connection.objects.get()
    assert (connection.way, connection.dialect) == (Way.RENEWING, "current")
    assert "pasted text: Account ID, Client ID, Client secret." in said(response)
    assert "Names is set to “As services of today name it”" in said(response)


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_pasted_secret_is_carried_sealed_until_all_is_given(client, service, headers):
    text = f"Client ID: {CLIENT}\nClient secret: {SECRET}"
    refused = client.post(reverse(NEW), given(service, text, token_url=""), headers=headers)
    assert refused.status_code == 422
    assert list(refused.context["form"].errors) == ["token_url"]
    assert SECRET not in refused.text
    values = form_with(refused.text, "base_url").values
    assert (values["way"], values["client_id"], values["pasted"]) == ("renewing", CLIENT, "")
    values["token_url"] = f"{service.url}/oauth/token"
    without_account = client.post(reverse(NEW), values, headers=headers)
    errors = without_account.context["form"].errors
    assert list(errors) == ["client_account"]
    assert "ask for the account ID as well" in errors["client_account"][0]
    values = {**values, "client_account": ACCOUNT}
    assert client.post(reverse(NEW), values).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("hello", "pasted", "No credentials were recognised"),
        (f"API key: {CLIENT}\nAPI secret: {SECRET}", "pasted", "an app of the former kind"),
        (FORMER, "token", "This token ended on"),
        (TOKEN, "token", "does not accept this token"),
    ],
)
def test_pasted_text_that_is_no_use_says_why(client, service, text, field, words):
    response = client.post(reverse(NEW), given(service, text))
    assert list(response.context["form"].errors) == [field]
    assert words in text_of(response.text)
    assert not any(each in response.text for each in (SECRET, FORMER, TOKEN))


@pytest.mark.django_db
def test_key_in_query_that_is_refused_points_to_sign_in(client, service):
    response = client.post(reverse(NEW), given(service, "", token="opaque"))
    assert "choose another sign-in" in response.context["form"].errors["token"][0]
    page = form_with(client.get(reverse(NEW)).text, "base_url")
    assert page.values["way"] == "renewing"
