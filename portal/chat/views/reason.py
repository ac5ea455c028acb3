"""The page that asks for a reason before the archive opens."""

from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.text import format_lazy
from django.views.decorators.http import require_POST

from portal.access.http import PortalRequest
from portal.chat import services
from portal.contract.chat import Chat
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.pages import go
from portal.ui.views import ActionView, Labels
from portal.ui.views.connected import ConnectedView

_LEAST = 10  # characters


class ArchiveReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        min_length=_LEAST,
        max_length=500,
        help_text=format_lazy(
            gettext_lazy(
                "Such as the case or the request that this is about, with its number. At least "
                "{least} characters."
            ),
            least=_LEAST,
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class GiveReasonView(ActionView):
    """Asks why somebody wants to read the archive."""

    needs = Chat.sessions
    form_class: ClassVar[type[forms.Form]] = ArchiveReasonForm

    def labels(self) -> Labels:
        minutes = int(services.VALID_FOR.total_seconds() // 60)
        return Labels(
            _("Why do you need to read the chat archive?"),
            submit=_("Open chat archive"),
            lead=_("Messages between people of %(name)s are private.")
            % {"name": self.request.connection.name},
            consequences=[
                (
                    "scroll-text",
                    _(
                        "The audit trail records each page that you open and each search, with this"
                        " reason."
                    ),
                ),
                (
                    "clock",
                    _("You will be asked again after %(minutes)s minutes.") % {"minutes": minutes},
                ),
            ],
        )

    def perform(self, form: Any) -> str:
        services.give(self.request, form.cleaned_data["reason"])
        return ""

    def next_url(self) -> str:
        return _next(self.request) or reverse("chat:list", args=[self.request.connection.key])

    def cancel_url(self) -> str:
        return reverse("home")


@method_decorator(require_POST, name="dispatch")
class EndReadingView(ActionView):
    """Closes the archive: the next look asks for a reason again."""

    needs = Chat.sessions

    def labels(self) -> Labels:
        return Labels(_("Close the chat archive?"), submit=_("Close chat archive"))

    def perform(self, form: Any) -> str:
        services.end(self.request)
        return _("The chat archive is closed.")

    def cancel_url(self) -> str:
        return reverse("home")


class WithReasonView(ConnectedView):
    """A view of the archive: opened with a reason only, and never kept by a browser or proxy."""

    def _dispatch(self, request: PortalRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not services.reason_of(request):
            return go(
                request, f"{reverse('chat:reason', args=[request.connection.key])}?{_here(request)}"
            )
        response = super()._dispatch(request, *args, **kwargs)
        response["Cache-Control"] = "no-store, private"  # untranslated: a header
        return response


def _here(request: HttpRequest) -> str:
    """The page to come back to: the address of a list, not of a part or a file of it."""
    is_page = request.method == "GET" and not request.htmx  # type: ignore[attr-defined]
    return urlencode({"next": request.get_full_path()}) if is_page else ""


def _next(request: HttpRequest) -> str:
    wanted = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if is_ours and wanted.startswith("/") else ""
