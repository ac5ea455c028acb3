"""The page behind the link of a notice: a host, who needs no account here, keeps recordings."""

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.access.form_fields import offer_choices
from portal.access.http import Origin
from portal.config.middleware import client_address, request_id
from portal.recordings import notices
from portal.recordings.holds import HoldRefused
from portal.recordings.models import RetentionNotice
from portal.translation import gettext as _, gettext_lazy


class KeepForm(forms.Form):
    """The recordings of a notice that its host keeps."""

    uuids = forms.MultipleChoiceField(
        label=gettext_lazy("Recordings to keep"),
        error_messages={
            "required": gettext_lazy("Choose at least one recording."),
            "invalid_choice": gettext_lazy("One of these is no longer offered."),
        },
    )

    def __init__(self, offer: notices.Offer, data: QueryDict | None = None) -> None:
        super().__init__(data)
        offer_choices(self, "uuids", ((each.uuid, str(each)) for each in offer.keepable))
        # All boxes are ticked until something was sent.
        sent = data.getlist("uuids") if data is not None else None
        self.boxes = [(each, sent is None or each.uuid in sent) for each in offer.keepable]


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest, token: str) -> HttpResponse:
    """Shows what will go, and keeps what is chosen. To open the page changes nothing: programs that
    follow links in mails keep nothing."""
    notice = notices.notice_of(token)
    if notice is None:
        return _page(request, {}, status=404)
    if not notices.is_open(notice):
        return _page(request, {"notice": notice}, status=200 if notice.answered_at else 410)
    offer = notices.Offer.of(notice)
    form = KeepForm(offer, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            kept = notices.keep(_origin_of(request, notice), notice, form.cleaned_data["uuids"])
        except HoldRefused as refused:
            form.add_error(None, str(refused))
        else:
            present = notices.notice_of(token)
            if kept or present is None or not notices.is_open(present):  # or pressed twice
                return HttpResponseRedirect(request.path, status=303)
            form.add_error(None, _("None of these is there any more."))
    context = {"notice": notice, "offer": offer, "form": form, "is_open": True}
    return _page(request, context, status=422 if form.errors else 200)


def _origin_of(request: HttpRequest, notice: RetentionNotice) -> Origin:
    return Origin(email=notice.host_email, ip=client_address(request), request_id=request_id())


def _page(request: HttpRequest, context: dict[str, object], status: int) -> HttpResponse:
    response = render(request, "recordings/keep.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response
