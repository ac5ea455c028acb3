"""A passkey in software, for tests that need one without a browser."""

import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

_SITE = sha256(b"testserver").digest()
_SEEN = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV


class Passkey:
    """Has itself added to an account, and signs in to it, on pages of this origin.

    `change` gets each answer as JSON before it is sent; `count` is that of its signatures.
    """

    def __init__(
        self, origin: str = "http://testserver", change: Callable[[Any], Any] = lambda sent: sent
    ) -> None:
        self.origin, self.change = origin, change
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(16)
        self._user = b""
        self.count = 0

    def add(self, client: Client, name: str = "Key") -> HttpResponseBase:
        """Adds a key through the page of a signed-in user."""
        url = reverse("mfa_add_webauthn")
        options = client.get(url).context["js_data"]["creation_options"]["publicKey"]
        self._user = websafe_decode(options["user"]["id"])
        public = ES256.from_cryptography_key(self._key.public_key())  # type: ignore[no-untyped-call]
        credential = AttestedCredentialData.create(bytes(16), self._id, public)
        data = AuthenticatorData.create(
            _SITE, _SEEN | AuthenticatorData.FLAG.AT, 0, bytes(credential)
        )
        values = CollectedClientData.create(
            CollectedClientData.TYPE.CREATE, options["challenge"], self.origin
        )
        credential_json = self._json(
            clientDataJSON=values,
            attestationObject=AttestationObject.create("none", data, {}),
        )
        typed = {"name": name, "passwordless": "on", "credential": credential_json}
        return client.post(url, typed)

    def sign_in(self, client: Client) -> HttpResponseBase:
        url = reverse("mfa_login_webauthn")
        asked = client.get(url, headers={"accept": "application/json"}).json()
        challenge = asked["request_options"]["publicKey"]["challenge"]
        data = AuthenticatorData.create(_SITE, _SEEN, self.count)
        values = CollectedClientData.create(CollectedClientData.TYPE.GET, challenge, self.origin)
        credential = self._json(
            clientDataJSON=values,
            authenticatorData=data,
            signature=self._key.sign(data + values.hash, ec.ECDSA(SHA256())),
            userHandle=self._user,
        )
        return client.post(url, {"credential": credential})

    def _json(self, **response: bytes) -> str:
        name = websafe_encode(self._id)
        sent = {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": {key: websafe_encode(bytes(part)) for key, part in response.items()},
            "clientExtensionResults": {"credProps": {"rk": True}},
        }
        return json.dumps(self.change(sent))
