"""Pages of requests: their list, each by itself with what to do about it, and the rules."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from portal.access.http import Origin, PortalRequest, origin_of
from portal.access.models import User
from portal.access.roles import Role
from portal.approvals.forms import ConfirmForm, DeclineForm, RulesForm
from portal.approvals.home import visible_to, waiting_for
from portal.approvals.models import OPEN, ApprovalRequest, RequestKind, RequestState
from portal.approvals.services import deciding, rules, submitting
from portal.approvals.services.losses import line_of, lines_of
from portal.approvals.services.submitting import who_may_approve
from portal.approvals.subjects import ApprovalRefused, is_supported, subject_of
from portal.audit.changes import ChangeLine, meaning_of
from portal.audit.reading import entries_for
from portal.audit.undo.recorded import SECRET, changed_secrets
from portal.connections.approval_rules import is_approver, rule_of
from portal.connections.connected import NoOperation, connected
from portal.contract import OPERATIONS
from portal.contract.inverse import NoWayBack, Restores
from portal.sign_in.reauthentication import did_lately
from portal.translation import gettext as _, gettext_lazy
from portal.ui.filters import FilterTab
from portal.ui.pages import go, page, toast
from portal.ui.states import State
from portal.ui.views import ActionView, Labels
from portal.ui.views.action import ReasonForm
from portal.ui.ways_back import not_brought_back

_TONES: dict[str, State] = {
    RequestState.DRAFT: "neutral",
    RequestState.WAITING: "warning",
    RequestState.APPROVED: "running",
    RequestState.SENDING: "running",
    RequestState.DONE: "good",
    RequestState.FAILED: "bad",
    RequestState.UNKNOWN: "warning",
    RequestState.DECLINED: "bad",
    RequestState.LAPSED: "neutral",
    RequestState.WITHDRAWN: "neutral",
}


def tone_of(asked: ApprovalRequest) -> State:
    return _TONES[asked.state]


OF_THE_REQUEST = NoOperation("Who asked, and administrators of the connection, find a request.")


def request_of(request: PortalRequest, key: str) -> ApprovalRequest:
    """The connection's request of this key; one that the person may not see is not found."""
    return get_object_or_404(visible_to(request.user, request.connection), key=key)


_PAGE = 25
_TABS = {
    "": gettext_lazy("All open"),
    "mine": gettext_lazy("Waiting for me"),
    "asked": gettext_lazy("Asked by me"),
    "ended": gettext_lazy("Past"),
}


@require_GET
@connected(needs=OF_THE_REQUEST)
def requests(request: PortalRequest) -> HttpResponse:
    """All requests that this person sees, newest first."""
    tab = request.GET.get("state", "")
    tab = tab if tab in _TABS else ""
    by_tab = {name: _narrowed(request, name) for name in _TABS}
    shown = Paginator(by_tab[tab], _PAGE).get_page(request.GET.get("page"))
    rule = rule_of(request.connection)
    context = {
        "page": shown,
        "rows": [(asked, tone_of(asked)) for asked in shown],
        "tabs": [
            FilterTab(name, label, name == tab, by_tab[name].count())
            for name, label in _TABS.items()
        ],
        "tab": tab,
        "is_on": rule is not None and not rule.asks_for_nothing,
        "is_owner": request.connection.owner_id == request.user.pk
        and request.user.is_administrator,
    }
    return page(request, "approvals/list.html", context)


def _narrowed(request: PortalRequest, tab: str) -> QuerySet[ApprovalRequest]:
    visible = visible_to(request.user, request.connection)
    match tab:
        case "mine":
            mine = waiting_for(request.user, request.connection)
            return visible.filter(pk__in=[asked.pk for asked in mine])
        case "asked":
            return visible.filter(requester=request.user)
        case "ended":
            return visible.exclude(state__in=(RequestState.DRAFT, *OPEN))
        case _:
            return visible.filter(state__in=OPEN)


_HISTORY = 10


@require_GET
@connected(needs=OF_THE_REQUEST)
def show(request: PortalRequest, request_key: str) -> HttpResponse:
    return answer(request, request_of(request, request_key))


def answer(
    request: PortalRequest,
    asked: ApprovalRequest,
    **refused: ReasonForm | DeclineForm | ConfirmForm,
) -> HttpResponse:
    """Shows a request, with forms by the names of the template if they were refused."""
    is_mine = asked.requester == request.user
    subject = subject_of(asked) if is_supported(asked) else None
    context: dict[str, Any] = {
        "asked": asked,
        "tone": tone_of(asked),
        "line": line_of(asked, asked.before),
        "losses": lines_of(asked),
        **dict(zip(("no_way_back", "not_brought_back"), _lost(asked), strict=True)),
        "is_mine": is_mine,
        "may_decide": asked in waiting_for(request.user, request.connection),
        "is_supported": subject is not None,
        "subject_url": subject.url(asked) if subject else "",
        "reason_form": ReasonForm(),
        "decline_form": DeclineForm(),
        "confirm_form": ConfirmForm() if subject and subject.destroys(asked) else None,
        "moves": asked.state in (RequestState.APPROVED, RequestState.SENDING),
        "history": [
            ChangeLine(entry)
            for entry in entries_for(request.scope, "approval", asked.key)[:_HISTORY]
        ],
    }
    if subject and asked.state in (RequestState.DRAFT, RequestState.WAITING):
        context["approvers"] = who_may_approve(asked)
    status = 422 if refused else 200
    return page(request, "approvals/request.html", {**context, **refused}, status=status)


def _lost(asked: ApprovalRequest) -> tuple[str, str]:
    """Returns, for who approves a change, why it cannot be undone, and what an undo would not bring
    back; each empty if there is nothing to say."""
    operation = OPERATIONS.get(asked.operation)
    inverse = operation.inverse if operation else None
    if isinstance(inverse, NoWayBack):
        return _(inverse.words), ""
    if operation is None or not isinstance(inverse, Restores):
        return "", ""
    secrets, and_more = changed_secrets(operation, asked.sent or {}, asked.before or {})
    if secrets and not and_more:
        return str(SECRET), ""
    return "", not_brought_back([meaning_of(operation.name, name).title for name in secrets])


Act = Callable[[ApprovalRequest, Origin], object]


@require_POST
@connected(needs=OF_THE_REQUEST)
def submit(request: PortalRequest, request_key: str) -> HttpResponse:
    """Sends a draft to those who may approve it; without a reason the form is shown again."""
    asked = request_of(request, request_key)
    form = ReasonForm(request.POST)
    if asked.state == RequestState.DRAFT and not form.is_valid():
        return answer(request, asked, reason_form=form)
    form.is_valid()
    act = partial(submitting.submit, reason=form.cleaned_data.get("reason", ""))
    return _do(request, asked, act, submitting.SUBMITTED)


@require_POST
@connected(needs=OF_THE_REQUEST)
def approve(request: PortalRequest, request_key: str) -> HttpResponse:
    """Approves what was shown. A second click finds it approved and does nothing."""
    asked = _to_decide(request, request_key)
    confirm_form = ConfirmForm(request.POST)
    is_final = is_supported(asked) and subject_of(asked).destroys(asked)
    if is_final and not confirm_form.is_valid():
        if asked.kind == RequestKind.CALL:
            return answer(request, asked, confirm_form=confirm_form)
        words = _("Type “%(word)s” to confirm what cannot be undone.")
        toast(request, "warning", words % {"word": ConfirmForm.word})
        return go(request, subject_of(asked).url(asked))
    seen, proved = request.POST.get("seen", ""), partial(did_lately, request)
    act = partial(deciding.approve, seen=seen, reauthenticated=proved)
    return _do(request, asked, act, _("Approved."))


@require_POST
@connected(needs=OF_THE_REQUEST)
def decline(request: PortalRequest, request_key: str) -> HttpResponse:
    """Declines with a reason; without one the form is shown again."""
    asked = _to_decide(request, request_key)
    form = DeclineForm(request.POST)
    if not form.is_valid():
        return answer(request, asked, decline_form=form)
    act = partial(deciding.decline, reason=form.cleaned_data["answer"])
    return _do(request, asked, act, _("Declined."))


@require_POST
@connected(needs=OF_THE_REQUEST)
def withdraw(request: PortalRequest, request_key: str) -> HttpResponse:
    """Takes one's own request back."""
    asked = request_of(request, request_key)
    is_draft = asked.state == RequestState.DRAFT
    response = _do(request, asked, deciding.withdraw, _("Withdrawn. Nothing was sent."))
    if is_draft:
        return go(request, reverse("approvals:list", args=[request.connection.key]))
    return response


def _to_decide(request: PortalRequest, key: str) -> ApprovalRequest:
    """Raises `PermissionDenied` for who is no administrator of the connection."""
    if not is_approver(request.user, request.connection):
        raise PermissionDenied
    return request_of(request, key)


def _do(request: PortalRequest, asked: ApprovalRequest, act: Act, done: str) -> HttpResponse:
    """Acts, and says why where that is not possible now."""
    try:
        act(asked, origin_of(request))
    except ApprovalRefused as problem:
        toast(request, "warning", str(problem))
    else:
        toast(request, "good", done)
    return go(request, asked.get_absolute_url())


class EditRulesView(ActionView[RulesForm]):
    """Sets the rules after a fresh proof; weaker ones wait for another administrator."""

    above = ((gettext_lazy("Approvals"), "approvals:list"),)
    needs = NoOperation("Owners alone set the rules of their connection.")
    template_name = "approvals/rules.html"

    @cached_property
    def limits(self) -> dict[str, Any]:
        return rules.limits_of(self.request.connection)

    @cached_property
    def others(self) -> list[User]:
        return rules.others_than(self.request.connection, self.request.user)

    @property
    def is_on(self) -> bool:
        return rules.asks_for_something(self.limits)

    def prepare(self) -> None:
        if self.request.scope.role != Role.ADMINISTRATOR:
            raise PermissionDenied
        if self.request.connection.owner_id != self.request.user.pk:
            raise Http404

    def get_form(self, data: QueryDict | None = None) -> RulesForm:
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
        return go(self.request, self.asked.get_absolute_url()) if self.asked else response

    def context(self) -> dict[str, object]:
        form_operations = set(self.limits["operations"])
        return {
            "others": self.others,
            "is_on": self.is_on,
            "chosen_before": form_operations,
        }

    def post(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        self.asked = None
        return super().post(request, *args, **kwargs)
