"""A person as their page shows them: head, facts, and what is wrong with their account."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from django.urls import reverse

from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.users import Users, UserStatus
from portal.directory import groups
from portal.directory.users import USERS
from portal.mirror.rows import cached_state
from portal.people import placing
from portal.people.labels import status_label
from portal.people.licences.use import Use, UseFilter, facts_of
from portal.people.services.person import PersonRecord
from portal.people.services.seats import COUNTED
from portal.translation import gettext as _, ngettext, number
from portal.ui.error_messages import Fault
from portal.ui.home import HomeLine
from portal.ui.things import Thing, ThingFact, since_when
from portal.ui.times import in_words

_NAMED = 3  # groups
_LONG, _NEW = timedelta(days=90), timedelta(days=30)  # as licences are judged


def thing_of(
    request: PortalRequest,
    person: PersonRecord,
    *,
    coming: int = 0,
    has_rail: bool = True,
    fault: Fault | None = None,
) -> Thing:
    """Returns the head of a person's page, and the facts at its side; `coming` is the number of
    their sessions to come."""
    connection = request.connection
    state = status_label(person.status) if person.status else _("Status unknown")
    picture = ""
    if person.picture_version:
        address = reverse("people:picture-image", args=[connection.key, person.id])
        picture = f"{address}?v={person.picture_version}"
    return Thing(
        person.name,
        (_("People"), reverse("people:list", args=[connection.key])),
        initials=person.initials,
        picture=picture,
        state=None if person.status == UserStatus.ACTIVE else ("neutral", state),
        facts=list(_facts(person, coming)),
        rail=list(_rail(request.scope, person)) if has_rail else (),
        actions="people/person_actions.html",
        fault=fault,
        as_of=cached_state(connection, USERS.name).refreshed_at if fault else None,
    )


def _facts(person: PersonRecord, coming: int) -> Iterator[str]:
    details = person.details
    yield person.licence
    yield details.dept or ""
    if details.last_login_time:
        yield _("Signed in %(when)s") % {"when": in_words(details.last_login_time, clock.now())}
    elif "last_login_time" in details.model_fields_set:
        yield _("Never signed in")
    if coming:
        words = ngettext("%(count)s upcoming session", "%(count)s upcoming sessions", coming)
        yield words % {"count": number(coming)}


def _rail(scope: Scope, person: PersonRecord) -> Iterator[ThingFact]:
    details = person.details
    yield ThingFact(_("Email"), details.email, _("email"))
    yield ThingFact(_("User ID"), details.id, _("user ID"))
    if person.spaced_pmi:
        yield ThingFact(
            _("Personal meeting ID"), person.spaced_pmi, _("personal meeting ID"), details.pmi
        )
    if person.short_link:
        yield ThingFact(
            _("Personal link"), person.short_link, _("personal link"), details.personal_meeting_url
        )
    if cached_state(scope.connection, groups.GROUPS.name).refreshed_at:
        names = groups.names_with(scope, person.id)
        shown = ", ".join(names[:_NAMED])
        if len(names) > _NAMED:
            shown = _("%(names)s and %(count)s more") % {
                "names": shown,
                "count": number(len(names) - _NAMED),
            }
        url = reverse("people:groups", args=[scope.connection.key, person.id])
        yield ThingFact(_("Groups"), shown, otherwise=_("In no group"), url=url)
    yield ThingFact(_("Time zone"), details.timezone)
    if "last_client_version" in details.model_fields_set:
        yield ThingFact(_("Client version"), details.last_client_version, otherwise=_("None yet"))
    yield ThingFact(_("Created"), details.created_at, otherwise=_("Not reported"))


def needs_of(
    request: PortalRequest, person: PersonRecord, counts: Mapping[str, int]
) -> Iterator[HomeLine]:
    """Yields what is wrong with a person's account; `counts` are the numbers at the tabs."""
    scope, key = request.scope, request.connection.key
    may = scope.can_call(Users.update)
    licence_url = reverse("people:licence", args=[key, person.id]) if may else ""
    may_activate = scope.can_call(Users.change_status)
    status_url = reverse("people:status", args=[key, person.id]) if may_activate else ""
    if placing.is_unplaced(scope, person.id):
        place_url = reverse("people:place", args=[key, person.id]) if may else ""
        yield HomeLine(
            "warning",
            _("Is in no department and no group yet"),
            place_url,
            _("Of the people with a part of the account, only you see them"),
            verb=_("Choose a department or group"),
            is_dialog=True,
        )
    has_licence = person.details.type in COUNTED
    values = {"licence": person.licence}
    if person.status == UserStatus.INACTIVE:
        if has_licence:
            words = _("Deactivated, and still holds a %(licence)s licence") % values
            yield HomeLine("warning", words, licence_url, verb=_("Change licence"), is_dialog=True)
        yield HomeLine(
            "neutral",
            _("Deactivated"),
            status_url and f"{status_url}?action=activate",
            _("Cannot sign in or host"),
            verb=_("Activate"),
            is_dialog=True,
        )
    elif person.is_pending:
        created = person.details.created_at
        why = _("Invited %(when)s") % {"when": since_when(created)} if created else ""
        yield HomeLine("warning", _("Invitation not accepted yet"), why=why)
    elif has_licence and not counts.get("sessions") and _is_idle(scope, person):
        words = _("%(licence)s licence, not used in the last 90 days") % values
        why = _("Hosted and scheduled nothing, did not sign in")
        yield HomeLine("warning", words, licence_url, why, verb=_("Change licence"), is_dialog=True)


def _is_idle(scope: Scope, person: PersonRecord) -> bool:
    last, created = person.details.last_login_time, person.details.created_at
    if (last and last > clock.now() - _LONG) or (created and created > clock.now() - _NEW):
        return False
    found = facts_of(scope, UseFilter().of_people([person.id])).find()
    return bool(found.filter(use=Use.UNUSED.value).exists())
