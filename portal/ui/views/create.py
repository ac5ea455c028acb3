"""Pages that create something once, however often their form is sent."""

from collections.abc import Mapping
from datetime import timedelta
from typing import ClassVar, Generic

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.config import clock
from portal.translation import gettext as _, gettext_lazy
from portal.ui import idempotency
from portal.ui.error_messages import cause_of
from portal.ui.errors import errors_to_form
from portal.ui.models import SentForm
from portal.ui.pages import go, toast, unread_in
from portal.ui.views.action import ActionView, FormT, report_removed
from portal.ui.views.connected import EndpointsView

_LONGEST = timedelta(minutes=2)  # that a request is under way; older ones have lost their process
_UNCONFIRMED = gettext_lazy("The service did not confirm the first attempt.")
# What may be uncertain once the form was sent.
UNANSWERED = "unanswered"
BEING_SENT = "being_sent"
ABSENT = "absent"  # it turned out that it does not exist


class CreateView(ActionView[FormT]):
    """Creates something; a second click, or a reload, leads to what the first one created.

    If the service gave no answer, sending the form again looks whether it is there after all,
    before it is created again. With `checks_at_once` it does so right after the first attempt.
    """

    is_sent_once = True
    checks_at_once: ClassVar[bool] = False

    @property
    def noun(self) -> str:
        """Returns the word for what is created."""
        raise NotImplementedError

    def perform(self, form: FormT) -> str:
        """Creates it; returns what identifies it, for `created`. Raises `ApiError`."""
        raise NotImplementedError

    def find(self, form: FormT) -> str | None:
        """Finds one that an attempt without an answer may have created. Raises `ApiError`."""
        raise NotImplementedError

    def created(self, form: FormT) -> str:
        """Returns the text of the toast."""
        raise NotImplementedError

    def url_of(self, result: str) -> str:
        """Returns the address that follows: the page of the new object, or of the list that
        contains it."""
        raise NotImplementedError

    def post(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        form = self.get_form(request.POST)
        key = request.POST.get("idempotency_key", "")
        result, is_resolved = None, True
        if form.is_valid():
            with errors_to_form(form), idempotency.attempt(request.user, key) as attempt:
                if attempt.earlier:
                    is_resolved = attempt.earlier.state == SentForm.State.DONE
                    result, key = self._follow(form, attempt.earlier)
                else:
                    result = self._create(form)
                    if not form.errors:
                        attempt.done(result)
            if self.checks_at_once and self._may_be_there:
                is_resolved = False
                form = self.get_form(request.POST)
                with errors_to_form(form):
                    result = self.find(form) if form.is_valid() else None
                    if result is None:
                        key = self._absent(form)
        if form.errors or result is None:
            return self.render(form, idempotency_key=key or idempotency.new_key())
        if not is_resolved:
            # What identifies it need not be unique: an older one may be just like it.
            now = _("A matching %(noun)s is there now.") % {"noun": self.noun}
            toast(request, "neutral", f"{_UNCONFIRMED} {now}")
        else:
            toast(request, "good", self.created(form))
            report_removed(request, form)
        return go(request, self.url_of(result))

    _may_be_there = False  # whether this attempt was not answered

    def _create(self, form: FormT) -> str:
        try:
            return self.perform(form)
        except ApiError as error:
            self._may_be_there = error.may_have_happened
            raise

    def _absent(self, form: FormT) -> str:
        """Adds the error that there is none; returns the key under which the next one is sent."""
        form.add_error(
            None, _("There is no such %(noun)s yet. It can be created now.") % {"noun": self.noun}
        )
        return idempotency.new_key()

    def _follow(self, form: FormT, earlier: SentForm) -> tuple[str | None, str]:
        """Returns the result of an earlier attempt, and the key for sending the next one."""
        if earlier.state == SentForm.State.DONE:
            return earlier.result, earlier.ticket
        result = self.find(form)
        if result is not None:
            return result, earlier.ticket
        is_sending = earlier.state == SentForm.State.SENDING
        if is_sending and clock.now() - earlier.sent_at < _LONGEST:
            form.add_error(None, _("This is being sent already. Try again in a moment."))
            return None, earlier.ticket
        return None, self._absent(form)


class CheckedCreateView(EndpointsView, Generic[FormT]):
    """Creates something once, however often its form is sent.

    If the service gave no answer, the form stays and is not sent again. A button, which leads to
    the endpoint `look`, asks the service whether the object is there after all; only if it is not
    may the form be sent again. `ui/forms/uncertain.html` says all that, in the words of
    `uncertain`: heading and text for each state.
    """

    methods: ClassVar = {"page": ("GET", "POST"), "look": ("POST",)}

    password: ClassVar[str]  # the field that is never shown again
    subject: ClassVar[str | None] = None  # the field with the object that it is created for

    @property
    def uncertain(self) -> Mapping[str, tuple[str, str]]:
        """Returns the heading and the text of each state."""
        raise NotImplementedError

    @property
    def check(self) -> str:
        """Returns the label of the button that asks the service."""
        raise NotImplementedError

    def first_form(self) -> FormT:
        """Returns the form as it opens."""
        raise NotImplementedError

    def get_form(self) -> FormT:
        raise NotImplementedError

    def perform(self, form: FormT) -> str:
        """Creates it; returns what identifies it. Raises `ApiError`."""
        raise NotImplementedError

    def find(self, form: FormT) -> str | None:
        """Finds one that an attempt without an answer may have created. Raises `ApiError`."""
        raise NotImplementedError

    def url_of(self, result: str) -> str:
        """Returns the page of what was created."""
        raise NotImplementedError

    def created(self, form: FormT, result: str) -> HttpResponse:
        """Says that it was created, and leads on."""
        raise NotImplementedError

    def existed(self, form: FormT, result: str) -> None:
        """Tells the user that it exists."""
        raise NotImplementedError

    def created_before(self) -> str:
        """Returns the text for a second click."""
        raise NotImplementedError

    def show(self, form: FormT, context: Mapping[str, object]) -> HttpResponse:
        """Returns the page; 422 if the form has errors, or `uncertain` is in the context."""
        raise NotImplementedError

    def confirmation(self, form: FormT) -> HttpResponse | None:
        """Returns a page that asks something first, though the form is right."""
        return None

    def absent(self, form: FormT) -> None:
        """Follows a search without such an object; may add an error that says why."""

    def refused(self, error: ApiError | None, form: FormT) -> dict[str, object]:
        """Returns the page's context beside the errors of a creation that was refused."""
        return {}

    def answer_page(self, request: PortalRequest, **_kwargs: object) -> HttpResponse:
        if request.method == "POST":
            return self.submit(self.get_form())
        return self.render_form(self.first_form(), key=idempotency.new_key())

    def answer_look(self, _request: PortalRequest, **_kwargs: object) -> HttpResponse:
        return self.check_created(self.get_form())

    def submit(self, form: FormT) -> HttpResponse:
        if not form.is_valid():
            return self.render_form(form)
        failure: ApiError | None = None
        key = self.idempotency_key
        attempting = idempotency.attempt(self.request.user, key)
        with errors_to_form(form, self.subject), attempting as attempt:
            if attempt.earlier:
                return self._follow(form, attempt.earlier)
            if confirmation := self.confirmation(form):
                return confirmation
            try:
                result = self.perform(form)
            except ApiError as error:
                failure = error
                raise
            attempt.done(result)
            return self.created(form, result)
        if failure and failure.may_have_happened:
            return self.render_form(form, UNANSWERED, cause=cause_of(failure))
        return self.render_form(form, **self.refused(failure, form))

    def check_created(self, form: FormT) -> HttpResponse:
        if not form.is_valid():
            return self.render_form(form)
        result = None
        with errors_to_form(form):
            result = self.find(form)
        if form.errors:
            cause = " ".join(map(str, form.non_field_errors()))
            return self.render_form(form, UNANSWERED, cause=cause)
        if result is not None:
            self.existed(form, result)
            return go(self.request, self.url_of(result))
        if unread_in(self.request):
            return self.render_form(
                form, UNANSWERED
            )  # it may be one of those that could not be read
        self.absent(form)
        return self.render_form(form, "" if form.errors else ABSENT, key=idempotency.new_key())

    def render_form(
        self, form: FormT, state: str = "", *, key: str = "", **more: object
    ) -> HttpResponse:
        """Returns the form, with what is uncertain; `cause` says why that is not known."""
        heading, text = self.uncertain[state] if state else ("", "")
        context = {
            "idempotency_key": key or self.idempotency_key or idempotency.new_key(),
            "uncertain": {"heading": heading, "text": text, "is_absent": state == ABSENT}
            if state
            else None,
            "search_again": self.url("look"),
            "check": self.check,
            "has_lost_password": bool(form.data.get(self.password)) and not self.request.htmx,
        }
        return self.show(form, context | more)

    @property
    def idempotency_key(self) -> str:
        """That of the form that was sent. PostgreSQL refuses NUL in text."""
        return self.request.POST.get("idempotency_key", "").replace("\x00", "")[:64]

    def _follow(self, form: FormT, earlier: SentForm) -> HttpResponse:
        if earlier.state == SentForm.State.DONE:
            toast(self.request, "neutral", self.created_before())
            return go(self.request, self.url_of(earlier.result))
        is_sending = earlier.state == SentForm.State.SENDING
        return self.render_form(form, BEING_SENT if is_sending else UNANSWERED)
