"""A page that creates something once, however often its form is sent."""

from datetime import timedelta
from typing import Any, ClassVar

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.config import clock
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui import idempotency
from portal.ui.faults import errors_to_form
from portal.ui.models import SentForm
from portal.ui.pages import go
from portal.ui.toasts import toast
from portal.ui.views.action import ActionView, say_removed

_LONGEST = timedelta(minutes=2)  # that a request is under way; older ones have lost their process

_UNCONFIRMED = gettext_lazy("The service did not confirm the first attempt.")


class CreateView(ActionView):
    """Creates something; a second click, or a reload, leads to what the first one created.

    Where the service gave no answer, sending the form again looks whether it is there after all,
    before it is created again. With `looks_at_once` it does so right after the first attempt.
    """

    noun: str
    looks_at_once: ClassVar[bool] = False

    def perform(self, form: Any) -> str:
        """Has it created; what identifies it, for `created`. Raises `ApiError`."""
        raise NotImplementedError

    def find(self, form: Any) -> str | None:
        """Finds one that an attempt without an answer may have created. Raises `ApiError`."""
        raise NotImplementedError

    def created(self, form: Any) -> str:
        """The text of the toast."""
        raise NotImplementedError

    def url_of(self, result: str) -> str:
        """Returns the address that follows: the page of the new object, or of the list that
        contains it."""
        raise NotImplementedError

    def post(self, request: PortalRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        form = self.get_form(request.POST)
        key = request.POST.get("idempotency_key", "")
        result, is_settled = None, True
        if form.is_valid():
            with errors_to_form(form), idempotency.attempt(request.user, key) as attempt:
                if attempt.earlier:
                    is_settled = attempt.earlier.state == SentForm.State.DONE
                    result, key = self._follow(form, attempt.earlier)
                else:
                    result = self._create(form)
                    if not form.errors:
                        attempt.done(result)
            if self.looks_at_once and self._may_be_there:
                is_settled = False
                form = self.get_form(request.POST)
                with errors_to_form(form):
                    result = self.find(form) if form.is_valid() else None
                    if result is None:
                        key = self._absent(form)
        if form.errors or result is None:
            return self.render(form, idempotency_key=key or idempotency.new_key())
        if not is_settled:
            # What identifies it need not be unique: an older one may be just like it.
            now = _("A matching %(noun)s is there now.") % {"noun": self.noun}
            toast(request, "neutral", f"{_UNCONFIRMED} {now}")
        else:
            toast(request, "good", self.created(form))
            say_removed(request, form)
        return go(request, self.url_of(result))

    def render(self, form: Any, **more: Any) -> HttpResponse:
        return super().render(form, **{"idempotency_key": idempotency.new_key(), **more})

    _may_be_there = False  # whether this attempt was not answered

    def _create(self, form: Any) -> str:
        try:
            return self.perform(form)
        except ApiError as error:
            self._may_be_there = error.may_have_happened
            raise

    def _absent(self, form: Any) -> str:
        """Says that there is none, and the key under which the next one is sent."""
        form.add_error(
            None, _("There is no such %(noun)s yet. It can be created now.") % {"noun": self.noun}
        )
        return idempotency.new_key()

    def _follow(self, form: Any, earlier: SentForm) -> tuple[str | None, str]:
        """Returns the result of an earlier attempt, and the key for sending the next one."""
        if earlier.state == SentForm.State.DONE:
            return earlier.result, earlier.ticket
        found = self.find(form)
        if found is not None:
            return found, earlier.ticket
        is_sending = earlier.state == SentForm.State.SENDING
        if is_sending and clock.now() - earlier.sent_at < _LONGEST:
            form.add_error(None, _("This is being sent already. Try again in a moment."))
            return None, earlier.ticket
        return None, self._absent(form)
