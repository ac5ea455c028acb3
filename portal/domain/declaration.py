"""Declaration of a domain: `DOMAIN` of its module `domain` is one of these."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.dispatch import Signal

from portal.access import scope
from portal.access.scope import Scope, ScopeChoices, ScopeCount, ScopeRule
from portal.approvals.services import losses
from portal.approvals.services.losses import LossFinder
from portal.audit import guards, wording
from portal.audit.guards import Guard
from portal.audit.undo import planning as undoing
from portal.audit.undo.planning import UndoCheck
from portal.audit.wording import ObjectLabel
from portal.config.celery import repeat
from portal.connections.services import shares
from portal.connections.services.shares import Running
from portal.domain import samples
from portal.domain.samples import SampleContent
from portal.jobs import job_types, offboarding, steps
from portal.jobs.job_types import JobType
from portal.jobs.offboarding import Holding
from portal.jobs.steps import Step
from portal.mirror import hosting, loading, mirrored_list as mirrored, search
from portal.mirror.hosting import HostingReport
from portal.mirror.loading import LoadedList
from portal.mirror.mirrored_list import MirroredList
from portal.mirror.search import Search, Shortcut
from portal.translation import stored
from portal.translation.stored import Words
from portal.ui import home, navigation, tabs, things
from portal.ui.home import HomeSubject
from portal.ui.navigation import NavigationEntry
from portal.ui.tabs import PersonTab
from portal.ui.things import StoredPage, ThingAspect
from portal.work import queue
from portal.work.queue import WorkQueue


@dataclass(frozen=True)
class Domain:
    """Additions of a domain to the rooms that all domains share.

    `periodic_tasks` are names of Celery tasks, each with the seconds between two runs. `receivers`
    are signals of the rooms below, such as `event_received` of `portal.webhooks.deliveries`, each
    with its receiver. `guards` are names of operations, each with a check that may forbid its
    calls, `undo_checks` each with a check that may exclude values from an undo, `losses` each with
    a finder of the objects that are lost with a call that awaits an approval. `home` are lines of
    the first page about pending decisions. `holdings` are kinds of property of people who leave,
    `steps` those of jobs about one person. `scope_rules` limit operations, by their names, in a
    share limited to a part of the people; `limited_pages` are the names of URLs, or namespaces, of
    the pages that such a share shows. `scope_choices` are the choices for such a part,
    `scope_counts` count the rows of lists that it shows. `hosting` is a report about hosts.
    `loaded_lists` are loaded when an account is connected. `stored_words` are messages that are
    stored, and shown in the reader's language. `running_by_share` list what continues on behalf of
    a share's user, such as rules. `object_labels` find, by family, the label of the object of a
    change, `object_names` its name if that differs. `aspects` are what the pages of single
    things show of this domain, `stored_pages` show such a thing while the service does not answer.
    `samples` are for a demonstration.
    """

    navigation: tuple[NavigationEntry, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    job_types: tuple[type[JobType], ...] = ()
    mirrored_lists: tuple[MirroredList, ...] = ()
    loaded_lists: tuple[LoadedList, ...] = ()
    searches: tuple[Search, ...] = ()
    periodic_tasks: Mapping[str, float] = field(default_factory=dict)
    work_queues: tuple[WorkQueue[Any], ...] = ()
    person_tabs: tuple[PersonTab, ...] = ()
    aspects: tuple[ThingAspect, ...] = ()
    stored_pages: Mapping[str, StoredPage] = field(default_factory=dict)
    receivers: tuple[tuple[Signal, Callable[..., Any]], ...] = ()
    guards: Mapping[str, Guard] = field(default_factory=dict)
    undo_checks: Mapping[str, UndoCheck] = field(default_factory=dict)
    losses: Mapping[str, LossFinder] = field(default_factory=dict)
    home: tuple[HomeSubject, ...] = ()
    holdings: tuple[Holding, ...] = ()
    steps: tuple[Step, ...] = ()
    scope_rules: Mapping[str, ScopeRule] = field(default_factory=dict)
    limited_pages: tuple[str, ...] = ()
    scope_choices: tuple[Callable[[Scope], ScopeChoices], ...] = ()
    scope_counts: tuple[ScopeCount, ...] = ()
    hosting: tuple[HostingReport, ...] = ()
    stored_words: tuple[Words, ...] = ()
    running_by_share: tuple[Running, ...] = ()
    object_labels: Mapping[str, ObjectLabel] = field(default_factory=dict)
    object_names: Mapping[str, ObjectLabel] = field(default_factory=dict)
    samples: tuple[SampleContent, ...] = ()

    def register(self) -> None:
        """Registers the additions with the shared rooms, once, after Django has loaded all
        models."""
        navigation.register(*self.navigation)
        search.register_shortcuts(*self.shortcuts)
        tabs.register(*self.person_tabs)
        things.register(*self.aspects)
        things.register_stored_pages(self.stored_pages)
        for job_type in self.job_types:
            job_types.register(job_type())
        for mirrored_list in self.mirrored_lists:
            mirrored.register(mirrored_list)
        loading.register(*self.loaded_lists)
        for one in self.searches:
            search.register(one)
        for task, seconds in self.periodic_tasks.items():
            repeat(task, seconds)
        for work_queue in self.work_queues:
            queue.register(work_queue)
        for signal, receiver in self.receivers:
            signal.connect(receiver)
        guards.register(self.guards)
        undoing.register(self.undo_checks)
        losses.register(self.losses)
        home.register(*self.home)
        offboarding.register(*self.holdings)
        steps.register(*self.steps)
        scope.register_rules(self.scope_rules)
        scope.register_pages(self.limited_pages)
        for read in self.scope_choices:
            scope.register_choices(read)
        scope.register_counts(*self.scope_counts)
        hosting.register(*self.hosting)
        stored.register(self.stored_words)
        shares.register(*self.running_by_share)
        wording.register(self.object_labels, self.object_names)
        samples.register(*self.samples)
