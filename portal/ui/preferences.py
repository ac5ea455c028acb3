"""Display preferences, kept in cookies: theme and row height."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from portal.ui.pages import SeeOther

CHOICES = {"theme": ("auto", "light", "dark"), "density": ("roomy", "compact")}
_A_YEAR = 365 * 24 * 3600


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
    set_cookie(response, name, value)
    return response


def set_cookie(response: HttpResponse, name: str, value: str) -> None:
    """Keeps a choice in the browser."""
    response.set_cookie(
        name,
        value,
        max_age=_A_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",  # untranslated: of a cookie
    )


def way_back(request: HttpRequest) -> str:
    """The page that a form says it stands on, if that is one of the portal's."""
    back = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(
        back, {request.get_host()}, require_https=request.is_secure()
    )
    return back if is_own else "/"
