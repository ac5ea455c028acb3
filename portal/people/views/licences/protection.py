"""Protections of licences: listed, added and ended."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.users import Users
from portal.people.forms.licences import ProtectionForm
from portal.people.models import Protection
from portal.people.services import protection
from portal.translation import gettext as _
from portal.ui.pages import page
from portal.ui.views import ActionView, Labels


@require_safe
@connected(needs=Users.list)
def protected(request: PortalRequest) -> HttpResponse:
    """Everything that protects licences on the connection."""
    entries = list(protection.listed(request.scope))
    return page(request, "people/licences_protected.html", {"entries": entries})


class _LicencesActionView(ActionView):
    """An action below the page of licences."""

    needs: ClassVar[Any] = Users.update

    def licences_url(self, name: str = "licences") -> str:
        return reverse(f"people:{name}", args=[self.request.connection.key])

    def cancel_url(self) -> str:
        return self.licences_url("licences-protected")

    def context(self) -> dict[str, Any]:
        return {
            "trail": [
                (_("People"), self.licences_url("list")),
                (_("Licences"), self.licences_url()),
            ]
        }


class AddProtectionView(_LicencesActionView):
    """Protects a person, a department or a group."""

    def get_form(self, data: Any = None) -> ProtectionForm:
        return ProtectionForm(self.request.scope, data)

    def labels(self) -> Labels:
        return Labels(
            _("Protect licences"),
            submit=_("Protect"),
            lead=_("Licences of these people are never suggested, and no job reclaims them."),
        )

    def perform(self, form: Any) -> str:
        origin, connection = origin_of(self.request), self.request.connection
        for kind, key, name in form.named:
            reason = form.cleaned_data["reason"]
            protection.protect(origin, connection, kind, [(key, name)], reason)
        names = ", ".join(name for _kind, _key, name in form.named)
        return _("Protected: %(names)s.") % {"names": names}


class EndProtectionView(_LicencesActionView):
    """Ends a protection; the licences stay until somebody reclaims them."""

    entry: Protection

    def prepare(self) -> None:
        own = protection.listed(self.request.scope)
        self.entry = get_object_or_404(own, pk=self.kwargs["protection_id"])

    def labels(self) -> Labels:
        return Labels(
            _("End the protection of %(entry)s?") % {"entry": self.entry},
            submit=_("End protection"),
            lead=_("Unused licences are suggested again. Nothing is reclaimed by this."),
        )

    def perform(self, form: Any) -> str:
        protection.release(origin_of(self.request), self.request.connection, self.entry)
        return _("%(entry)s is no longer protected.") % {"entry": self.entry}
