"""Page or fragment: every URL answers a plain request with a page, an htmx request with a part.

Both come from one template. A page extends `layout`, which is the shell of the whole page, or, when
the page was asked for by a dialog, the dialog's inside.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import render
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect

from portal.access.unread import UnreadRecords
from portal.ui.toasts import toast

SHELL = "ui/base.html"
DIALOG = "ui/in_dialog.html"
DIALOG_TARGET = "dialog-body"
PAGE_TARGET = "content"


class SeeOther(HttpResponseRedirectBase):
    """Sends the browser on with a GET, whatever the method was."""

    status_code = 303


def page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    fragment: str = "content",
    status: int = 200,
) -> HttpResponse:
    """The page, or its partial `fragment` for an htmx request that replaces a part of one."""
    htmx = request.htmx  # type: ignore[attr-defined]
    layout, is_fragment = SHELL, False
    if htmx and htmx.target == DIALOG_TARGET:
        layout = DIALOG
    elif asks_for_part(request):
        template, is_fragment = _part(template, fragment)
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
    """Returns what of the answers to this request's calls could not be read, a sentence a list."""
    unread: UnreadRecords | None = getattr(request, "unread", None)
    return unread.in_words if unread else []


def asks_for_part(request: HttpRequest) -> bool:
    """Returns whether a part of a page is to be replaced, and no page or dialog is asked for."""
    htmx = request.htmx  # type: ignore[attr-defined]
    if not htmx or htmx.target == DIALOG_TARGET or htmx.history_restore_request:
        return False
    return bool(htmx.target) or not htmx.boosted


def _part(template: str, fragment: str) -> tuple[str, bool]:
    """The name of a part of a page, and whether it has one; else it is the page that is sent."""
    name = f"{template}#{fragment}"
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return template, False
    return name, True


def go(request: HttpRequest, url: str) -> HttpResponse:
    """Sends the browser to another page after something was done."""
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponseClientRedirect(url)
    return SeeOther(url)
