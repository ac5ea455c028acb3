"""No form of the portal sends what waits for approval, whatever it is.

Every change of the interface is chosen, and every form of every page is filled in and sent. The
service is asked for nothing but readings, and for each of the changes a form leads to a request.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest

from portal.access.models import ApprovalRule
from portal.approvals.models import ApprovalRequest
from portal.contract import operations
from portal.contract.operation import Effect
from tests.support.routes import Route
from tests.support.walk import Walk, through

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

WRITING = {one.name for one in operations() if one.effect is not Effect.READ}


@dataclass
class HeldWalk(Walk):
    """Notes for which operations the forms end in a request."""

    requested: set[str] = field(default_factory=set)

    def _noted(self, route: Route, answer: Any) -> Any:
        drafts = ApprovalRequest.objects.exclude(digest="")
        self.requested |= {*drafts.values_list("operation", flat=True)}
        return super()._noted(route, answer)


def test_no_form_of_the_portal_gets_past_the_rules(faulty, fault_server):
    walk = through(faulty, fault_server, HeldWalk)
    ApprovalRule.objects.create(connection=faulty, operations=sorted(WRITING))
    walk.go()
    assert walk.writes == set()
    assert walk.requested == WRITING
