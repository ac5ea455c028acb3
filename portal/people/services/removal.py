"""Removing a person: what they have, who is able to get it, and what will happen, in words."""

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from datetime import timedelta
from typing import Any

from django.core import signing

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api, ApiError, NotFound, TimedOut, Unreachable
from portal.config import clock
from portal.contract.meetings import MeetingListType, MeetingsQuery
from portal.contract.paging import NumberedQuery
from portal.contract.reading import believed
from portal.contract.recordings import RecordingsQuery
from portal.contract.users import RemovalAction, UserRemoval, UserStatus
from portal.directory import users as mirror
from portal.directory.models import MirroredUser
from portal.people.labels import TRANSFERRED_TODAY, listed, status_label
from portal.people.services.person import holder_of
from portal.translation import gettext as _, gettext_lazy, ngettext, number

RECORDED_WITHIN = timedelta(days=182)
_SALT = "people.removal.seen"
# A sentence by whether something goes or stays with the person, and whether a colleague gets some.
_Sentences = dict[tuple[bool, bool], str]
_WILL_BE_DELETED: _Sentences = {
    (False, False): gettext_lazy("%(name)s is deleted permanently."),
    (True, False): gettext_lazy("%(name)s is deleted permanently, and with them %(kept)s."),
    (False, True): gettext_lazy("%(name)s is deleted permanently; %(email)s gets %(given)s."),
    (True, True): gettext_lazy(
        "%(name)s is deleted permanently, and with them %(kept)s; %(email)s gets %(given)s."
    ),
}
_WAS_DELETED: _Sentences = {
    (False, False): gettext_lazy("%(name)s was deleted permanently."),
    (True, False): gettext_lazy("%(name)s was deleted permanently, and with them %(kept)s."),
    (False, True): gettext_lazy("%(name)s was deleted permanently; %(email)s got %(given)s."),
    (True, True): gettext_lazy(
        "%(name)s was deleted permanently, and with them %(kept)s; %(email)s got %(given)s."
    ),
}
_WILL_LEAVE: _Sentences = {
    (False, False): gettext_lazy("%(name)s leaves this account."),
    (True, False): gettext_lazy("%(name)s leaves this account and keeps %(kept)s."),
    (False, True): gettext_lazy("%(name)s leaves this account; %(email)s gets %(given)s."),
    (True, True): gettext_lazy(
        "%(name)s leaves this account and keeps %(kept)s; %(email)s gets %(given)s."
    ),
}
_HAS_LEFT: _Sentences = {
    (False, False): gettext_lazy("%(name)s left this account."),
    (True, False): gettext_lazy("%(name)s left this account and kept %(kept)s."),
    (False, True): gettext_lazy("%(name)s left this account; %(email)s got %(given)s."),
    (True, True): gettext_lazy(
        "%(name)s left this account and kept %(kept)s; %(email)s got %(given)s."
    ),
}


@dataclass(frozen=True)
class Belongings:
    """The number of objects of a person, None if not countable; recordings are of six months.
    `others` are parameters of the removal for what else there may be, which no list counts."""

    meetings: int | None = None
    webinars: int | None = None
    recordings: int | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class RemovedPerson:
    """The person to remove, as the page showed them."""

    user_id: str
    email: str
    name: str
    belongings: Belongings


class RecipientRefused(ValueError):
    """Nothing can be transferred to this person; the text is the reason."""


def count_belongings(api: Api, user_id: str, others: Iterable[str] = ()) -> Belongings:
    """Counts what a person has, as far as the service answers. Raises `NotFound`."""
    today = clock.now().date()
    within = RecordingsQuery.model_validate(
        {"from": today - RECORDED_WITHIN, "to": today, "page_size": 1}
    )
    requests: dict[str, Callable[[], Any]] = {
        "meetings": lambda: api.meetings.of_user(
            user_id, MeetingsQuery(type=MeetingListType.SCHEDULED, page_size=1)
        ),
        "webinars": lambda: api.webinars.of_user(user_id, NumberedQuery(page_size=1)),
        "recordings": lambda: api.recordings.of_user(user_id, within),
    }
    counts: dict[str, int | None] = {}
    for name, request in requests.items():
        try:
            answer = request()
            listed = answer.webinars if name == "webinars" else answer.meetings
            counts[name] = believed(answer.total_records, listed)
        except NotFound:
            raise
        except (Unreachable, TimedOut):
            break  # the others would keep the page waiting just as long
        except ApiError:
            counts[name] = None
    return Belongings(**counts, others=tuple(others))


def sign_state(connection: Connection, leaver: RemovedPerson) -> str:
    """Returns what the page showed as a signed token, for a refused form to read nothing again."""
    values = [connection.key, leaver.user_id, leaver.email, leaver.name]
    return signing.dumps([*values, astuple(leaver.belongings)], salt=_SALT)


def read_state(token: str, connection: Connection, user_id: str) -> RemovedPerson | None:
    """Returns the leaver as the page showed them; None if `token` is missing or another form's."""
    try:
        key, whose, email, name, data = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    if (key, whose) != (connection.key, user_id):
        return None
    meetings, webinars, recordings, others = data
    belongings = Belongings(meetings, webinars, recordings, tuple(others))
    return RemovedPerson(whose, email, name, belongings)


def check_colleague(api: Api, scope: Scope, email: str, *, besides: str) -> None:
    """Raises `RecipientRefused` unless this is another active person; `ApiError` if unknown."""
    row = check_listed(scope, email)
    if row is None:
        try:
            user_id = api.users.get(email).id
        except NotFound:
            raise RecipientRefused(_("No one on this account has this email.")) from None
    else:
        user_id = row.user_id
    if user_id == besides:
        raise RecipientRefused(_("This is the person being removed. Choose another person."))


def check_listed(scope: Scope, email: str) -> MirroredUser | None:
    """Returns the person of this email in the list of people, which may lack them. Raises
    `RecipientRefused` if they are not active there."""
    row = holder_of(scope, email)
    require_active(row.status if row else "")
    return row


def require_active(status: str) -> None:
    """Raises `RecipientRefused` for a person of another status; an empty one is unknown."""
    if status and status != UserStatus.ACTIVE:
        label = status_label(status).lower()
        raise RecipientRefused(
            _("This person is %(label)s. Choose an active person.") % {"label": label}
        )


def remove(api: Api, connection: Connection, user_id: str, how: UserRemoval) -> None:
    """Removes the person, from the lists too. Raises `ApiError`."""
    api.users.delete(user_id, how)
    mirror.remove(connection, [user_id])


def will_happen(leaver: RemovedPerson, how: UserRemoval) -> str:
    """Returns all effects of this removal in one sentence."""
    deletes = how.action is RemovalAction.DELETE
    return _sentence(leaver, how, _WILL_BE_DELETED if deletes else _WILL_LEAVE)


def has_happened(leaver: RemovedPerson, how: UserRemoval) -> str:
    deletes = how.action is RemovalAction.DELETE
    return _sentence(leaver, how, _WAS_DELETED if deletes else _HAS_LEFT)


def _sentence(leaver: RemovedPerson, how: UserRemoval, sentences: _Sentences) -> str:
    given, left = _given_and_left(leaver.belongings, how)
    return sentences[bool(left), bool(given)] % {
        "name": leaver.name,
        "kept": listed(left) if left else "",
        "email": how.transfer_email,
        "given": listed(given) if given else "",
    }


def _given_and_left(had: Belongings, how: UserRemoval) -> tuple[list[str], list[str]]:
    """Returns words for the objects that go to the colleague, and for the others."""
    given: list[str] = []
    left: list[str] = []
    for words, is_given in (
        (_meetings(had.meetings), how.transfer_meeting),
        (_webinars(had.webinars), how.transfer_webinar),
        (_recordings(had.recordings), how.transfer_recording),
    ):
        if words:
            (given if how.transfer_email and is_given else left).append(words)
    for name in had.others:
        is_taken = how.transfer_email and getattr(how, name, False)
        (given if is_taken else left).append(str(TRANSFERRED_TODAY[name]))
    return given, left


def _meetings(count: int | None) -> str:
    if count is None:
        return _("all meetings")
    if not count:
        return ""
    return ngettext("%(count)s meeting", "%(count)s meetings", count) % {"count": number(count)}


def _webinars(count: int | None) -> str:
    if count is None:
        return _("all webinars")
    if not count:
        return ""
    return ngettext("%(count)s webinar", "%(count)s webinars", count) % {"count": number(count)}


def _recordings(count: int | None) -> str:
    if count is None:
        return _("all recordings")
    if not count:
        return _("any recordings older than 6 months")
    return _("all recordings (%(count)s in the last 6 months)") % {"count": number(count)}
