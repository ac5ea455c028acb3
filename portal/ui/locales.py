"""The language and the time zone of whoever looks: their own, or those of the browser.

A script keeps the browser's zone in a cookie. A page that was made before the cookie was right says
so by the zone that it was made in, and is loaded once more.
"""

from functools import lru_cache
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.views.decorators.http import require_http_methods

from portal.access.models import User
from portal.contract.types import time_zone_ids
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.forms.widgets import TimeZones
from portal.ui.pages import SeeOther, page
from portal.ui.preferences import way_back
from portal.ui.toasts import toast

BROWSER = "zone"  # the cookie of the script
_LONGEST = 64
_LANGUAGES = dict(settings.LANGUAGES)


def language_of(request: HttpRequest) -> str:
    """The person's own language, or the one offered that the browser likes best."""
    own: str = getattr(request.user, "language", "")
    return own if own in _LANGUAGES else translation.get_language_from_request(request)


def zone_of(request: HttpRequest) -> ZoneInfo | None:
    """The zone of whoever looks; `None` while the browser has not said it."""
    return _chosen(request) or _browsers(request)


def made_in(request: HttpRequest) -> str:
    """The zone that a page is made in, where the browser's may be a better one.

    Empty where the person has chosen it, and for an answer to a form, which cannot be loaded again.
    """
    if request.method != "GET" or _chosen(request):
        return ""
    return timezone.get_current_timezone_name()


class LocaleForm(forms.ModelForm):  # type: ignore[type-arg]
    """Both are empty for the browser's."""

    next = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = User
        fields = ("language", "time_zone")
        widgets = {"time_zone": TimeZones}
        labels = {"language": gettext_lazy("Language"), "time_zone": gettext_lazy("Time zone")}
        help_texts = {
            "time_zone": gettext_lazy(
                "Start typing the name of a city. Leave empty to use the time zone of this browser."
            )
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("The language of this browser")), *settings.LANGUAGES]
        self.fields["language"] = forms.ChoiceField(
            label=_("Language"), choices=choices, required=False
        )

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"].strip()
        known = {each.casefold(): each for each in time_zone_ids()}
        if zone and zone.casefold() not in known:
            raise forms.ValidationError(_("Choose one from the list, such as Europe/Berlin."))
        return known.get(zone.casefold(), "")


@require_http_methods(["GET", "POST"])
def choose_locale(request: HttpRequest) -> HttpResponse:
    """Has Switchboard speak one language and show one time zone, whatever the browser."""
    sent = request.POST if request.method == "POST" else None
    # A copy: what is refused is not the language of the page that says so.
    user = User.objects.get(pk=request.user.pk or 0)
    form = LocaleForm(sent, instance=user, initial={"next": request.GET.get("next", "")})
    if not form.is_valid():
        own = _browsers(request)
        context = {"form": form, "browser_zone": own.key if own else ""}
        return page(request, "ui/locale.html", context, status=422 if form.is_bound else 200)
    user.save(update_fields=["language", "time_zone"])
    request.user = user
    with translation.override(language_of(request)):
        zone = user.time_zone or _("the time zone of this browser")
        toast(request, "good", _("Saved. Times are shown in %(zone)s.") % {"zone": zone})
    return SeeOther(way_back(request))


def _chosen(request: HttpRequest) -> ZoneInfo | None:
    return _known(getattr(request.user, "time_zone", ""))


def _browsers(request: HttpRequest) -> ZoneInfo | None:
    return _known(unquote(request.COOKIES.get(BROWSER, ""))[:_LONGEST])


@lru_cache(256)
def _known(name: str) -> ZoneInfo | None:
    """The zone of this name, if there is one."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None
