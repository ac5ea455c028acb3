"""Single sign-on by OpenID Connect, where the answers of the provider are judged before allauth.

allauth trusts their shapes, and takes any text for `email_verified`. Here an identity is a `sub`
that the ID token and the user info agree on, in a token that was issued for this very sign-in.
"""

import unicodedata
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.app_settings import UID_MAX_LENGTH
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.utils import get_request_param
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac

# What is kept of the claims beside `sub`; the rest is left where it is.
_TEXTS = ("email", "name", "preferred_username", "given_name", "family_name")
_ENDPOINTS = (
    "issuer",
    "authorization_endpoint",
    "token_endpoint",
    "userinfo_endpoint",
    "jwks_uri",
)


class SignOnRefused(ProviderException):
    """An answer of the provider proves nothing; the text says why to the log, and has nothing of
    the answer."""


class Adapter(OpenIDConnectOAuth2Adapter):
    """Adapter that asks the provider, and refuses answers without the required shape."""

    @property
    def openid_config(self) -> dict[str, object]:
        try:
            result = super().openid_config
        except (AttributeError, ValueError) as error:
            raise SignOnRefused("configuration_unreadable") from error
        for name in _ENDPOINTS:
            if not isinstance(result.get(name), str):
                raise SignOnRefused(f"configuration_without_{name}")
        return dict(result)

    def get_access_token_data(self, *args: object, **kwargs: object) -> dict[str, object]:
        try:
            result = super().get_access_token_data(*args, **kwargs)
        except (KeyError, TypeError, ValueError) as error:
            raise SignOnRefused("tokens_unreadable") from error
        if not isinstance(result, dict):
            raise SignOnRefused("tokens_unreadable")
        for name in ("access_token", "id_token"):
            if not isinstance(result.get(name), str):
                raise SignOnRefused(f"tokens_without_{name}")
        return result

    def parse_token(self, data: dict[str, object]) -> SocialToken:
        """The access token alone: it is used once, and neither renewed nor kept."""
        return SocialToken(token=data["access_token"])

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        try:
            proof = self._decode_id_token(app, kwargs["response"]["id_token"])
            claims = self._fetch_user_info(token.token)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise SignOnRefused("identity_unreadable") from error
        _judge(proof, claims, _nonce_of(str(get_request_param(request, "state"))))
        return self.get_provider().sociallogin_from_response(
            request, {"userinfo": _stored_claims(claims)}
        )


class Provider(OpenIDConnectProvider):
    """The provider as it is asked here: with a nonce, and nothing that a query says."""

    oauth2_adapter_class = Adapter

    def redirect(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        state_id = get_random_string(32)
        params = self.get_auth_params() | {"nonce": _nonce_of(state_id)}
        kwargs |= {"auth_params": params, "state_id": state_id}
        answer: HttpResponse = super().redirect(request, *args, **kwargs)
        return answer

    def get_auth_params_from_request(
        self, _request: HttpRequest, _action: str
    ) -> dict[str, object]:
        return dict(self.get_auth_params())

    def get_scope_from_request(self, _request: HttpRequest) -> list[str]:
        return list(self.get_scope())

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        claims = data["userinfo"]
        if not claims.get("email"):
            return []
        verified = claims["email_verified"] is True
        return [EmailAddress(email=claims["email"], verified=verified, primary=True)]


@login_not_required
def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    return _served(OAuth2LoginView, request, provider_id)


@login_not_required
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    return _served(OAuth2CallbackView, request, provider_id)


def _served(view: Any, request: HttpRequest, provider_id: str) -> HttpResponse:
    try:
        answer: HttpResponse = view.adapter_view(Adapter(request, provider_id))(request)
    except SocialApp.DoesNotExist:
        raise Http404 from None
    except SignOnRefused as refused:
        provider = get_adapter().get_provider(request, provider_id)
        answer = render_authentication_error(request, provider, exception=refused)
    return answer


def _nonce_of(state_id: str) -> str:
    """Returns the nonce of a sign-in's ID token. It is secret: the state belongs to one session,
    and is used once."""
    return salted_hmac("portal.sign_in.single_sign_on", state_id, algorithm="sha256").hexdigest()


def _judge(proof: object, claims: object, nonce: str) -> None:
    """Raises `SignOnRefused` unless both are about one person, and for this sign-in."""
    if not isinstance(proof, dict) or not isinstance(claims, dict):
        raise SignOnRefused("identity_unreadable")
    nonce_of_token = proof.get("nonce")
    if not isinstance(nonce_of_token, str) or not constant_time_compare(nonce_of_token, nonce):
        raise SignOnRefused("nonce_of_another_sign_in")
    subject = proof.get("sub")
    if not isinstance(subject, str) or not subject.isascii() or not subject.isprintable():
        raise SignOnRefused("sub_no_printable_ascii")
    if not 0 < len(subject) <= UID_MAX_LENGTH:
        raise SignOnRefused("sub_empty_or_too_long")
    if claims.get("sub") != subject:
        raise SignOnRefused("sub_of_somebody_else")
    email = claims.get("email")
    if email is not None and not isinstance(email, str):
        raise SignOnRefused("email_no_text")
    if any(not char.isascii() and _folded(char) != char for char in email or ""):
        raise SignOnRefused("email_ambiguous")


def _folded(char: str) -> str:
    """Returns a character as addresses are compared: `k` for `\\u212a`, the sign for Kelvin."""
    return unicodedata.normalize("NFKC", char).casefold()


def _stored_claims(claims: dict[str, Any]) -> dict[str, Any]:
    texts = {name: claims[name] for name in _TEXTS if isinstance(claims.get(name), str)}
    printable: dict[str, Any] = {name: text for name, text in texts.items() if text.isprintable()}
    return printable | {
        "sub": claims["sub"],
        "email_verified": claims.get("email_verified") is True,
    }
