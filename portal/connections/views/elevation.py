"""Pages on which a colleague asks for a greater role for some hours, and others decide."""

from functools import partial

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from portal.access.form_fields import RoleCards, offer_choices
from portal.access.grants import connections_of, find_scope
from portal.access.http import PortalRequest, origin_of
from portal.access.models import Share
from portal.access.views import attempt
from portal.connections.mails import hours_in_words
from portal.connections.services import elevation
from portal.connections.services.elevation import NotElevated
from portal.sign_in.reauthentication import recently_proved
from portal.translation import gettext as _, gettext_lazy


class ElevationForm(forms.Form):
    """A greater role, for how long, and why."""

    role = forms.ChoiceField(label=gettext_lazy("Role on this connection"), widget=RoleCards)
    hours = forms.TypedChoiceField(label=gettext_lazy("For"), coerce=int)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy("Who decides sees it, and the audit trail keeps it."),
    )

    def __init__(self, share: Share, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"hours": 2})
        offered = [(role.value, role.label) for role in elevation.roles_for(share)]
        offer_choices(self, "role", offered)
        offer_choices(self, "hours", [(each, hours_in_words(each)) for each in elevation.HOURS])
        if offered:
            self.initial["role"] = offered[0][0]


class _DecisionForm(forms.Form):
    """A decision about the request that the page showed."""

    asked = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


def ask(request: PortalRequest, key: str) -> HttpResponse:
    """Shows a colleague their request, or the form of one."""
    share = _own_share(request, key)
    asked = elevation.of_share(share)
    form = ElevationForm(share, request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            elevation.ask(origin_of(request), share, data["role"], data["hours"], data["reason"])
        except NotElevated as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, _("%(owner)s is asked.") % {"owner": share.connection.owner})
            return redirect("connections:elevation", key=key)
    context = {"edited": share.connection, "form": form, "elevation": asked}
    context["is_offered"] = bool(elevation.roles_for(share))
    status = 422 if form.is_bound else 200
    return render(request, "connections/elevation.html", context, status=status)


@require_POST
def give_back(request: PortalRequest, key: str) -> HttpResponse:
    """Withdraws a colleague's own request, or ends their greater role early."""
    share = _own_share(request, key)
    change = partial(elevation.give_back, origin_of(request), share)
    attempt(request, change, _("You have your usual role."), NotElevated)
    return redirect("connections:elevation", key=key)


@recently_proved
def decide(request: PortalRequest, key: str, pk: int) -> HttpResponse:
    """Shows a request to those who may decide about it, and what was approved, to end it."""
    every = Share.objects.current().select_related("user", "connection__owner")
    every = every.filter(connection__in=connections_of(request.user))
    share = get_object_or_404(every, connection__key=key, user=pk)
    asked = elevation.of_share(share)
    if asked is None:
        is_owner = share.connection.owner_id == request.user.pk
        if not is_owner:
            raise Http404
        messages.info(
            request, _("Nothing waits for a decision here: it has ended, or was decided.")
        )
        return redirect("connections:connection", key=key)
    asked.share = share
    if not elevation.may_decide(request.user, asked):
        raise Http404
    form = _DecisionForm(request.POST or None, initial={"asked": asked.pk})
    if form.is_valid():
        shown, origin = form.cleaned_data["asked"], origin_of(request)
        if "approve" in request.POST:
            done = _("Approved.")
            attempt(request, partial(elevation.approve, origin, share, shown), done, NotElevated)
        else:
            done = _("Declined.") if asked.is_waiting else _("Ended.")
            attempt(request, partial(elevation.stop, origin, share, shown), done, NotElevated)
        return redirect("connections:connection", key=key)
    context = {
        "edited": share.connection,
        "share": share,
        "elevation": asked,
        "hours": hours_in_words(asked.hours),
        "form": form,
    }
    status = 422 if form.is_bound else 200
    return render(request, "connections/share_elevation.html", context, status=status)


def _own_share(request: PortalRequest, key: str) -> Share:
    share = find_scope(request.user, key).share
    if share is None:
        raise Http404(_("Nobody shares this connection with this person."))
    return Share.objects.select_related("user", "connection__owner").get(pk=share.pk)
