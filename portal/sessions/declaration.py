"""Declaration of a kind of session: `DOMAIN` of its app's module `domain` is one of these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.access.scope import Scope, ScopeCount, ScopeRule
from portal.contract.recordings import Recordings
from portal.domain.declaration import Domain
from portal.jobs.history import changes_of, count_of
from portal.mirror.search import Shortcut
from portal.sessions import kinds
from portal.sessions.approval_losses import RegistrationLossFinder
from portal.sessions.jobs.scheduling import scheduling_job
from portal.sessions.jobs.session_import import import_job
from portal.sessions.mirror import listed, topic_of
from portal.sessions.offboarding import DeleteSessionStep, HostedSessions
from portal.sessions.person_tabs import hosted_tab
from portal.sessions.recorded import count_recorded, recorded_of
from portal.sessions.scope_rules import rules_of
from portal.sessions.search import searching
from portal.sessions.services.losses import leave_registrations
from portal.sessions.specs import SessionSpec
from portal.translation import gettext_lazy
from portal.ui.error_messages import Fault
from portal.ui.navigation import SESSIONS, NavigationEntry
from portal.ui.things import ThingAspect

_SCHEDULE = gettext_lazy("create add new")  # other words for it in the search


@dataclass(frozen=True)
class SessionDomain(Domain):
    """Additions of a kind of session, which is registered first: lists, calendar, policy and jobs
    of all kinds then have it."""

    spec: SessionSpec = field(kw_only=True)

    def register(self) -> None:
        kinds.register(self.spec)
        super().register()


def session_domain(
    spec: SessionSpec, *, scope_rules: Mapping[str, ScopeRule] | None = None, **own: Any
) -> SessionDomain:
    """Returns what each kind adds to the portal; `scope_rules` and `own` are what this one adds
    besides."""
    return SessionDomain(
        spec=spec,
        navigation=(
            NavigationEntry(
                SESSIONS,
                spec.place + 10,
                spec.title,
                spec.icon,
                f"{spec.family}:list",
                needs=(spec.of_user,),
            ),
        ),
        shortcuts=(
            Shortcut(spec.schedule, spec.icon, f"{spec.family}:create", spec.create, _SCHEDULE),
        ),
        scope_counts=(ScopeCount(spec.title, spec.of_user, partial(_count, spec.family)),),
        job_types=(import_job(spec), scheduling_job(spec)),
        searches=(searching(spec),),
        holdings=(HostedSessions(spec),),
        steps=(DeleteSessionStep(spec),),
        person_tabs=(hosted_tab(spec),),
        aspects=_aspects(spec),
        stored_pages={spec.family: partial(_stored_session, spec)},
        undo_checks={spec.update.name: leave_registrations},
        losses={one.name: RegistrationLossFinder(spec) for one in (spec.update, spec.delete)},
        object_labels={spec.family: partial(topic_of, spec.family)},
        scope_rules={**rules_of(spec), **(scope_rules or {})},
        limited_pages=(spec.family,),
        **own,
    )


def _aspects(spec: SessionSpec) -> tuple[ThingAspect, ...]:
    kind = spec.family
    changes = partial(changes_of, kind, f"{kind}:history")
    return (
        ThingAspect(
            kind, 30, Recordings.get, partial(recorded_of, kind), "recordings", count_recorded
        ),
        ThingAspect(kind, 90, spec.get, changes, "history", partial(count_of, kind)),
    )


def _stored_session(spec: SessionSpec, request: PortalRequest, fault: Fault) -> HttpResponse | None:
    from portal.sessions.views.base import stored_session  # noqa: PLC0415 - no worker needs pages

    return stored_session(spec, request, fault)


def _count(kind: str, scope: Scope) -> int:
    return listed(scope).filter(kind=kind).count()
