"""A page that does something to rows which somebody selected in a list."""

from typing import Any

from django.http import HttpResponse, QueryDict

from portal.access.http import PortalRequest
from portal.ui import idempotency
from portal.ui.forms.focus import focused
from portal.ui.pages import go
from portal.ui.picking import FIELD, answer_search
from portal.ui.selection import Selection, SelectionRefused, chosen_in
from portal.ui.toasts import toast
from portal.ui.views.action import ActionView

CONFIRMED = "confirmed"  # the field that tells this page's own form from that of the list


class ChosenView(ActionView):
    """An action on the rows that a list's form sends; its own form carries the selection on."""

    selection: Selection

    def choose(self) -> None:
        """Finds what `selection` means. Raises `SelectionRefused`, and `ApiError` where the service
        is asked."""
        raise NotImplementedError

    def listed_from(self) -> str:
        """Returns what of the list could not be read, in words; all of it is without these."""
        return ""

    def search_form(self) -> Any:
        """The form whose fields are searched: a script's search carries no selection. Raises
        `Http404` where none is."""
        return self.get_form()

    def carried(self) -> list[tuple[str, str]]:
        """The selection as hidden fields."""
        return self.selection.fields

    def get(self, request: PortalRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        if FIELD in request.GET:
            return answer_search(request, self.search_form())
        return self._refused(request.GET) or self.render(focused(self.get_form()))

    def post(self, request: PortalRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if refused := self._refused(request.POST):
            return refused
        if CONFIRMED not in request.POST:
            return self.render(focused(self.get_form()))
        return super().post(request, *args, **kwargs)

    def render(self, form: Any, **more: Any) -> HttpResponse:
        carried = [*self.carried(), (CONFIRMED, "1")]
        more = {"idempotency_key": idempotency.new_key(), "carried": carried, **more}
        return super().render(form, **more)

    def _refused(self, data: QueryDict) -> HttpResponse | None:
        try:
            self.selection = chosen_in(data)
            self.choose()
            if self.selection.matching is not None:
                self.request.unread.add(self.listed_from())
        except SelectionRefused as refused:
            toast(self.request, "warning", str(refused))
            return go(self.request, self.cancel_url())
        return None
