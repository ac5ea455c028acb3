"""Task that works on requests, and their mails: a link to those who may approve, and the result."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string

from portal.access.grants import scope_of
from portal.access.mails import mail, post
from portal.access.models import User
from portal.approvals.models import UNDER_WAY, ApprovalRequest, Mail, RequestState
from portal.approvals.services import calls, deciding
from portal.approvals.services.submitting import REQUESTS, who_may_approve
from portal.config.celery import app
from portal.translation import gettext as _, speaking_to
from portal.work.leases import release_soon


def send(asked: ApprovalRequest) -> None:
    """Posts what is due of a leased request, once."""
    due = asked.mail
    with transaction.atomic():
        if ApprovalRequest.objects.filter(pk=asked.pk, mail=due).update(mail=Mail.NONE):
            for person in _to(asked, due):
                scope = scope_of(person, asked.connection)
                post(_message(asked, due, person), scope=scope)
    release_soon(asked)


def _to(asked: ApprovalRequest, due: str) -> list[User]:
    if due == Mail.ASKED:
        return who_may_approve(asked) if asked.state == RequestState.WAITING else []
    # A person who has lost the connection since learns no more of it.
    has_access = not scope_of(asked.requester, asked.connection).is_nothing
    return [asked.requester] if has_access else []


def _message(asked: ApprovalRequest, due: str, person: User) -> EmailMultiAlternatives:
    """Returns the mail in the recipient's language and zone."""
    context = {"asked": asked, "link": f"{settings.SITE_URL}{asked.get_absolute_url()}"}
    is_asked = due == Mail.ASKED
    template = "approvals/email/asked.txt" if is_asked else "approvals/email/ended.txt"
    with speaking_to(person):
        state = _("Approval needed") if is_asked else asked.state_in_words
        title = f"[Switchboard] {state}: {asked.subject_in_words}"
        return mail(title, render_to_string(template, context), person.email)


@app.task(name="approvals.work_on")
def work_on(request_id: int) -> None:
    """Has a request lapse, carries out what was approved, or sends the mail that is due."""
    asked = REQUESTS.acquire(request_id)
    if asked is None:
        return
    if asked.state in UNDER_WAY:
        calls.carry_out(asked)
        return
    if asked.state == RequestState.WAITING:
        deciding.lapse(asked)
    if asked.mail != Mail.NONE:
        send(asked)
    else:
        release_soon(asked)
