"""A page that changes something that is there."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.contract.model import Model
from portal.ui.faults import errors_to_form
from portal.ui.forms.focus import focused
from portal.ui.forms.state import unsign
from portal.ui.views.action import ActionView


class EditView(ActionView):
    """A contract form over what the service holds; only what differs from that is sent.

    While the service does not answer, what was typed is laid over what the form was opened with,
    and shown again.
    """

    def get_form(self, data: Any = None, **more: Any) -> Any:
        return self.form_class(data, **more)

    def current(self) -> Any:
        """Returns the object as the service has it now. Raises `ApiError`."""
        raise NotImplementedError

    def perform(self, form: Any) -> str:
        changes = form.changes()
        return self.save(changes) if changes else ""

    def save(self, changes: Model) -> str:
        """Has the changes sent; the text of the toast. Raises `ApiError`."""
        raise NotImplementedError

    def opened_with(self) -> Mapping[str, Any]:
        """Returns the values of the fields when the form was opened, without secrets."""
        return unsign(self.request.POST.get("was", "")) or {}

    def get(self, *_args: Any, **_kwargs: Any) -> HttpResponse:
        return self.render(focused(self.get_form(initial=self.current())))

    def post(self, request: PortalRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        form: Any = self.get_form(request.POST, initial=self.opened_with())
        with errors_to_form(form):
            form = self.get_form(request.POST, initial=self.current())
        return self.submit(form)
