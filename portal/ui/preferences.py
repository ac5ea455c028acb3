"""Preferences of the viewer: theme, row height, language and time zone."""

from functools import lru_cache
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from portal.access.models import User
from portal.contract.types import time_zone_ids
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms.widgets import TimeZones
from portal.ui.pages import SeeOther, page, toast

CHOICES = {"theme": ("auto", "light", "dark"), "density": ("roomy", "compact")}
_A_YEAR = 365 * 24 * 3600
BROWSER = "zone"  # the cookie of the script
_LONGEST = 64
_LANGUAGES = dict(settings.LANGUAGES)


def chosen(request: HttpRequest, name: str) -> str:
    """Returns the person's choice, or the first one."""
    value = request.COOKIES.get(name, "")
    return value if value in CHOICES[name] else CHOICES[name][0]


@login_not_required
@require_POST
def choose(request: HttpRequest, name: str) -> HttpResponse:
    """Keeps a choice and returns to the page it was made on."""
    value = request.POST.get(name, "")
    if value not in CHOICES[name]:
        return HttpResponseBadRequest()
    response = SeeOther(way_back(request))
    response.set_cookie(
        name,
        value,
        max_age=_A_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",  # untranslated: of a cookie
    )
    return response


def way_back(request: HttpRequest) -> str:
    """Returns the page that a form says it stands on, if that is one of the portal's."""
    back = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(
        back, {request.get_host()}, require_https=request.is_secure()
    )
    return back if is_own else "/"


def language_of(request: HttpRequest) -> str:
    """Returns the person's own language, or the one offered that the browser likes best."""
    own: str = getattr(request.user, "language", "")
    return own if own in _LANGUAGES else translation.get_language_from_request(request)


def zone_of(request: HttpRequest) -> ZoneInfo | None:
    """Returns the viewer's zone; None while the browser has not sent it."""
    return _chosen(request) or _browsers(request)


def made_in(request: HttpRequest) -> str:
    """Returns the zone that a page is made in, if the browser's may be a better one.

    Empty if the person has chosen it, and for an answer to a form, which cannot be loaded again.
    """
    if request.method != "GET" or _chosen(request):
        return ""
    return timezone.get_current_timezone_name()


class LocaleForm(forms.ModelForm[User]):
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
        zones = {each.casefold(): each for each in time_zone_ids()}
        if zone and zone.casefold() not in zones:
            raise forms.ValidationError(_("Choose one from the list, such as Europe/Berlin."))
        return zones.get(zone.casefold(), "")


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
    return _zone_named(getattr(request.user, "time_zone", ""))


def _browsers(request: HttpRequest) -> ZoneInfo | None:
    return _zone_named(unquote(request.COOKIES.get(BROWSER, ""))[:_LONGEST])


@lru_cache(256)
def _zone_named(name: str) -> ZoneInfo | None:
    """Returns the zone of this name, if there is one."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None
