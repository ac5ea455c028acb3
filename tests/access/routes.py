"""Every route of the portal, as the URLconf has it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from portal.access.models import AuditEntry, Connection, User
from portal.access.origin import Origin
from portal.jobs import services
from portal.sessions.models import SessionTemplate
from tests.jobs.kinds import CreatePeople
from tests.plugins.sandbox import Sandbox, tracked


@dataclass(frozen=True)
class Route:
    """A named route and the names of the arguments in its path."""

    name: str
    arguments: tuple[str, ...]

    def url_of(self, user: User, connection: Connection, sandbox: Sandbox) -> str:
        """Its address for what belongs to a person; `KeyError` for an argument unknown here."""
        known = {
            "connection": connection.key,
            "key": "no-such-link" if self.name.startswith("account_") else connection.key,
            "uidb36": "1",
            "pk": user.pk,
            "kind": "csv",
            "which": "all",
            "item_id": 1,
            "path": "never-made",
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
        }
        made = {
            "sequence": lambda: AuditEntry.objects.filter(actor=user).latest("sequence").pk,
            "user_id": lambda: sandbox.client.get("/users").json()["users"][0]["id"],
            "template_id": lambda: _template(user, connection, self.name.partition(":")[0]),
            "job_key": lambda: _job(connection),
            "session_id": lambda: _session(sandbox, self.name.partition(":")[0]),
        }
        arguments = {name: made[name]() if name in made else known[name] for name in self.arguments}
        return reverse(self.name, kwargs=arguments)


def _job(connection: Connection) -> str:
    return services.draft(Origin(connection.owner), connection, CreatePeople.name, "A route").key


def _session(sandbox: Sandbox, kind: str) -> str:
    """A session of its own of that kind."""
    host = next(user for user in sandbox.client.get("/users").json()["users"] if user["type"] > 1)
    made = sandbox.client.post(f"/users/{host['id']}/{kind}", json=tracked(sandbox.client))
    return str(made.json()["id"])


def _template(user: User, connection: Connection, kind: str) -> int:
    """A template of this person's own."""
    made, _is_new = SessionTemplate.objects.get_or_create(
        owner=user, connection=connection, kind=kind[:16], name="A route"
    )
    return made.pk


def routes() -> list[Route]:
    return sorted(_walk(get_resolver(), "", ()), key=lambda route: route.name)


def _walk(resolver: URLResolver, prefix: str, given: tuple[str, ...]) -> Iterator[Route]:
    for pattern in resolver.url_patterns:
        arguments = (*given, *pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            space = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from _walk(pattern, space, arguments)
        elif isinstance(pattern, URLPattern):
            yield Route(f"{prefix}{pattern.name}" if pattern.name else str(pattern), arguments)


# Redirects of allauth's from addresses that it had earlier; they carry no name.
UNNAMED = {route for route in routes() if route.name.startswith("<URLPattern")}
NAMED = [route for route in routes() if route not in UNNAMED]
