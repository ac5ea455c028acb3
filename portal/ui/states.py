"""The five states that everything is in: neutral, good, warning, bad, running.

A state never stands as a colour alone: it has an icon and a word.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal
from urllib.parse import quote

from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.translation import gettext as _, gettext_lazy
from portal.ui.html import icon

HEALTH = "Switchboard-Health"  # the colour and the word for the service, for bar and dots
State = Literal["neutral", "good", "warning", "bad", "running"]

_ICONS: dict[str, str] = {
    "neutral": "circle-minus",
    "good": "circle-check",
    "warning": "triangle-alert",
    "bad": "circle-x",
    "running": "loader-circle",
}
_COLOURS: dict[str, str] = {
    "neutral": "secondary",
    "good": "success",
    "warning": "warning",
    "bad": "danger",
    "running": "primary",
}
_HEALTH: dict[str, tuple[State, str]] = {
    "reachable": ("good", gettext_lazy("Reachable")),
    "throttled": ("warning", gettext_lazy("Throttled")),
    "down": ("bad", gettext_lazy("Down")),
    "signed_out": ("bad", gettext_lazy("Sign-in failed")),
}


def state_icon(state: State, size: int = 18) -> SafeString:
    return icon(_ICONS.get(state, _ICONS["neutral"]), size)


def colour(state: str) -> str:
    """Returns Tabler's name of a state's colour, as its classes have it."""
    return _COLOURS.get(state, "secondary")


def pill(state: State, word: str, icon_name: str = "") -> SafeString:
    """Returns a state with its icon and word: `{% status "good" "Active" %}`; `icon_name` is one
    that says more than the state's own."""
    return _pill(state, str(word), icon_name)  # what is cached is in one language


def live_pill(word: str) -> SafeString:
    """Returns what goes on just now as a word with a beating dot: what turns is still loading."""
    return format_html(
        '<span class="status status-success">'
        '<span class="status-dot status-dot-animated"></span>{}</span>',
        word,
    )


@lru_cache(maxsize=512)
def _pill(state: State, word: str, icon_name: str) -> SafeString:
    drawn = icon(icon_name, 14) if icon_name else state_icon(state, 14)
    return format_html('<span class="status status-{}">{}{}</span>', colour(state), drawn, word)


def health_words(name: str) -> tuple[str, str]:
    """Returns the colour and the word for what `Connection.health` names."""
    state, word = _HEALTH.get(name, ("neutral", _("Not checked recently")))
    return colour(state), str(word)


def health_header(name: str) -> str:
    """Returns the same as the value of the header `HEALTH`, from which an open page learns it."""
    return quote(" ".join(health_words(name)))


def health(name: str) -> SafeString:
    """Shows the state of a connection's service, by the name that `Connection.health` gives it."""
    tone, word = health_words(name)
    return format_html(
        '<span class="sb-health d-inline-flex align-items-center gap-2 text-secondary small'
        ' text-nowrap" title="{}">'
        '<span class="status-dot status-{}"></span>{}</span>',
        word,
        tone,
        word,
    )


def used_up(words: Sequence[str], url: str) -> SafeString:
    """Shows the limits of a connection's service that are used up; their page says more."""
    return format_html(
        '<a class="status status-warning" id="used-up" href="{}" title="{}">{}'
        '<span class="sb-wordless">{}</span></a>',
        url,
        ". ".join(words),
        icon("hourglass", 14),
        _("Limit used up"),
    )
