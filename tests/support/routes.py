"""Every route of the portal, as the URLconf has it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from http import HTTPStatus

import httpx
from django.db import transaction
from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.account.models import Baseline
from portal.approvals.models import ApprovalRequest
from portal.audit import chain, trail
from portal.audit.models import AuditEntry, Outcome
from portal.contract.users import Users, UserUpdate
from portal.dashboards.models import AlertRule
from portal.jobs import services
from portal.people.models import OnboardingTemplate, Protection
from portal.reports.models import SavedReport
from portal.sessions.models import SessionTemplate
from portal.webhooks.models import Delivery
from tests.support.job_types import CreatePeople
from tests.support.sandbox import Sandbox


@dataclass(frozen=True)
class Route:
    """A named route, the names of the arguments in its path, and its view."""

    name: str
    arguments: tuple[str, ...]
    view: Callable[..., HttpResponseBase] | None = field(default=None, compare=False, repr=False)

    def url_of(
        self, user: User, connection: Connection, sandbox: Sandbox | None, **given: object
    ) -> str:
        """Its address for what belongs to a person; `KeyError` for an argument unknown here.

        `given` are arguments to take instead. Without a sandbox it has to say what is there.
        """
        known = {
            "connection": connection.key,
            "key": "no-such-link" if self.name.startswith("account_") else connection.key,
            "uidb36": "1",
            "pk": user.pk,
            "kind": "csv",
            "which": "all",
            "item_id": 1,
            "path": "never-made",
            "token": "never-made",
            "section": "name",
            "upload": "nothing2",
            "delegate_id": "nobody",
            "group_id": "none",
            "tsp_id": "1",
            "name": "people",
            "provider_id": "none",
            "occurrence_id": "1648194360000",
            "poll_id": "none",
            "registrant_id": "nobody",
            "file": "csv",
            "action": "approve",
            "uuid": "none/none==",
            "file_id": "none",
            "how": "trash",
            "panelist_id": "1",
            "participant": "nobody",
            "person": "nobody",
            "instance": "none/none==",
            "tab": "meetings",
            "retention_id": 1,
            "person_id": "nobody",
            "run_key": "no-run",
            "chat_id": "no-such-session",
            "resource_id": "nothing",
            "account_id": "no-such-account",
            "subject_kind": "people",
            "handle": "no-such-session",
        }
        made: dict[str, Callable[[], object]] = {
            "sequence": lambda: AuditEntry.objects.filter(actor=user).latest("sequence").pk,
            "user_id": lambda: _client(sandbox).get("/users").json()["users"][0]["id"],
            "template_id": lambda: _template(user, connection, self.name.partition(":")[0]),
            "saved_id": lambda: _saved_report(connection),
            "rule_id": lambda: _alert_rule(connection),
            "change": lambda: _change(connection, known | given, sandbox),
            "delivery_id": lambda: _delivery(connection),
            "baseline_id": lambda: _baseline(connection),
            "protection_id": lambda: _protection(connection),
            "job_key": lambda: _job(connection),
            "request_key": lambda: _approval_request(user, connection),
            "onboarding_id": lambda: _onboarding(connection),
            "room_id": lambda: _room(sandbox),
            "session_id": lambda: _session(sandbox, self.name.partition(":")[0]),
            **{name: partial(str, value) for name, value in given.items()},
        }
        arguments = {name: made[name]() if name in made else known[name] for name in self.arguments}
        return reverse(self.name, kwargs=arguments)


def _protection(connection: Connection) -> int:
    protection, _ = Protection.objects.get_or_create(
        connection=connection, kind="department", key="Board", defaults={"name": "Board"}
    )
    return protection.pk


def _baseline(connection: Connection) -> int:
    baseline, _ = Baseline.objects.get_or_create(
        connection=connection,
        name="A route",
        defaults={"owner": connection.owner, "kind": "people", "values": {"in_meeting.chat": True}},
    )
    return baseline.pk


def _approval_request(user: User, connection: Connection) -> str:
    """A draft of this person's own."""
    made = ApprovalRequest.objects.create(
        connection=connection,
        requester=user,
        kind="call",
        operation="users.delete",
        title="A route",
    )
    return made.key


def _onboarding(connection: Connection) -> int:
    made, _ = OnboardingTemplate.objects.get_or_create(connection=connection, name="A route")
    return made.pk


def _room(sandbox: Sandbox | None) -> str:
    is_current = sandbox is not None and sandbox.profile == "current"
    path, key = ("zoomrooms", "zoom_rooms") if is_current else ("confrooms", "conf_rooms")
    return str(_client(sandbox).get(f"/metrics/{path}").json()[key][0]["id"])


def _change(connection: Connection, known: dict[str, object], sandbox: Sandbox | None) -> int:
    """The entry of a change of a person that was made."""
    user = known.get("user_id") or _client(sandbox).get("/users").json()["users"][0]["id"]
    with transaction.atomic():
        intent = trail.begun(
            Origin(connection.owner),
            connection,
            operation=Users.update.name,
            path=f"PATCH {Users.update.call(str(user), UserUpdate()).path}",
            family=Users.name,
            object_id=str(user),
            sent={"dept": "Another"},
            before={"dept": ""},
        )
        chain.append(intent)
        chain.append(trail.ended(intent, Outcome.DONE))
    return intent.pk


def _delivery(connection: Connection) -> int:
    return Delivery.objects.create(connection=connection, payload="{}").pk


_SESSIONS: dict[tuple[str, str], str] = {}


@contextmanager
def undone() -> Iterator[None]:
    """Rolls back what happens within, so that one set-up serves many routes."""
    before = transaction.savepoint()
    yield
    transaction.savepoint_rollback(before)


def _job(connection: Connection) -> str:
    return services.draft(Origin(connection.owner), connection, CreatePeople.name, "A route").key


def _client(sandbox: Sandbox | None) -> httpx.Client:
    assert sandbox
    return sandbox.client


def _session(sandbox: Sandbox | None, kind: str) -> str:
    """A session of that kind, the same until it is deleted."""
    client = _client(sandbox)
    account = str(client.base_url)
    known = _SESSIONS.get((account, kind), "0")
    if client.get(f"/{kind}/{known}").status_code == HTTPStatus.OK:
        return known
    host = next(user for user in client.get("/users").json()["users"] if user["type"] > 1)
    made = client.post(f"/users/{host['id']}/{kind}", json={})
    _SESSIONS[account, kind] = number = str(made.json()["id"])
    return number


def _saved_report(connection: Connection) -> int:
    due = timezone.now() + timedelta(days=1)
    saved = SavedReport.objects.create(
        connection=connection, owner=connection.owner, name="A", slug="daily", next_at=due
    )
    return saved.pk


def _alert_rule(connection: Connection) -> int:
    made, _ = AlertRule.objects.get_or_create(
        connection=connection, kind="participants", threshold=500
    )
    return made.pk


def _template(user: User, connection: Connection, kind: str) -> int:
    """A template of this person's own."""
    made, _is_new = SessionTemplate.objects.get_or_create(
        owner=user, connection=connection, kind=kind[:16], name="A route"
    )
    return made.pk


def routes() -> list[Route]:
    return sorted(_walk(get_resolver(), "", ()), key=lambda route: route.name)


def views(resolver: URLResolver) -> Iterator[Callable[..., HttpResponseBase]]:
    """The views of all routes, the unnamed ones too."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from views(pattern)
        elif isinstance(pattern, URLPattern):
            yield pattern.callback


def _walk(resolver: URLResolver, prefix: str, given: tuple[str, ...]) -> Iterator[Route]:
    for pattern in resolver.url_patterns:
        arguments = (*given, *pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            space = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from _walk(pattern, space, arguments)
        elif isinstance(pattern, URLPattern):
            name = f"{prefix}{pattern.name}" if pattern.name else str(pattern)
            yield Route(name, arguments, pattern.callback)


# Redirects of allauth's from addresses that it had earlier; they carry no name.
UNNAMED = {route for route in routes() if route.name.startswith("<URLPattern")}
NAMED = [route for route in routes() if route not in UNNAMED]
