"""Settings of a new session that the service reports otherwise than they were sent.

Services have settings of their own that go before: an account may require a password, or not let
meetings be open to people who are not signed in.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_noop

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import JsonDict, Model, Titles
from portal.sessions.services.session import Details
from portal.translation import gettext as _

NOT_TAKEN = gettext_noop("The service did not take every setting. %(settings)s.")
_ONE = gettext_noop("%(title)s: %(value)s instead of %(wanted)s")
_EMPTY: tuple[object, ...] = (None, "", [], {})


def not_taken(wanted: Model, details: Details) -> str:
    """Returns a sentence about the settings that the answer of a creation has otherwise than they
    were sent; empty if there are none, or the answer does not have them."""
    differing = "; ".join(_differing(wanted, details))
    return _(NOT_TAKEN) % {"settings": differing} if differing else ""


def _differing(wanted: Model, details: Details) -> Iterator[str]:
    sent, settings = wanted.sent(), details.settings
    password = getattr(details, "password", None)
    if "password" in details.model_fields_set and (sent.get("password") or "") != (password or ""):
        yield _("Password: set by the service") if password else _("Password: not set")
    answered: JsonDict = settings.sent() if settings is not None else {}
    titles = Titles(type(settings)) if settings is not None else {}
    for name, value in (sent.get("settings") or {}).items():
        if name not in answered or name not in titles or _is_alike(value, answered[name]):
            continue
        values = {"title": titles[name], "wanted": _in_words(value, settings, name, wanted)}
        yield _(_ONE) % {**values, "value": _in_words(answered[name], settings, name, wanted)}


def _is_alike(one: object, other: object) -> bool:
    if one in _EMPTY or other in _EMPTY:
        return (one in _EMPTY or one is False) and (other in _EMPTY or other is False)
    return _comparable(one) == _comparable(other)


def _comparable(value: object) -> object:
    """Returns a list of addresses without the order and the spaces in which it is written."""
    if isinstance(value, str):
        return sorted(filter(None, (each.strip().lower() for each in value.split(","))))
    return value


def _in_words(value: Any, settings: Any, name: str, wanted: Model) -> str:
    if isinstance(value, bool):
        return _("On") if value else _("Off")
    sources: tuple[Any, ...] = (settings, getattr(wanted, "settings", None))
    for source in sources:
        chosen: Any = getattr(source, name, None)
        if isinstance(chosen, TextChoice | NumberChoice) and chosen.value == value:
            return chosen.label
    return _("Not set") if value in _EMPTY else str(value)
