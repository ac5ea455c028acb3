"""The job type that notifies hosts by email what another job did to their sessions, one mail each.

It is drafted when that other job ends, and was approved along with it. What was sent is known by
its rows, as with all jobs: a row is `sending` before its mail leaves, and one that a crash left so
is not sent again unless a user chooses so.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import BadHeaderError, get_connection
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from portal.access.mails import mail
from portal.access.models import User
from portal.client import Api
from portal.contract.operation import AnyOperation
from portal.contract.users import UserStatus
from portal.directory.models import MirroredUser
from portal.jobs import services
from portal.jobs.job_types import (
    Done,
    ItemRefusal,
    ItemVerdict,
    JobType,
    Pointer,
    Resolution,
    Uncertain,
    job_type_of,
)
from portal.jobs.models import ItemState, Job, JobItem, JobState
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.sessions.specs import ABOUT, when_there
from portal.translation import gettext as _, gettext_lazy, lazily, ngettext, number as shown_number

KIND = "sessions.tell"  # as stored with the jobs of earlier releases
NOTIFIES_HOSTS = "tells_hosts"  # the parameter of a job whose hosts are notified
_OF = "of"  # the parameter of this one: the key of that job
_NOT_NOTIFIED = (ItemState.INVALID, ItemState.LEFT_OUT)
_LOST = gettext_lazy("A worker stopped while this email was being sent. It may have been sent.")


def send(address: str, subject: str, text: str) -> None:
    """Sends a mail. Raises `ItemRefusal` if it did not leave, `Uncertain` if that is unknown."""
    server = get_connection()
    try:
        server.open()
    except (SMTPException, OSError) as error:
        raise ItemRefusal(
            _("The mail server cannot be reached: %(words)s.") % {"words": _words(error)}
        ) from None
    try:
        mail(subject, text, address, server=server).send()
    except SMTPRecipientsRefused as error:
        refusal = next(iter(error.recipients.values()), (0, b""))
        raise ItemRefusal(
            _("The mail server rejected the address %(address)s: %(answer)s.")
            % {"address": address, "answer": _answer(*refusal)}
        ) from None
    except SMTPResponseException as error:
        answer = _answer(error.smtp_code, error.smtp_error)
        raise ItemRefusal(
            _("The mail server rejected the email: %(answer)s.") % {"answer": answer}
        ) from None
    except BadHeaderError:
        raise ItemRefusal(_("The email address is not valid.")) from None
    except (SMTPException, OSError) as error:
        words = _(
            "The connection to the mail server was lost while the email was sent: %(words)s."
        ) % {"words": _words(error)}
        raise Uncertain(_("%(words)s It may have been sent.") % {"words": words}) from None
    finally:
        with suppress(SMTPException, OSError):
            server.close()


def _answer(code: int, words: bytes | str) -> str:
    text = words.decode(errors="replace") if isinstance(words, bytes) else words
    return " ".join(f"{code} {text}".split()).removesuffix(".")


def _words(error: Exception) -> str:
    return " ".join(str(error).split()).removesuffix(".") or type(error).__name__


class NotifyHostsJob(JobType):
    """`parameters["of"]` is the key of the job whose changes hosts are notified of."""

    name = KIND
    noun = (gettext_lazy("host"), gettext_lazy("hosts"))
    verbs = {"tell": gettext_lazy("Send email to")}
    phrases = {"tell": gettext_lazy("Send email to %(what)s")}

    def needs(self, job: Job) -> Sequence[AnyOperation]:
        """Returns the operations that changed the sessions: only users who may call them notify
        hosts."""
        earlier = _earlier(job)
        return job_type_of(earlier).needs(earlier) if earlier else []

    def is_approved(self, job: Job) -> bool:  # noqa: ARG002
        return True

    def plan(self, planning: Planning) -> None:
        earlier = _earlier(planning.job)
        if earlier is None:
            raise Unplannable(_("The job with the changes no longer exists."))
        rows = sorted(not_notified(earlier), key=lambda row: (_host_of(row), row.number))
        hosts = [(host, list(some)) for host, some in groupby(rows, key=_host_of)]
        mirrored = MirroredUser.objects.filter(
            connection=earlier.connection, user_id__in=[host for host, _some in hosts]
        )
        people = {row.user_id: row for row in mirrored}
        for number, (host, some) in enumerate(hosts, start=1):
            planning.add(_item(number, host, people.get(host), some))

    def carry_out(self, api: Api, item: JobItem) -> Done:  # noqa: ARG002
        data = item.data
        owner = item.job.owner
        context = {
            **data,
            "actor": str(owner),
            "address": owner.email,
            "sets_passwords": data["action"] == "password",
        }
        count = len(data["sessions"])
        with translation.override(data.get("language") or owner.language or settings.LANGUAGE_CODE):
            subject = ngettext(
                "[Switchboard] one of your sessions was changed",
                "[Switchboard] %(count)s of your sessions were changed",
                count,
            ) % {"count": shown_number(count)}
            text = render_to_string("sessions/notify_hosts.txt", context)
        send(data["email"], subject, text)
        return Done(item.object_id)

    def resolve(self, api: Api, item: JobItem) -> Resolution:  # noqa: ARG002
        """Returns an uncertain outcome: mail servers do not report what became of a mail."""
        return Resolution(ItemVerdict.UNCERTAIN, message=item.message or _LOST)

    def page_of(self, job: Job, item: JobItem) -> str:
        return reverse("people:person", args=[job.connection.key, item.object_id])


def add_notices(planning: Planning) -> None:
    """Adds a notice to a plan, whose rows are stored, that hosts are notified."""
    if not planning.job.parameters.get(NOTIFIES_HOSTS):
        return
    waiting = planning.job.items.filter(state=ItemState.PENDING)
    count = waiting.values(f"data__{ABOUT}__host_id").distinct().order_by().count()
    if count:
        words = ngettext(
            "The host is notified by email after the changes are applied.",
            "%(count)s hosts are notified by email after the changes are applied.",
            count,
        ) % {"count": shown_number(count)}
        planning.add_notice("neutral", words)


def begin(job: Job) -> None:
    """Drafts the job that notifies the hosts of one that has ended, if that was chosen."""
    if not job.parameters.get(NOTIFIES_HOSTS) or not not_notified(job):
        return
    data = {_OF: job.key}
    services.draft(
        job.origin,
        job.connection,
        KIND,
        lazily(lambda: _("Notify hosts: %(title)s") % {"title": job.title}),
        parameters=data,
    )


def not_notified(job: Job) -> list[JobItem]:
    """Returns the rows whose change the host was not notified of, nor is to be."""
    hosts: set[int] = set()
    items = JobItem.objects.filter(job__in=_notifications_of(job)).exclude(state__in=_NOT_NOTIFIED)
    for rows in items.values_list("data__rows", flat=True):
        hosts.update(rows or ())
    done = job.items.filter(state=ItemState.DONE, data__has_key="after")
    return [row for row in done if row.pk not in hosts and {"before", "replaced"} & set(row.data)]


def pointers(job: Job) -> list[Pointer]:
    """Returns links to the jobs that send the emails to hosts."""
    return [
        Pointer(
            _("Hosts are notified by email."),
            reverse("jobs:job", args=[job.connection.key, each.key]),
            f"{each.title} ({JobState(each.state).label.lower()})",
        )
        for each in _notifications_of(job)
    ]


def _notifications_of(job: Job) -> QuerySet[Job]:
    jobs = Job.objects.filter(connection=job.connection, kind=KIND)
    return jobs.filter(parameters__of=job.key).order_by("pk")


def _earlier(job: Job) -> Job | None:
    return Job.objects.filter(connection=job.connection, key=job.parameters[_OF]).first()


def _host_of(row: JobItem) -> str:
    return str(row.data.get(ABOUT, {}).get("host_id", ""))


def _item(number: int, host: str, person: MirroredUser | None, rows: Sequence[JobItem]) -> NewItem:
    count = len(rows)
    label = f"{person.name}, {person.email}" if person else host
    item = NewItem(number, label, "tell", host, data={"rows": [row.pk for row in rows]})
    words = ngettext("%(count)s session", "%(count)s sessions", count)
    item.changes = [(_("Email"), "", words % {"count": shown_number(count)})]
    if person is None or not person.email:
        words = _("No person in the list has this ID, so there is no email address.")
        item.state, item.problems, item.changes = ItemState.INVALID, [(_("Host"), words)], []
    elif person.status == UserStatus.INACTIVE.value:
        words = _("This person is deactivated.")
        item.state, item.problems, item.changes = ItemState.INVALID, [(_("Host"), words)], []
    else:
        action = rows[0].action
        item.data |= {"email": person.email, "name": person.name, "action": action}
        # The language of a host who signs in here as well.
        own = User.objects.filter(email__iexact=person.email, is_active=True)
        language = own.values_list("language", flat=True).first() or ""
        with translation.override(language or translation.get_language()):
            sessions = [_session(row) for row in rows]
        item.data |= {"language": language, "sessions": sessions}
    return item


def _session(row: JobItem) -> dict[str, object]:
    data = row.data[ABOUT]
    return {
        "topic": " ".join((data.get("topic") or row.label).split()),
        "number": data.get("number", ""),
        "when": when_there(data),
        "changes": row.shown_changes,
    }
