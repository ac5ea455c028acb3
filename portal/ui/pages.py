"""Page or fragment: every URL answers a plain request with a page, htmx with a fragment. Toasts."""

from collections.abc import Mapping
from typing import Literal

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import render
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect

from portal.access.http import UnreadRecords, htmx_of
from portal.audit.reading import lines
from portal.audit.undo.recorded import inverse_operation, obstacle
from portal.connections.calls import done_now

Level = Literal["neutral", "good", "warning", "bad"]
_LEVELS: dict[Level, int] = {
    "neutral": messages.INFO,
    "good": messages.SUCCESS,
    "warning": messages.WARNING,
    "bad": messages.ERROR,
}
_NAMES: dict[int, Level] = {number: name for name, number in _LEVELS.items()}
SHELL = "ui/base.html"
CONTENT = "ui/in_page.html"
DIALOG = "ui/in_dialog.html"
DIALOG_TARGET = "dialog-body"
PAGE_TARGET = "content"


def toast(request: HttpRequest, level: Level, text: str) -> None:
    """Shows `text` on this answer, or on the next page if this one sends the browser on.

    Words are in the language of the request, also if they are lazy: they are stored after it.
    After one write that can be undone, it leads to the page that undoes it.
    """
    undo = _undo_url(request) if level == "good" else ""
    messages.add_message(request, _LEVELS[level], str(text), extra_tags=undo)


def _undo_url(request: HttpRequest) -> str:
    """Returns the page that undoes the write of this request; empty for none, for several, and for
    one that has no way back for this person."""
    done, scope = done_now(), getattr(request, "scope", None)
    if len(done) != 1 or scope is None:
        return ""
    [sequence] = done
    entry = lines().filter(sequence=sequence).first()
    by = inverse_operation(entry) if entry and not obstacle(entry) else None
    if by is None or not scope.can_call(by):
        return ""
    return reverse("changes:undo", args=[scope.connection.key, sequence])


def level_of(number: int) -> Level:
    """Returns the state that a message of Django or of a library is shown in."""
    return _NAMES.get(number, "neutral")


class SeeOther(HttpResponseRedirectBase):
    """Sends the browser on with a GET, whatever the method was."""

    status_code = 303


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object] | None = None,
    *,
    fragment: str = "content",
    status: int = 200,
) -> HttpResponse:
    """Returns the page, or its partial `fragment` if htmx replaces a part of one.

    A template that extends another page's has no partial of its own: where the whole content is
    replaced, it gets a layout that is its content alone.
    """
    htmx = htmx_of(request)
    layout, is_fragment = SHELL, False
    if htmx and htmx.target == DIALOG_TARGET:
        layout = DIALOG
    elif wants_fragment(request):
        template, is_fragment = _fragment_of(template, fragment)
        if htmx.target == PAGE_TARGET and not is_fragment:
            layout, is_fragment = CONTENT, True
    form_target = DIALOG_TARGET if layout == DIALOG else PAGE_TARGET
    unread = unread_in(request)
    if is_fragment:
        for words in unread:
            toast(request, "warning", words)
    shared = {
        "layout": layout,
        "is_fragment": is_fragment,
        "form_target": f"#{form_target}",
        "unread": unread,
    }
    response = render(request, template, {**shared, **(context or {})}, status=status)
    patch_vary_headers(response, ["HX-Request", "HX-Target", "HX-History-Restore-Request"])
    return response


def unread_in(request: HttpRequest) -> list[str]:
    """Returns what of the answers to this request's calls could not be read, a sentence a list, and
    which scopes they lacked."""
    unread: UnreadRecords | None = getattr(request, "unread", None)
    return [*unread.in_words, *unread.hidden_in_words] if unread else []


def wants_fragment(request: HttpRequest) -> bool:
    """Returns whether a part of a page is to be replaced, and no page or dialog is asked for."""
    htmx = htmx_of(request)
    if not htmx or htmx.target == DIALOG_TARGET or htmx.history_restore_request:
        return False
    return bool(htmx.target) or not htmx.boosted


def is_dialog(request: HttpRequest) -> bool:
    """Returns whether the answer is shown in a dialog over the open page."""
    htmx = htmx_of(request)
    return bool(htmx) and htmx.target == DIALOG_TARGET


def _fragment_of(template: str, fragment: str) -> tuple[str, bool]:
    """Returns the name of a part of a page, and whether it has one; else the page's own."""
    name = f"{template}#{fragment}"
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return template, False
    return name, True


def go(request: HttpRequest, url: str) -> HttpResponse:
    """Sends the browser to another page after something was done."""
    if htmx_of(request):
        return HttpResponseClientRedirect(url)
    return SeeOther(url)
