"""Secrets that were typed into a form which is shown again, kept for the next try.

With a script the page keeps the field itself, and is sent nothing. Without one it carries the typed
text in a hidden field, encrypted under `TOKEN_KEYS` for this user, session, address and field, for
half an hour: anywhere else it cannot be read.
"""

import json
from collections.abc import Callable
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponseBase

from portal.access import tokens
from portal.access.models import User
from portal.access.tokens import TokenUnreadable
from portal.config import clock

SEALED = "-sealed"  # after the name of a field
MINUTES = 30
_answered: ContextVar[HttpRequest | None] = ContextVar("answered", default=None)


class TypedSecrets:
    """Middleware that tells the fields of forms the present request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        before = _answered.set(request)
        try:
            return self.get_response(request)
        finally:
            _answered.reset(before)


class _TypedSecret(forms.Widget):
    """A value that is typed in and never sent back to be read."""

    def __init__(self, attrs: dict[str, object] | None = None) -> None:
        super().__init__({"hx-preserve": "true", **(attrs or {})})
        self._typed: dict[str, str] = {}
        self._is_carried = False

    def __deepcopy__(self, memo: dict[int, object]) -> "_TypedSecret":
        copied: _TypedSecret = super().__deepcopy__(memo)
        copied._typed = {}  # of each form its own
        return copied

    def carry(self) -> None:
        """Has the page carry the secret with a script too: it was not typed into this field."""
        self.attrs.pop("hx-preserve", None)
        self._is_carried = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        value = super().value_from_datadict(data, files, name)
        if not value and (typed := opened(data.get(name + SEALED) or "", name)):
            value = typed
        if isinstance(value, str):
            self._typed[name] = value
        return value

    def get_context(
        self, name: str, value: object, attrs: dict[str, object] | None
    ) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        # Only what was typed: a value of the service's is no part of any page.
        sealed_text = sealed(self._typed.get(name, ""), name, always=self._is_carried)
        shown = {"value": None, "sealed": sealed_text, "sealed_name": name + SEALED}
        context["widget"] |= shown
        if sealed_text:
            given = context["widget"]["attrs"]
            given.pop("required", None)
            described = [given.get("aria-describedby", ""), f"{given.get('id', name)}_sealed"]
            given["aria-describedby"] = " ".join(filter(None, described))
        return {**context, "minutes": MINUTES}


class TypedSecretInput(_TypedSecret, forms.PasswordInput):
    template_name = "ui/forms/typed_secret.html"


class TypedSecretTextarea(_TypedSecret, forms.Textarea):
    """A secret of several lines."""

    template_name = "ui/forms/typed_secret_lines.html"


def sealed(typed: str, name: str, *, always: bool = False) -> str:
    """Returns what the page carries of a typed secret; empty where a script keeps it, unless
    `always`."""
    request = _answered.get()
    bound = _bound_to(request, name)
    if not typed or request is None or bound is None:
        return ""
    if "HX-Request" in request.headers and not always:
        return ""
    until = (clock.now() + timedelta(minutes=MINUTES)).timestamp()
    return tokens.seal(json.dumps([*bound, until, typed]))


def opened(sealed_text: str, name: str) -> str:
    """Returns the secret that `sealed` has made for this person and field; empty for any other."""
    bound = _bound_to(_answered.get(), name)
    if bound is None or not tokens.is_sealed(sealed_text):
        return ""
    try:
        *bound_then, until, typed = json.loads(tokens.unseal(sealed_text).value)
    except (TokenUnreadable, ValueError, TypeError):
        return ""
    return str(typed) if bound_then == bound and clock.now().timestamp() < until else ""


def _bound_to(request: HttpRequest | None, name: str) -> list[Any] | None:
    """Returns the user, session, address and field that a secret is bound to."""
    if request is None or not isinstance(request.user, User):
        return None
    return [request.user.pk, request.session.session_key, request.path, name]
