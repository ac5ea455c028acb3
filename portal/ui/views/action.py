"""A page that asks something, calls the service, and leads on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import ClassVar, Generic

from django import forms
from django.conf import settings
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.urls import reverse
from django.utils import translation
from typing_extensions import TypeVar

from portal.access.http import PortalRequest
from portal.connections.approval_rules import ApprovalRequired, is_chosen
from portal.contract.model import Model
from portal.contract.operation import Operation
from portal.translation import gettext as _, gettext_lazy
from portal.ui import idempotency
from portal.ui.autocomplete import FIELD, FIND, answer_search, unchecked
from portal.ui.errors import errors_to_form
from portal.ui.forms import ContractForm
from portal.ui.forms.fields import with_unseen
from portal.ui.forms.layout import focused, unsign
from portal.ui.pages import go, page, toast
from portal.ui.views.connected import ConnectedView
from portal.ui.ways_back import way_back_of, without_secrets

FormT = TypeVar("FormT", bound=forms.BaseForm, default=forms.Form)
ModelT = TypeVar("ModelT", bound=Model, default=Model)
REASON = "approval-reason"  # the field of an action's page


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Why it is needed, for whoever approves it."),
    )


def reason_form_of(request: PortalRequest) -> ReasonForm:
    """Returns the form of the reason within the form of an action."""
    return ReasonForm(initial={"reason": request.POST.get(REASON, "")}, prefix="approval")


@contextmanager
def giving_reason(request: PortalRequest, shown: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Gives a call that waits for an approval the reason, and what its page has `shown`, in each
    language: the question first."""
    try:
        yield
    except ApprovalRequired as required:
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                required.shown[language] = [str(words) for words in shown() if words]
        required.reason = request.POST.get(REASON, "").strip()[:1000]
        raise


@dataclass(frozen=True)
class Labels:
    """The text of an action's page.

    `submit` is on the button; without it there is no form, since nothing can be done. `lead` is a
    paragraph before the form. `consequences` say what the action does, and what it leaves alone:
    the name of an icon and a sentence each. `hint` stands above the button.
    """

    heading: str
    submit: str
    lead: str = ""
    consequences: Sequence[tuple[str, str]] = ()
    hint: str = ""


class ActionView(ConnectedView, Generic[FormT]):
    """A form that has an operation of the service carried out, in a dialog or as a page.

        class DeleteGroupView(GroupActionView):
            needs = Groups.delete
            is_destructive = True

            def labels(self) -> Labels:
                heading = _("Delete %(name)s?") % {"name": self.group.name}
                return Labels(heading, submit=_("Delete group"))

            def perform(self, form: object) -> str:
                self.request.api.groups.delete(self.group.id)
                return _("%(name)s is deleted.") % {"name": self.group.name}

    Who may not call `needs` is refused. What `perform` raises of the service's becomes errors of
    the form, which keeps what was typed; else its text is shown as a toast on the page that
    `next_url` names. Without a `form_class` the page only asks for confirmation. That an operation
    has no way back the page says by itself.
    """

    http_method_names = ["get", "head", "post", "options"]

    template_name: ClassVar[str] = "ui/action.html"
    # Whether its form carries an idempotency key, and is carried out once however often it is sent.
    is_sent_once: ClassVar[bool] = False
    # The pages of the connection above this one, the nearest last: titles, and names of URLs.
    above: ClassVar[Sequence[tuple[str, str]]] = ()

    @property
    def form_class(self) -> type[FormT]:
        """Returns the class of the form, `FormT` wherever it is another than Django's."""
        return forms.Form  # type: ignore[return-value]

    @property
    def is_destructive(self) -> bool:
        """Returns whether something is lost by it, which its button warns of."""
        return False

    def labels(self) -> Labels:
        raise NotImplementedError

    def get_form(self, data: QueryDict | None = None) -> FormT:
        """Returns the form, bound if there is data."""
        return self.form_class(data)

    def perform(self, form: FormT) -> str:
        """Carries the action out; returns the text of the toast, or nothing. May add errors to the
        form instead."""
        raise NotImplementedError

    def next_url(self) -> str:
        """Returns the address that follows the action."""
        return self.cancel_url()

    def trail(self) -> list[tuple[str, str]]:
        """Returns the titles and addresses of the pages above, the nearest last."""
        key = self.request.connection.key
        return [(title, reverse(name, args=[key])) for title, name in self.above]

    def cancel_url(self) -> str:
        """Returns the address that is returned to; by default the nearest page above."""
        return self.trail()[-1][1]

    def context(self) -> dict[str, object]:
        """Returns the template's further context."""
        return {}

    def way_back(self) -> str:
        """Returns a warning if the operation has no way back, or an odd one; else empty."""
        return way_back_of(self.operation())

    def needs_approval(self) -> bool:
        """Returns whether the rules have another administrator approve the operation."""
        operation = self.operation()
        return isinstance(operation, Operation) and is_chosen(self.request.connection, operation)

    def reason_form(self) -> ReasonForm | None:
        """Returns the form of the reason, which the action's own button sends; None if it sends
        nothing that waits for an approval."""
        if not self.needs_approval():
            return None
        return reason_form_of(self.request)

    def shown(self) -> Iterator[str]:
        """Yields the text of the page about the action, for the administrator who approves it."""
        labels = self.labels()
        yield from (labels.heading, labels.lead)
        yield from (words for _icon, words in labels.consequences)
        yield self.way_back()

    def _dispatch(
        self, request: PortalRequest, *args: object, **kwargs: object
    ) -> HttpResponseBase:
        if REASON in request.POST and not self.needs_approval():
            toast(request, "warning", _("This needs no approval any more. Nothing was sent."))
            return go(request, request.get_full_path())
        with giving_reason(request, lambda: list(self.shown())):
            return super()._dispatch(request, *args, **kwargs)

    def get(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        if FIELD in request.GET:
            return answer_search(request, self.get_form())
        return self.render(focused(self.get_form()))

    def post(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        form = self.get_form(request.POST)
        return self.render(unchecked(form)) if FIND in request.POST else self.submit(form)

    def submit(self, form: FormT) -> HttpResponse:
        """Carries the action out if the form is valid; failures are shown on the form."""
        done = ""
        if form.is_valid():
            with errors_to_form(form), self._attempt() as attempt:
                if attempt and attempt.earlier:
                    return self.go_on_again()
                done = self.perform(form)
                if attempt and not form.errors:
                    attempt.done("")
        if form.errors:
            return self.render(form)
        report_removed(self.request, form)
        return self.go_on(done)

    def _attempt(self) -> AbstractContextManager[idempotency.Sending | None]:
        if not self.is_sent_once:
            return nullcontext()
        return idempotency.attempt(self.request.user, self.request.POST.get("idempotency_key", ""))

    def go_on_again(self) -> HttpResponse:
        """Leads on after a form that was sent before, which does nothing again."""
        toast(self.request, "neutral", _("This form was already sent. Check the list."))
        return self.go_on("")

    def go_on(self, done: str) -> HttpResponse:
        """Leads to the next page, with what was done in a toast."""
        if done:
            toast(self.request, "good", done)
        return go(self.request, self.next_url())

    def render(self, form: FormT, **more: object) -> HttpResponse:
        """Returns the page with the form; the labels are asked for when everything is known."""
        context = {
            "form": form,
            "labels": self.labels(),
            "danger": self.is_destructive,
            "trail": self.trail(),
            "cancel": self.cancel_url(),
            "way_back": self.way_back() or without_secrets(self.operation(), form),
            "needs_approval": self.needs_approval(),
            "reason_form": self.reason_form(),
            **({"idempotency_key": idempotency.new_key()} if self.is_sent_once else {}),
            **self.context(),
            **more,
        }
        status = 422 if form.errors or context.get("outcome") else 200
        return page(self.request, self.template_name, context, status=status)


def report_removed(request: PortalRequest, form: forms.BaseForm) -> None:
    """Names the fields that lost invisible characters, in a toast."""
    if labels := with_unseen(form):
        words = _("Characters that cannot be seen were removed: %(fields)s.")
        toast(request, "neutral", words % {"fields": ", ".join(labels)})


class EditView(ActionView[ContractForm[ModelT]], Generic[ModelT]):
    """A contract form over what the service holds; only what differs from that is sent.

    While the service does not answer, what was typed is laid over what the form was opened with,
    and shown again.
    """

    def get_form(
        self,
        data: QueryDict | None = None,
        *,
        initial: Model | Mapping[str, object] | None = None,
    ) -> ContractForm[ModelT]:
        return self.form_class(data, initial=initial)

    def current(self) -> Model | Mapping[str, object]:
        """Returns the object as the service has it now. Raises `ApiError`."""
        raise NotImplementedError

    def perform(self, form: ContractForm[ModelT]) -> str:
        changes = form.changes()
        return self.save(changes) if changes else ""

    def save(self, changes: ModelT) -> str:
        """Sends the changes; returns the text of the toast. Raises `ApiError`."""
        raise NotImplementedError

    def opened_with(self) -> Mapping[str, object]:
        """Returns the values of the fields when the form was opened, without secrets."""
        return unsign(self.request.POST.get("was", "")) or {}

    def get(self, *_args: object, **_kwargs: object) -> HttpResponse:
        return self.render(focused(self.get_form(initial=self.current())))

    def post(self, request: PortalRequest, *_args: object, **_kwargs: object) -> HttpResponse:
        form = self.get_form(request.POST, initial=self.opened_with())
        with errors_to_form(form):
            form = self.get_form(request.POST, initial=self.current())
        return self.submit(form)
