"""Two points in the history of an object, compared."""

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.utils import dateformat, timezone
from django.views.decorators.http import require_safe

from portal.access.audit import entries_for
from portal.access.audit.changes import ChangeLine
from portal.access.connected import NoOperation, connected
from portal.access.http import PortalRequest
from portal.access.models import AuditEntry
from portal.access.scope import Scope
from portal.contract import operations
from portal.contract.operation import Effect
from portal.jobs.comparing import compare
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.pages import page

_LISTED = 200  # entries to choose from, the newest ones


class MomentsForm(forms.Form):
    """Which two changes; each stands for the object as it was after it."""

    earlier = forms.TypedChoiceField(label=gettext_lazy("After"), coerce=int)
    later = forms.TypedChoiceField(label=gettext_lazy("Compared with after"), coerce=int)

    def __init__(self, entries: list[AuditEntry], data: Any) -> None:
        oldest, newest = entries[-1].sequence, entries[0].sequence
        given = {
            "earlier": data.get("earlier") or oldest,
            "later": data.get("later") or newest,
        }
        super().__init__(given)
        choices = [(entry.sequence, _words(entry)) for entry in entries]
        for one in self.fields.values():
            one.choices = choices  # type: ignore[attr-defined]


@require_safe
@connected(needs=NoOperation("Those of the family that is asked for decide."))
def moments(request: PortalRequest) -> HttpResponse:
    """Shows the differences between two moments, each with its last author."""
    family, object_id = request.GET.get("family", ""), request.GET.get("id", "")
    if not family or not object_id or "\x00" in object_id:  # PostgreSQL refuses it in text
        raise Http404
    if not _may_read(request.scope, family):
        raise PermissionDenied
    entries = list(entries_for(request.scope, family, object_id)[:_LISTED])
    if not entries:
        raise Http404
    form = MomentsForm(entries, request.GET)
    context: dict[str, Any] = {
        "form": form,
        "family": family,
        "object_id": object_id,
        "object": next((name for each in entries if (name := ChangeLine(each).object)), object_id),
    }
    if form.is_valid():
        earlier, later = sorted((form.cleaned_data["earlier"], form.cleaned_data["later"]))
        context["comparison"] = compare(request.scope, family, object_id, earlier, later)
    return page(request, "jobs/compare.html", context)


def _may_read(scope: Scope, family: str) -> bool:
    """Returns whether the scope may read objects of this family. Anything that is no family of the
    interface, such as a connection, has its history in the trail."""
    reads = (one for one in operations() if one.family == family and one.effect is Effect.READ)
    return any(scope.may(one) for one in reads)


def _words(entry: AuditEntry) -> str:
    line = ChangeLine(entry)
    when = dateformat.format(timezone.localtime(entry.time), _("j M Y, H:i:s"))
    return f"{when}: {line.title}, {line.by}"
