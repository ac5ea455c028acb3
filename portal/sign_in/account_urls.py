"""allauth's pages about one's own account, as the portal serves them.

No browser keeps them, since they show secrets. A form is one transaction, so that a change and its
entry in the audit trail are. Who has proved lately who they are is not asked again.
"""

from collections.abc import Callable, Iterator
from functools import wraps

from allauth.core.exceptions import ReauthenticationRequired
from allauth.urls import urlpatterns as of_allauth
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern, URLResolver
from django.views.decorators.cache import never_cache

from portal.sign_in import reauthentication, single_sign_on

View = Callable[..., HttpResponseBase]

_PROOFS = {"account_reauthenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn"}
# These are no one transaction: they take long, for a password, a mail or an answer of the provider,
# and change sessions alone, or commit what they change with its entry by themselves; or they carry
# out the form of another page.
_MANY_TRANSACTIONS = _PROOFS | {
    "account_change_password",
    "account_email",
    "account_login",
    "account_logout",
    "account_reset_password",
    "account_reset_password_from_key",
    "account_set_password",
    "account_signup",
    "mfa_authenticate",
    "mfa_login_webauthn",
    "openid_connect_login",
    "openid_connect_callback",
    "socialaccount_signup",
}
_OWN: dict[str, View] = {
    "openid_connect_callback": single_sign_on.callback,
    "openid_connect_login": single_sign_on.login,
}


def _served(name: str, view: View) -> View:
    @never_cache
    @wraps(view)
    def served(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if name in _PROOFS and request.method == "GET" and reauthentication.did_lately(request):
            return reauthentication.go_back(request)
        try:
            if request.method == "POST" and name not in _MANY_TRANSACTIONS:
                with transaction.atomic():
                    return view(request, *args, **kwargs)
            response = view(request, *args, **kwargs)
        except ReauthenticationRequired:
            return reauthentication.require_proof(request)
        return reauthentication.go_on(request, response) if name in _PROOFS else response

    return served


def _all(patterns: list[URLPattern | URLResolver]) -> Iterator[URLPattern | URLResolver]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            name = pattern.name or ""
            view = _served(name, _OWN.get(name, pattern.callback))
            yield URLPattern(pattern.pattern, view, pattern.default_args, pattern.name)
        else:
            inner = list(_all(pattern.url_patterns))
            yield URLResolver(pattern.pattern, inner, pattern.default_kwargs)


urlpatterns = list(_all(of_allauth))
