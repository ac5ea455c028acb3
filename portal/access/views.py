"""Confirmation pages, with the template of `portal.ui.views.ActionView`, and changes that services
refuse."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import render

from portal.access.http import PortalRequest


def confirm(
    request: PortalRequest,
    heading: str,
    consequences: Sequence[tuple[str, str]],
    *,
    submit: str,
    trail: Sequence[tuple[str, str]],
    form: Form | None = None,
) -> HttpResponse:
    """Returns the page that asks for a confirmation. `consequences` are pairs of an icon's name and
    a sentence; `trail` names the pages above with their URLs, the last of them to lead back to;
    `form` has further fields."""
    context = {
        "labels": {"heading": heading, "submit": submit, "consequences": consequences},
        "danger": True,
        "form": form or "",
        "trail": trail,
        "cancel": trail[-1][1],
    }
    return render(request, "ui/action.html", context)


def attempt(
    request: PortalRequest, change: Callable[[], object], done: str, refusal: type[Exception]
) -> None:
    """Makes a change and shows that it is done, or why the service refuses it."""
    try:
        change()
    except refusal as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, done)
