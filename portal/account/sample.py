"""Samples of a baseline with drift, and of a request that waits for approval."""

import contextlib

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.account.baselines import jobs
from portal.account.baselines.services import delete_baseline, save_baseline
from portal.account.models import Baseline, Reach
from portal.account.subjects import PEOPLE
from portal.approvals.models import ApprovalRequest
from portal.approvals.services import deciding, rules, submitting
from portal.approvals.subjects import ApprovalRefused
from portal.client import Api, NotFound
from portal.connections.api import api_for, caller_for
from portal.connections.approval_rules import ApprovalRequired
from portal.contract.groups import Groups, NewGroup
from portal.domain.samples import DEPARTMENT, MARK, SampleContent

_GROUP = f"{MARK}: trade fair 2025"  # untranslated: a name
_WHY = "The sample is taken away."  # untranslated: typed
# Which some of the department have otherwise.
_WANTED = {
    "schedule_meeting.join_before_host": False,
    "schedule_meeting.participants_video": False,
    "in_meeting.private_chat": False,
}


def _make_baseline(colleague: User, connection: Connection) -> None:
    name = f"{MARK}: quiet entry"  # untranslated: a name
    wanted = Baseline(
        connection=connection,
        name=name,
        kind=PEOPLE.name,
        scope=Reach.DEPARTMENT,
        targets=[(DEPARTMENT, DEPARTMENT)],
        values=_WANTED,
    )
    jobs.request_check(save_baseline(Origin(colleague, email=colleague.email), wanted))


def _remove_baseline(colleague: User, by: Origin, connection: Connection) -> None:
    for baseline in Baseline.objects.filter(connection=connection, owner=colleague):
        delete_baseline(by, baseline)


def _make_request(colleague: User, connection: Connection) -> None:
    """Adds a group, and a request of the colleague to delete it, for the owner's approval."""
    origin = Origin(colleague, email=colleague.email)
    owner = scope_of(connection.owner, connection)
    group = api_for(owner).groups.create(NewGroup(name=_GROUP))
    limits = rules.limits_of(connection) | {"operations": [Groups.delete.name]}
    rules.change(Origin(connection.owner), connection, limits, "")
    try:
        scope = scope_of(colleague, connection)
        Api(caller_for(scope, may_ask=True)).groups.delete(str(group.id))
    except ApprovalRequired as required:
        reason = "The fair is over, and its group is used by nobody."  # untranslated: typed
        submitting.submit(submitting.draft(required, origin), origin, reason)


def _remove_request(colleague: User, by: Origin, connection: Connection) -> None:
    """Withdraws what the colleague asked for, ends the rule that made them ask, and deletes the
    group."""
    for asked in ApprovalRequest.objects.filter(connection=connection, requester=colleague):
        with contextlib.suppress(ApprovalRefused):  # it was decided
            deciding.withdraw(asked, Origin(colleague, email=colleague.email))
    limits = rules.limits_of(connection)
    if limits["operations"] == [Groups.delete.name]:
        rules.change(by, connection, limits | {"operations": []}, _WHY)
    api = api_for(scope_of(connection.owner, connection))
    for group in api.groups.list().groups or []:
        if group.name == _GROUP:
            with contextlib.suppress(NotFound):
                api.groups.delete(str(group.id))


SAMPLES = (
    SampleContent(20, "baseline", _make_baseline, _remove_baseline),
    SampleContent(90, "request", _make_request, _remove_request),
)
