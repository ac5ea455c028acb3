"""Which roles need two-factor authentication, chosen by administrators."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from portal.access.factor_rule_form import SecondFactorForm
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.access.services import second_factor
from portal.access.views.team import administrators_only
from portal.translation import gettext as _


@administrators_only
def requirement(request: PortalRequest) -> HttpResponse:
    form = SecondFactorForm(
        second_factor.states(), request.POST if request.method == "POST" else None
    )
    if form.is_valid():
        try:
            changed = second_factor.require(origin_of(request), form.wanted())
        except second_factor.SecondFactorRefused as refusal:
            form.add_error("administrator", str(refusal))
        else:
            if changed:
                messages.success(request, _("Who needs two-factor authentication was changed."))
            return redirect("access:team")
    status = 422 if form.is_bound else 200
    return render(request, "access/second_factor.html", {"form": form}, status=status)
