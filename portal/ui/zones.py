"""The time zone in which times are shown: the browser's, or one that the person has chosen.

A script keeps the browser's in a cookie. A page that was made before the cookie was right says so
by the zone that it was made in, and is loaded once more.
"""

from functools import lru_cache
from urllib.parse import quote, unquote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from portal.contract.types import time_zone_ids
from portal.ui.forms.widgets import TimeZones
from portal.ui.pages import SeeOther, page
from portal.ui.preferences import set_cookie, way_back
from portal.ui.toasts import toast

BROWSER = "zone"  # the cookie of the script
CHOSEN = "chosen_zone"
_LONGEST = 64


def zone_of(request: HttpRequest) -> ZoneInfo | None:
    """The zone of whoever looks; `None` while the browser has not said it."""
    return _kept(request, CHOSEN) or _kept(request, BROWSER)


def made_in(request: HttpRequest) -> str:
    """The zone that a page is made in, where the browser's may be a better one.

    Empty where the person has chosen it, and for an answer to a form, which cannot be loaded again.
    """
    if request.method != "GET" or _kept(request, CHOSEN):
        return ""
    return timezone.get_current_timezone_name()


class ZoneForm(forms.Form):
    """`zone` is empty for the browser's."""

    zone = forms.CharField(
        label="Time zone",
        required=False,
        max_length=_LONGEST,
        widget=TimeZones,
        help_text=(
            "Start typing the name of a city. Leave empty to use the time zone of this browser."
        ),
    )
    next = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"].strip()
        known = {each.casefold(): each for each in time_zone_ids()}
        if zone and zone.casefold() not in known:
            raise forms.ValidationError("Choose one from the list, such as Europe/Berlin.")
        return known.get(zone.casefold(), "")


@require_http_methods(["GET", "POST"])
def choose_zone(request: HttpRequest) -> HttpResponse:
    """Has all times shown in one zone, wherever the browser is; kept in a cookie of the browser."""
    chosen = _kept(request, CHOSEN)
    initial = {"zone": chosen.key if chosen else "", "next": request.GET.get("next", "")}
    form = ZoneForm(request.POST if request.method == "POST" else None, initial=initial)
    if not form.is_valid():
        own = _kept(request, BROWSER)
        context = {"form": form, "browser_zone": own.key if own else ""}
        return page(request, "ui/zone.html", context, status=422 if form.is_bound else 200)
    zone = form.cleaned_data["zone"]
    toast(request, "good", f"Times are now shown in {zone or 'the time zone of this browser'}.")
    answer = SeeOther(way_back(request))
    if zone:
        set_cookie(answer, CHOSEN, quote(zone, safe=""))
    else:
        answer.delete_cookie(CHOSEN)
    return answer


def _kept(request: HttpRequest, cookie: str) -> ZoneInfo | None:
    return _known(unquote(request.COOKIES.get(cookie, ""))[:_LONGEST])


@lru_cache(256)
def _known(name: str) -> ZoneInfo | None:
    """The zone of this name, if there is one."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None
