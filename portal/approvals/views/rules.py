"""The approval rules of a connection, set by its owner."""

from functools import cached_property
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.urls import reverse

from portal.access.approval_rules import approvers_of
from portal.access.connected import NoOperation
from portal.access.http import PortalRequest
from portal.access.models import User
from portal.access.origin import origin_of
from portal.access.reauthentication import did_lately
from portal.access.roles import Role
from portal.approvals.forms import RulesForm
from portal.approvals.services import rules
from portal.approvals.subjects import ApprovalRefused
from portal.approvals.views.found import request_url
from portal.translation import gettext as _
from portal.ui.pages import go
from portal.ui.views import ActionView, Labels


class EditRulesView(ActionView):
    """Sets the rules after a fresh proof; weaker ones wait for another administrator."""

    needs = NoOperation("Owners alone set the rules of their connection.")
    template_name = "approvals/rules.html"

    @cached_property
    def limits(self) -> dict[str, Any]:
        return rules.limits_of(self.request.connection)

    @cached_property
    def others(self) -> list[User]:
        return approvers_of(self.request.connection, [self.request.user])

    @property
    def is_on(self) -> bool:
        return rules.asks_for_something(self.limits)

    def prepare(self) -> None:
        if self.request.scope.role != Role.ADMINISTRATOR:
            raise PermissionDenied
        if self.request.connection.owner_id != self.request.user.pk:
            raise Http404

    def get_form(self, data: Any = None) -> RulesForm:
        initial = dict(self.limits)
        if not self.is_on:
            initial["operations"] = rules.suggested()
        return RulesForm(data, initial=initial)

    def labels(self) -> Labels:
        can_be_on = self.others or self.is_on or self.request.method == "POST"
        return Labels(_("Approval rules"), submit=_("Save rules") if can_be_on else "")

    def submit(self, form: RulesForm) -> HttpResponse:
        if form.is_valid() and not did_lately(self.request):
            raise ReauthenticationRequired
        return super().submit(form)

    def perform(self, form: RulesForm) -> str:
        origin, connection = origin_of(self.request), self.request.connection
        try:
            self.asked = rules.change(
                origin, connection, form.limits(), form.cleaned_data["reason"]
            )
        except ApprovalRefused as problem:
            form.add_error(None, str(problem))
            return ""
        if self.asked:
            return _(
                "Another administrator has to approve these rules. Until then the present hold."
            )
        return _("Rules saved.")

    def go_on(self, done: str) -> HttpResponse:
        response = super().go_on(done)
        return go(self.request, request_url(self.asked)) if self.asked else response

    def cancel_url(self) -> str:
        return reverse("approvals:list", args=[self.request.connection.key])

    def context(self) -> dict[str, Any]:
        form_operations = set(self.limits["operations"])
        return {
            "trail": [(_("Approvals"), self.cancel_url())],
            "others": self.others,
            "is_on": self.is_on,
            "chosen_before": form_operations,
        }

    def post(self, request: PortalRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.asked = None
        return super().post(request, *args, **kwargs)
