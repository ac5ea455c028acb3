"""Changes that take an account over, or away from its user, who is told before.

What an administrator does to the account of an active colleague with something to take over waits
for `ACCOUNT_ACT_HOURS`. Until then that colleague can stop it, who asked can withdraw it, and
another administrator can have it done at once. Each ends once: the row stores its end in the
transaction that makes the change.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from portal.access.http import Origin
from portal.access.models import Connection, Share, User
from portal.access.roles import Role, lesser
from portal.audit.account_history import AccountHistory
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.connections.standing import is_another
from portal.sign_in import sessions
from portal.team import accounts, answers, mails
from portal.team.accounts import AccountChangeRefused
from portal.team.models import AccountChange, ChangeKind, ChangeState
from portal.translation import gettext as _
from portal.translation.stored import in_english
from portal.work.queue import WorkQueue

ACTIVE_WITHIN = timedelta(days=14)  # since the last sign-in
_LENGTH = timedelta(minutes=1)


def _due() -> Q:
    return Q(state=ChangeState.WAITING, due_at__lte=clock.now())


CHANGES = WorkQueue(
    model=AccountChange,
    task="team.change_account",
    waiting=_due,
    supported=lambda: Q(kind__in=ChangeKind.values),
    length=lambda: _LENGTH,
    since="due_at",
    swept_every=30.0,
    related=("user", "asked_by"),
)


def waiting_of(user: User) -> QuerySet[AccountChange]:
    """Returns the changes of a user's account that wait, the oldest first."""
    changes = AccountChange.objects.filter(user=user, state=ChangeState.WAITING)
    return changes.filter(CHANGES.supported()).select_related("user", "asked_by").order_by("id")


def delay(actor: User | None, user: User, role: str = "") -> timedelta:
    """Returns for how long a change by an actor waits; nothing for the machine, one's own account,
    a role that is not less, and a user who is away or has nothing to take over."""
    hours = max(settings.ACCOUNT_ACT_HOURS, 0)
    if actor is None or actor == user or (role and lesser(user.role, role) == user.role):
        return timedelta()
    waits = hours and user.is_active and _is_around(user) and _has_much(user)
    return timedelta(hours=hours) if waits else timedelta()


@transaction.atomic
def ask(origin: Origin, user: User, kind: ChangeKind, role: str = "") -> AccountChange | None:
    """Makes a change at once and returns None, or returns the change that waits; asked again by the
    same administrator, the same one. Raises `AccountChangeRefused`."""
    accounts.check(origin, user, kind, role)  # which locks administrators, before the user
    user = User.objects.select_for_update().get(pk=user.pk)
    waits = waiting_of(user).filter(kind=kind).first()
    if waits and (waits.asked_by, waits.role) == (origin.actor, role):
        return waits
    if waits:
        raise AccountChangeRefused(
            _("%(person)s has already asked for this: %(what)s. It waits on this page.")
            % {"person": waits.asked_by, "what": waits.in_words}
        )
    wait = delay(origin.actor, user, role)
    if not wait or origin.actor is None or _is_so(user, kind, role):
        _make(origin, user, kind, role)
        return None
    change = AccountChange.objects.create(
        user=user,
        kind=kind,
        role=role,
        asked_by=origin.actor,
        due_at=clock.now() + wait,
        ip=origin.ip,
        request_id=origin.request_id,
    )
    _record(origin, Act.MEMBER_CHANGE_ASKED, change, until=change.due_at.isoformat())
    mails.announce(change)
    return change


def carry_out(change: AccountChange) -> None:
    """Makes a change that is due on behalf of who asked for it, or has it lapse if that one may no
    longer do it."""
    with transaction.atomic():
        if _end(change, ChangeState.DONE):
            _settle(change)


@transaction.atomic
def do_now(origin: Origin, change: AccountChange) -> bool:
    """Makes a waiting change as another administrator. Returns whether it was made: it has lapsed
    if who asked may no longer do it. Raises `AccountChangeRefused`."""
    if lack := lack_to_do_now(origin.actor, change):
        raise AccountChangeRefused(lack)
    _end_or_refuse(change, ChangeState.DONE, origin.actor)
    accounts.check(origin, change.user, change.kind, change.role)
    return _settle(change, approved_by=origin.email)


@transaction.atomic
def stop(origin: Origin, change: AccountChange) -> None:
    """Ends a waiting change for the user whom it hits. Raises `AccountChangeRefused`."""
    if origin.actor != change.user:
        raise AccountChangeRefused(_("Only the user of the account can stop this."))
    _end_or_refuse(change, ChangeState.STOPPED, origin.actor)
    _record(origin, Act.MEMBER_CHANGE_STOPPED, change)
    mails.tell_ended(change, change.user, change.asked_by)


@transaction.atomic
def withdraw(origin: Origin, change: AccountChange) -> None:
    """Ends a waiting change for the administrator who asked for it. Raises
    `AccountChangeRefused`."""
    if origin.actor != change.asked_by:
        raise AccountChangeRefused(
            _("Only %(person)s, who asked for this, can withdraw it.") % {"person": change.asked_by}
        )
    _end_or_refuse(change, ChangeState.WITHDRAWN, origin.actor)
    _record(origin, Act.MEMBER_CHANGE_WITHDRAWN, change)
    mails.tell_ended(change, change.user)


@transaction.atomic
def made_by_the_machine(user: User, kind: ChangeKind) -> None:
    """Ends what waits of this kind, since it was made without the portal's administrators."""
    for change in waiting_of(user).filter(kind=kind):
        if _end(change, ChangeState.LAPSED):
            _lapse(change, answers.BY_THE_MACHINE)


def lack_to_do_now(actor: User | None, change: AccountChange) -> str:
    """Returns why an actor cannot have a waiting change made at once; empty if they can."""
    if actor is None or actor in (change.asked_by, change.user):
        return _("Another administrator has to do this.")
    account = AccountHistory(actor)
    if is_another(account, than=[change.asked_by.pk], since=change.asked_at):
        return accounts.lack_of_standing(actor, change.user, change.role)
    return _(
        "You do not count as another administrator here: you have had your role since this was "
        "asked for, or %(person)s invited, promoted or reset you."
    ) % {"person": change.asked_by}


def _is_around(user: User) -> bool:
    recently = user.last_login is not None and user.last_login > clock.now() - ACTIVE_WITHIN
    return recently or sessions.active(user).exists()


def _has_much(user: User) -> bool:
    """Returns whether the user is an administrator, owns a connection, or does more than view all
    of one."""
    if user.is_administrator or Connection.objects.filter(owner=user).exists():
        return True
    whole = Share.objects.current().filter(user=user, families=[], departments=[], groups=[])
    return any(lesser(user.role, share.role) != Role.VIEWER for share in whole)


def _is_so(user: User, kind: str, role: str) -> bool:
    if kind == ChangeKind.ROLE:
        return user.role == role
    return kind == ChangeKind.DEACTIVATION and not user.is_active


def _make(origin: Origin, user: User, kind: str, role: str, approved_by: str = "") -> None:
    make: dict[str, Callable[..., None]] = {
        ChangeKind.ROLE: partial(accounts.change_role, role=role),
        ChangeKind.FACTORS: accounts.reset_factors,
        ChangeKind.DEACTIVATION: accounts.deactivate,
    }
    make[kind](origin, user, approved_by=approved_by)


def _settle(change: AccountChange, approved_by: str = "") -> bool:
    """Makes a change that was just ended as done, or has it lapse. Returns whether it was made."""
    user = User.objects.get(pk=change.user.pk)
    actor = User.objects.get(pk=change.asked_by.pk)
    if _is_so(user, change.kind, change.role):
        _lapse(change, answers.SO_ALREADY)
        return False
    origin = Origin(actor, email=actor.email, ip=change.ip, request_id=change.request_id)
    try:
        if not (actor.is_active and actor.is_administrator):
            raise AccountChangeRefused
        with transaction.atomic():
            _make(origin, user, change.kind, change.role, approved_by)
    except AccountChangeRefused:
        _lapse(change, answers.MAY_NOT % {"person": actor})
        return False
    return True


def _lapse(change: AccountChange, answer: str) -> None:
    change.state, change.answer = ChangeState.LAPSED, answer
    change.save(update_fields=["state", "answer"])
    _record(Origin(), Act.MEMBER_CHANGE_LAPSED, change, reason=answer)
    mails.tell_ended(change, change.user, change.asked_by)


def _end(change: AccountChange, state: ChangeState, by: User | None = None) -> bool:
    """Stores an end. Returns whether the change still waited."""
    change.state, change.ended_by, change.ended_at = state, by, clock.now()
    waiting = AccountChange.objects.filter(pk=change.pk, state=ChangeState.WAITING)
    return bool(waiting.update(state=state, ended_by=by, ended_at=change.ended_at))


def _end_or_refuse(change: AccountChange, state: ChangeState, by: User | None) -> None:
    if not _end(change, state, by):
        change.refresh_from_db(fields=["state"])
        raise AccountChangeRefused(
            _("This no longer waits. It is: %(state)s.")
            % {"state": ChangeState(change.state).label}
        )


def _record(origin: Origin, act: Act, change: AccountChange, **sent: str) -> None:
    with in_english():
        by = "asked by"  # untranslated: a field of the audit trail
        about = {"what": change.in_words, by: change.asked_by.email} | sent
    record(origin, act, change.user, sent=about)
