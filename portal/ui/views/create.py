"""A page that creates something once, however often its form is sent."""

from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from portal.access.http import PortalRequest
from portal.ui import idempotency
from portal.ui.faults import errors_to_form
from portal.ui.models import SentForm
from portal.ui.pages import go
from portal.ui.toasts import toast
from portal.ui.views.action import ActionView

_LONGEST = timedelta(minutes=2)  # that a request is under way; older ones have lost their process

_UNCONFIRMED = "The service did not confirm the first attempt."


class CreateView(ActionView):
    """Creates something; a second click, or a reload, leads to what the first one created.

    Where the service gave no answer, sending the form again looks whether it is there after all,
    before it is created anew.
    """

    noun: str

    def perform(self, form: Any) -> str:
        """Has it created; what tells it from others, for `created`. Raises `ApiError`."""
        raise NotImplementedError

    def find(self, form: Any) -> str | None:
        """The same of one that an attempt without an answer may have created. Raises `ApiError`."""
        raise NotImplementedError

    def created(self, form: Any) -> str:
        """The text of the toast."""
        raise NotImplementedError

    def url_of(self, result: str) -> str:
        """Where it goes on; the page of what was created, or of those among whom it is listed."""
        raise NotImplementedError

    def post(self, request: PortalRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        form = self.get_form(request.POST)
        key = request.POST.get("idempotency_key", "")
        result = None
        if form.is_valid():
            with errors_to_form(form), idempotency.attempt(request.user, key) as attempt:
                if attempt.earlier:
                    result, key = self._follow(form, attempt.earlier)
                else:
                    result = self.perform(form)
                    if not form.errors:
                        attempt.done(result)
        if form.errors or result is None:
            return self.render(form, idempotency_key=key or idempotency.new_key())
        if attempt.earlier and attempt.earlier.state != SentForm.State.DONE:
            # What tells it from others need not be unique: an older one may be just like it.
            toast(request, "neutral", f"{_UNCONFIRMED} A matching {self.noun} is there now.")
        else:
            toast(request, "good", self.created(form))
        return go(request, self.url_of(result))

    def render(self, form: Any, **more: Any) -> HttpResponse:
        return super().render(form, **{"idempotency_key": idempotency.new_key(), **more})

    def _follow(self, form: Any, earlier: SentForm) -> tuple[str | None, str]:
        """What came of an earlier attempt, and the key under which the next one is sent."""
        if earlier.state == SentForm.State.DONE:
            return earlier.result, earlier.ticket
        found = self.find(form)
        if found is not None:
            return found, earlier.ticket
        is_sending = earlier.state == SentForm.State.SENDING
        if is_sending and timezone.now() - earlier.sent_at < _LONGEST:
            form.add_error(None, "This is being sent already. Try again in a moment.")
            return None, earlier.ticket
        form.add_error(None, f"There is no such {self.noun} yet. It can be created now.")
        return None, idempotency.new_key()
