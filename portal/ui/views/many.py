"""A page that names many people, each of whom something is done to."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext_noop

from portal.translation import gettext as _
from portal.ui import idempotency
from portal.ui.many import ManyOutcome, outcome_context
from portal.ui.toasts import toast
from portal.ui.views.action import ActionView


class ManyView(ActionView):
    """Does something to many people; those to whom it could not be done stay in the form.

    It is done once, however often the form is sent; what is left is sent by a form of its own.
    """

    verb_done: ClassVar[str] = gettext_noop("added")

    def carry_out(self, form: Any) -> ManyOutcome[Any]:
        """Has it done to all of them, as far as that goes."""
        raise NotImplementedError

    def rest(self, outcome: ManyOutcome[Any]) -> Any:
        """The form with those who are left, as they were named."""
        raise NotImplementedError

    def done(self, outcome: ManyOutcome[Any]) -> str:
        """The text of the toast, where it was done to all of them."""
        raise NotImplementedError

    def submit(self, form: Any) -> HttpResponse:
        key = self.request.POST.get("idempotency_key", "")
        if not form.is_valid():
            return self.render(form)
        with idempotency.attempt(self.request.user, key) as attempt:
            if attempt.earlier:
                toast(self.request, "neutral", _("This form was already sent. Check the list."))
                return self.go_on("")
            outcome = self.carry_out(form)
            if outcome.is_whole:
                attempt.done(self.verb_done)
                return self.go_on(self.done(outcome))
        return self.render(self.rest(outcome), outcome=outcome)

    def render(
        self, form: Any, *, outcome: ManyOutcome[Any] | None = None, **more: Any
    ) -> HttpResponse:
        more = {"idempotency_key": idempotency.new_key(), **more}
        return super().render(form, **more, **outcome_context(outcome, self.verb_done))
