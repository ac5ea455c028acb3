"""The page that undoes a change: the values restored, those that stay, and later changes."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeVar

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from portal.access.http import PortalRequest
from portal.audit.changes import ChangeLine
from portal.audit.models import AuditEntry
from portal.audit.reading import lines, undone_by, visible_to
from portal.audit.undo import UndoPlan, obstacle, plan_for, recorded
from portal.audit.undo.recorded import inverse_operation
from portal.audit.wording import name_of, stored_label
from portal.connections.approval_rules import is_chosen
from portal.connections.connected import Needs, NoOperation
from portal.contract.inverse import Deletes, Restores
from portal.contract.operation import Call, Caller, Effect
from portal.jobs.history import carry_out, has_undo, jobs_behind
from portal.jobs.models import Job
from portal.sign_in.reauthentication import page_before
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.pages import go, toast
from portal.ui.views import ActionView, Labels

R = TypeVar("R")
_SEEN_IN_THE_TRAIL = NoOperation(
    "An entry without an undo is shown to users who see it in the trail."
)
_CHANGED = gettext_lazy(
    "Something has changed since this was shown. Look at what would be undone now."
)


class _ReadOnce:
    """Caller that reads each state once, however often it is put into words."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._answers: dict[tuple[str, str], Any] = {}

    def __call__(self, call: Call[R]) -> R:
        key = call.path, str(call.parameters)
        if key not in self._answers:
            self._answers[key] = self._caller(call)
        answer: R = self._answers[key]
        return answer

    def pages(self, call: Call[R]) -> Iterator[R]:
        return self._caller.pages(call)


class UndoChangeView(ActionView):
    """Undo of one entry of the audit trail, after a preview of its effect."""

    template_name = "jobs/undo.html"

    @cached_property
    def entry(self) -> AuditEntry:
        key = self.kwargs["connection"]
        result: AuditEntry = get_object_or_404(
            lines(), connection_key=key, sequence=self.kwargs["change"]
        )
        return result

    def operation(self) -> Needs:
        return inverse_operation(self.entry) or _SEEN_IN_THE_TRAIL

    @cached_property
    def job(self) -> Job | None:
        """Returns the job that made the change, if it is undone as a whole."""
        result = jobs_behind([self.request.scope], [self.entry]).get(self.entry.request_id)
        return result if result and has_undo(result) else None

    @cached_property
    def undone(self) -> AuditEntry | None:
        return undone_by(self.entry.sequence)

    @cached_property
    def plan(self) -> UndoPlan | None:
        """Returns the plan of undoing it now; None if it cannot be undone or already was."""
        return self._planned()

    @cached_property
    def _caller(self) -> "_ReadOnce":
        return _ReadOnce(self.request.api.caller)

    def _planned(self) -> UndoPlan | None:
        """Returns the plan in the present language."""
        result = recorded(self.entry)
        if self.job or self.undone or result is None or obstacle(self.entry):
            return None
        return plan_for(result, self._caller)

    def prepare(self) -> None:
        """Raises `Http404` for a user with a narrow scope who did not make the change, and, for a
        change that cannot be undone, for users who do not see it in the trail."""
        if self.operation() is _SEEN_IN_THE_TRAIL:
            seen = visible_to(self.request.user).filter(sequence=self.entry.sequence)
            if not seen.exists():
                raise Http404
        if self.request.scope.is_narrow and self.entry.actor_id != self.request.user.pk:
            raise Http404
        self.plan  # noqa: B018 - read now, while it can be refused

    @property
    def is_destructive(self) -> bool:
        calls = self.plan.calls if self.plan else []
        return any(call.operation.effect is Effect.DESTRUCTIVE for call in calls)

    def needs_approval(self) -> bool:
        """Returns whether one of the calls that undo it waits for another administrator."""
        calls = self.plan.calls if self.plan else []
        return any(is_chosen(self.request.connection, call.operation) for call in calls)

    def shown(self) -> Iterator[str]:
        """Yields also the values that stay, and the notes."""
        yield from super().shown()
        plan = self._planned() or UndoPlan()
        yield from (f"{one.title}: {one.why}" for one in plan.left)
        yield from plan.notes

    def labels(self) -> Labels:
        line, named = ChangeLine(self.entry), self.object_name
        can = self.plan is not None and bool(self.plan.calls)
        restored = len(self.plan.back) if self.plan and self._restores else 0
        if restored and named:
            words = ngettext(
                "Undo %(count)s change to %(object)s",
                "Undo %(count)s changes to %(object)s",
                restored,
            )
        else:
            words = _("Undo “%(title)s” of %(object)s") if named else _("Undo “%(title)s”")
        heading = words % {"title": line.title, "object": named, "count": number(restored)}
        return Labels(heading, submit=_("Undo") if can else "")

    @cached_property
    def object_name(self) -> str:
        """Returns the name of the object, else its label as recorded or at present, else its id."""
        end = ChangeLine(self.entry).end
        if name := name_of(self.request.scope, end.family, end.object_id):
            return name
        now = stored_label(self.request.scope, end.family, end.object_id)
        return str(end.object_label or now or end.object_id)

    @property
    def _restores(self) -> bool:
        result = recorded(self.entry)
        return result is not None and isinstance(result.operation.inverse, Restores)

    def perform(self, form: forms.Form) -> str:
        if self.plan is None or not self.plan.calls:
            toast(self.request, "neutral", _("There was nothing left to undo."))
            return ""
        if self.request.POST.get("seen") != self.plan.fingerprint:
            form.add_error(None, _CHANGED)
            return ""
        carry_out(self.request.api, self.request.scope, self.entry, self.plan)
        named = self.object_name
        words = _("“%(title)s” of %(object)s is undone.") if named else _("“%(title)s” is undone.")
        words %= {"title": ChangeLine(self.entry).title, "object": named}
        if not self.plan.left:
            return words
        stays = _("Stays as it is: %(fields)s.")
        return f"{words} {stays % {'fields': ', '.join(one.title for one in self.plan.left)}}"

    def cancel_url(self) -> str:
        """Returns the address of the page that led here."""
        request: PortalRequest = self.request
        before = request.htmx.current_url_abs_path if request.htmx else page_before(request)
        asked = request.POST.get("next") or before or ""
        is_ours = url_has_allowed_host_and_scheme(asked, None)
        return asked if is_ours and asked.startswith("/") else reverse("audit:trail")

    def next_url(self) -> str:
        """Returns the address after undoing: the trail if that deletes the object and its page."""
        is_gone = isinstance(recorded(self.entry).operation.inverse, Deletes)  # type: ignore[union-attr]
        return reverse("audit:trail") if is_gone else self.cancel_url()

    def go_on(self, done: str) -> HttpResponse:
        if self.plan is None:
            return go(self.request, self.cancel_url())
        return super().go_on(done)

    def context(self) -> dict[str, object]:
        plan = self.plan
        return {
            "line": ChangeLine(self.entry),
            "plan": plan,
            "job": self.job,
            "undone": ChangeLine(self.undone) if self.undone else None,
            "obstacle": obstacle(self.entry),
            "seen": plan.fingerprint if plan else "",
            "next": self.cancel_url(),
            "trail": [(_("Audit trail"), reverse("audit:trail"))],
        }
