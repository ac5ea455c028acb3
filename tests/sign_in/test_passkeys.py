"""Promise 13: passkeys, whatever they answer and wherever they were asked."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse
from fido2.utils import websafe_decode, websafe_encode

from tests.sign_in.passkeys import Passkey
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db
Change = Callable[[Any], Any]


def with_part(name, value):
    """The answer with another part in its response."""
    return lambda sent: sent | {"response": sent["response"] | {name: value}}


def of_a_frame(sent):
    said = json.loads(websafe_decode(sent["response"]["clientDataJSON"])) | {"crossOrigin": True}
    return with_part("clientDataJSON", websafe_encode(json.dumps(said).encode()))(sent)


HOSTILE: list[Change] = [
    lambda _sent: [],
    lambda _sent: 7,
    lambda _sent: {},
    lambda sent: sent | {"response": []},
    lambda sent: sent | {"rawId": 7, "id": 7},
    with_part("clientDataJSON", "%%%"),
    with_part("clientDataJSON", websafe_encode(b"[]")),
    with_part("clientDataJSON", websafe_encode(b'{"type": 7}')),
    with_part("authenticatorData", ""),
    with_part("authenticatorData", websafe_encode(bytes(37))),
    with_part("authenticatorData", websafe_encode(b"\xff" * 60)),
    with_part("signature", websafe_encode(bytes(70))),
    with_part("signature", 7),
    with_part("userHandle", None),
    with_part("userHandle", websafe_encode(b"zzzzzzzzzzzzz")),
    with_part("userHandle", websafe_encode(b"\xff")),
    of_a_frame,
]
OF_NO_KEY = [
    with_part("attestationObject", ""),
    with_part("attestationObject", 7),
    with_part("attestationObject", websafe_encode(b"\xa1\x00")),
    with_part("attestationObject", websafe_encode(b"\x9f" * 2_000)),
]


def is_in(client):
    return bool(client.get("/connections/").status_code == 200)


@pytest.mark.parametrize("change", HOSTILE)
def test_a_hostile_answer_is_a_wrong_code(viewer, change):
    own, passkey = admin_client_for(viewer), Passkey()
    passkey.add(own)
    passkey.change = change
    client = Client(raise_request_exception=False)
    assert passkey.sign_in(client).status_code < 500
    assert not is_in(client)


@pytest.mark.parametrize("change", HOSTILE + OF_NO_KEY)
def test_a_hostile_key_breaks_no_page(viewer, change):
    own = admin_client_for(viewer)
    own.raise_request_exception = False
    assert Passkey(change=change).add(own).status_code < 500
    assert own.get(reverse("mfa_index")).status_code == 200


@pytest.mark.parametrize("page", ["mfa_add_webauthn", "mfa_login_webauthn"])
def test_an_answer_nested_without_end_is_a_wrong_code(viewer, page):
    client = admin_client_for(viewer) if page == "mfa_add_webauthn" else Client()
    client.get(reverse(page))
    answer = client.post(reverse(page), {"credential": "[" * 100_000})
    assert answer.status_code < 500
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.testserver",
        "http://testserver:8000",
        "https://testserver",
        "http://testserver.",
    ],
)
def test_a_page_of_another_origin_asks_no_passkey(viewer, origin):
    own, passkey = admin_client_for(viewer), Passkey(origin)
    passkey.add(own)
    assert not Authenticator.objects.exists()
    passkey.origin = "http://testserver"
    passkey.add(own)
    passkey.origin = origin
    client = Client()
    passkey.sign_in(client)
    assert not is_in(client)


def test_of_a_key_that_is_added_only_what_is_needed_is_kept(viewer):
    own = admin_client_for(viewer)
    odd = {"clientExtensionResults": ["credProps"], "more": "a\0b", "type": "public-key"}
    Passkey(change=lambda sent: sent | odd).add(own)
    kept = Authenticator.objects.get(type="webauthn").data["credential"]
    assert set(kept) == {"id", "rawId", "type", "response", "clientExtensionResults"}
    assert own.get(reverse("mfa_list_webauthn")).status_code == 200
