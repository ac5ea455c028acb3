"""Approval by another administrator, as the pages of actions ask for it: named before anything is
typed, asked with the action's own button, and with what the page said for whoever approves."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from django import forms
from django.conf import settings
from django.utils import translation

from portal.access.approval_rules import ApprovalRequired
from portal.access.http import PortalRequest
from portal.translation import gettext_lazy

REASON = "approval-reason"  # the field of an action's page


class AskForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Why it is needed, for whoever approves it."),
    )


def ask_form_of(request: PortalRequest) -> AskForm:
    """Returns the form of the reason within the form of an action."""
    return AskForm(initial={"reason": request.POST.get(REASON, "")}, prefix="approval")


@contextmanager
def asking(request: PortalRequest, shown: Callable[[], Sequence[str]]) -> Iterator[None]:
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
