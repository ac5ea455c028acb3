"""Notices: hosts are told by mail which of their recordings a rule is about to move to the trash,
and keep them by a link that needs no account, works once and ends.

The link is signed, and is made when the mail is sent: no row of the database holds it. A worker
that is killed while a mail server takes the mail sends it again under the same Message-ID.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import dateformat, timezone

from portal.access.http import Origin
from portal.access.mails import mail
from portal.config import clock
from portal.config.celery import app
from portal.config.database import batches
from portal.recordings import holds
from portal.recordings.models import (
    MirroredRecording,
    NoticedRecording,
    RetentionNotice,
    RetentionRule,
    counted,
)
from portal.translation import gettext as _, ngettext, number, speaking_to
from portal.ui.states import State
from portal.work.queue import WorkQueue, single_turn

_SIGNER = signing.Signer(salt="portal.recordings.notices")
_TRIED_FOR = timedelta(days=1)
_AGAIN_AFTER = timedelta(days=7)  # to a host whose address took no mail
_IN_MAIL = 20  # recordings that a mail names
_log = structlog.get_logger(__name__)


NOTICES = WorkQueue(
    model=RetentionNotice,
    task="recordings.send_notice",
    waiting=lambda: Q(sent_at=None, failed_at=None),
    length=lambda: timedelta(seconds=60 + 2 * settings.EMAIL_TIMEOUT),
    since="created_at",
    related=("rule__owner", "rule__connection"),
    swept_every=10.0,
)


def ask(rule: RetentionRule, recordings: Iterable[MirroredRecording]) -> int:
    """Writes a notice for each host of recordings that no present notice of the rule names.
    Returns the number of hosts; those without an address cannot be told."""
    present = set(_present(rule).values_list("uuid", "notice__host_id"))
    by_host: dict[tuple[str, str], list[MirroredRecording]] = defaultdict(list)
    for each in recordings:
        if each.host_email and (each.uuid, each.host_id) not in present:
            by_host[each.host_id, each.host_email].append(each)
    for hosts in batches(list(by_host)):
        notices = [
            RetentionNotice(rule=rule, host_id=host_id, host_email=email)
            for host_id, email in hosts
        ]
        with transaction.atomic():
            RetentionNotice.objects.bulk_create(notices)
            NoticedRecording.objects.bulk_create(
                NoticedRecording(
                    notice=notice,
                    uuid=each.uuid,
                    topic=each.topic,
                    start_time=each.start_time,
                    size=each.size,
                )
                for notice in notices
                for each in by_host[notice.host_id, notice.host_email]
            )
    return len(by_host)


def _present(rule: RetentionRule) -> QuerySet[NoticedRecording]:
    """Returns the recordings in notices that still count. After a hold has ended, its recording is
    told of again, as it is some days after its host's address took no mail."""
    lately = Q(notice__failed_at=None) | Q(notice__failed_at__gte=clock.now() - _AGAIN_AFTER)
    return NoticedRecording.objects.filter(lately, notice__rule=rule, kept_until=None)


def due_uuids(rule: RetentionRule) -> list[str]:
    """Returns the recordings that the rule may move by now: their present hosts were told in time,
    and have not kept them."""
    told = NoticedRecording.objects.filter(
        notice__rule=rule, notice__goes_at__lte=clock.now(), kept_until=None
    )
    hosts = dict(told.order_by("pk").values_list("uuid", "notice__host_id"))
    rows = MirroredRecording.objects.filter(connection=rule.connection)
    return [
        uuid
        for some in batches(list(hosts))
        for uuid, host_id in rows.filter(uuid__in=some).values_list("uuid", "host_id")
        if hosts[uuid] == host_id
    ]


def forget_notices(rule: RetentionRule) -> None:
    """Ends the links of a rule that is turned on or off, which tells hosts anew; what they have
    kept stays counted."""
    NoticedRecording.objects.filter(notice__rule=rule, kept_until=None).delete()
    rule.notices.filter(answered_at=None).delete()


@app.task(name=NOTICES.task)
def send(pk: int) -> bool:
    """Sends a notice, unless another worker does. Returns whether there was one."""
    with single_turn(NOTICES, pk) as notice:
        if notice is not None:
            _send(notice)
        return notice is not None
    return False


def _send(notice: RetentionNotice) -> None:
    own = RetentionNotice.objects.filter(pk=notice.pk)
    if not notice.rule.is_active:
        own.delete()
        return
    if clock.now() - notice.created_at > _TRIED_FOR:
        own.update(failed_at=clock.now())
        return
    goes_at = clock.now() + timedelta(days=notice.rule.notice_days)
    with speaking_to(notice.rule.owner):
        message = _mail(notice, goes_at)
    try:
        message.send()
    except SMTPRecipientsRefused:
        own.update(failed_at=clock.now())
    except OSError:  # smtplib's other errors too; the next sweep tries again
        _log.warning("notice not sent", notice=notice.pk, exc_info=True)
    else:
        own.update(sent_at=clock.now(), goes_at=goes_at)


def _mail(notice: RetentionNotice, goes_at: datetime) -> EmailMultiAlternatives:
    rule, recordings = notice.rule, list(notice.recordings.all())
    what = counted(len(recordings))
    day = _day(timezone.localdate(goes_at))
    title = _("%(what)s will be moved to the trash on %(day)s") % {"what": what, "day": day}
    lead = _(
        "%(rule)s: they are moved to the trash on %(account)s. These are yours, and go on %(day)s:"
    ) % {"rule": rule, "account": rule.connection, "day": day}
    lines = [_line(each) for each in recordings[:_IN_MAIL]]
    if len(recordings) > _IN_MAIL:
        more = number(len(recordings) - _IN_MAIL)
        lines.append(_("and %(count)s more") % {"count": more})
    text = "\n\n".join([lead, "\n".join(lines), *_how_to_keep(notice)])
    headers = {"Message-ID": f"<notice-{notice.key}@switchboard.invalid>"}
    return mail(title, text, notice.host_email, headers=headers)


def _how_to_keep(notice: RetentionNotice) -> Iterator[str]:
    offer = Offer.of(notice)
    if offer.keepable:
        until = _day(offer.until)
        words = _("To keep them until %(day)s, choose them here. No account is needed.")
        yield f"{words % {'day': until}}\n{settings.SITE_URL}{link_of(notice)}"
    else:
        yield _("They have been kept as often as this rule allows.")
    yield _("If you do nothing, they go to the trash.")


def _line(recording: NoticedRecording) -> str:
    if recording.start_time is None:
        return str(recording)
    began = dateformat.format(timezone.localtime(recording.start_time), _("j M Y, H:i"))
    return f"{began} · {recording}"


def _day(day: date) -> str:
    return dateformat.format(day, _("j F Y"))


def link_of(notice: RetentionNotice) -> str:
    return reverse("keep", args=[_SIGNER.sign(str(notice.key))])


def notice_of(token: str) -> RetentionNotice | None:
    """Returns the notice of a link; None if it is none of ours, or was ended with its rule."""
    try:
        key = UUID(_SIGNER.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    rows = RetentionNotice.objects.select_related("rule__owner", "rule__connection")
    return rows.filter(key=key).first()


@dataclass(frozen=True)
class Offer:
    """The recordings of a notice that its host can keep, until a day, and the others, which have
    been kept as often as the rule allows."""

    keepable: Sequence[NoticedRecording]
    others: Sequence[NoticedRecording]
    until: date

    @classmethod
    def of(cls, notice: RetentionNotice) -> "Offer":
        rule = notice.rule
        earlier = NoticedRecording.objects.filter(notice__rule=rule).exclude(kept_until=None)
        times = dict(earlier.order_by().values_list("uuid").annotate(count=Count("pk")))
        own = list(notice.recordings.all())
        can = {each.pk for each in own if times.get(each.uuid, 0) < rule.keep_times}
        until = timezone.localdate(clock.now()) + timedelta(days=rule.keep_days)
        return cls(
            [each for each in own if each.pk in can],
            [each for each in own if each.pk not in can],
            until,
        )


def is_open(notice: RetentionNotice) -> bool:
    """Returns whether the host can still answer."""
    goes_at, is_on = notice.goes_at, notice.rule.is_active
    return bool(is_on and notice.answered_at is None and goes_at and goes_at > clock.now())


def keep(origin: Origin, notice: RetentionNotice, chosen: Sequence[str]) -> int:
    """Puts these of the notice's recordings on hold for its host, and ends its link. Returns how
    many are on hold by now: none if the link has ended or was used meanwhile. Raises `HoldRefused`
    if one of them is being moved to the trash.
    """
    with transaction.atomic():
        # What was read before it was locked may have been answered, or ended with its rule.
        rows = RetentionNotice.objects.select_related("rule__owner", "rule__connection")
        notice_now = rows.select_for_update(of=("self",)).filter(pk=notice.pk).first()
        if notice_now is None or not is_open(notice_now):
            return 0
        notice = notice_now
        offer = Offer.of(notice)
        named = {each.uuid for each in offer.keepable} & set(chosen)
        recordings = list(_still_theirs(notice).filter(uuid__in=named))
        if not recordings:
            return 0
        rule = notice.rule
        with speaking_to(rule.owner):
            reason = _("Kept from the rule “%(rule)s”") % {"rule": rule}
        own = holds.active_of(rule.connection).filter(uuid__in=named)
        present = {hold.uuid: hold for hold in own}
        # A hold that lasts as long stays as it is; a shorter one keeps its reason.
        reasons: dict[str, list[MirroredRecording]] = defaultdict(list)
        for each in recordings:
            hold = present.get(each.uuid)
            if hold is None:
                reasons[reason].append(each)
            elif hold.until and hold.until < offer.until:
                reasons[f"{hold.reason} · {reason}"].append(each)
        for words, some in reasons.items():
            holds.place(origin, rule.connection, some, words, offer.until, answerable=rule.owner)
        notice.answered_at = clock.now()
        notice.save(update_fields=["answered_at"])
        kept = [each.uuid for each in recordings]
        notice.recordings.filter(uuid__in=kept).update(kept_until=offer.until)
    return len(kept)


def _still_theirs(notice: RetentionNotice) -> QuerySet[MirroredRecording]:
    """Returns the recordings of a notice that its host still has."""
    named = NoticedRecording.objects.filter(notice=notice, uuid=OuterRef("uuid"))
    rows = MirroredRecording.objects.filter(
        connection=notice.rule.connection, host_id=notice.host_id
    )
    return rows.filter(Exists(named))


@dataclass(frozen=True)
class HostAnswer:
    """A notice as the administrator sees it; `state` colours its `words`."""

    notice: RetentionNotice
    count: int
    state: State
    words: str


_MOST = 100


def answers_of(rule: RetentionRule) -> list[HostAnswer]:
    """Returns the newest notices of a rule, with what came of each."""
    kept = Count("recordings", filter=~Q(recordings__kept_until=None))
    rows = rule.notices.annotate(count=Count("recordings"), kept=kept)
    return [HostAnswer(row, row.count, *_answer(row)) for row in rows[:_MOST]]


def _answer(row: Any) -> tuple[State, str]:
    if row.failed_at:
        return "bad", _("No server took the mail")
    if row.goes_at is None:
        return "neutral", _("To be told")
    if row.kept:
        words = ngettext("Kept %(count)s", "Kept %(count)s", row.kept)
        return "good", words % {"count": number(row.kept)}
    if row.goes_at > clock.now():
        day = _day(timezone.localdate(row.goes_at))
        return "neutral", _("Told, until %(day)s") % {"day": day}
    return "neutral", _("No answer")
