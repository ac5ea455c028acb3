"""Users with a defined role find on no route a name that it keeps from them, with a limited share
too, nor what they worked on while they were elevated."""

import pytest

from portal.access.http import Origin
from portal.access.models import CustomRole
from portal.access.roles import Role
from portal.connections.services import elevation
from portal.contract.operation import Effect
from portal.jobs.models import Job
from tests.access.planted import give_job
from tests.connections.limits import to_the_department

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(1800), pytest.mark.deep]

EVERYTHING = [effect.value for effect in Effect]
# What planted rows call what is not of meetings.
KINDS = ("Recording", "Group", "Entry", "Hold", "Onboarding", "Baseline", "Alert", "Measured")
KINDS += ("Work", "Saved", "View", "Template", "Request", "Delivery")


@pytest.fixture
def give_role(share):
    """Returns a function that has the share give a role with all of these families."""

    def give(*families):
        grants = dict.fromkeys(families, EVERYTHING)
        role = CustomRole.objects.create(name="Some", grants=grants, created_by=share.created_by)
        share.role = role.key
        share.save()

    return give


def test_defined_role_within_a_department_leaves_no_name(share, both, walk, give_role):
    inside, outside = both
    walk.is_deep = False
    to_the_department(share, inside)
    give_role("users", "meetings", "recordings", "groups")
    assert list(walk.leaks(both, outside.names, takes_forms=False)) == []


def test_work_of_an_elevation_leaves_no_name_after_it(share, both, walk, give_role):
    give_role("meetings")
    owner = Origin(share.connection.owner, email=share.connection.owner.email)
    asked = elevation.ask(Origin(share.user), share, Role.ADMINISTRATOR, 1, "Tonight")
    elevation.approve(owner, share, asked.pk)
    for one in both:
        give_job(one, share.user, share.connection)
        Job.objects.filter(key=one.job).update(stored_title=f"Work of {one.mark}")
    walk.is_deep = False
    elevation.stop(owner, share, asked.pk)
    strangers = [
        name
        for one in both
        for name in (*(f"{kind} of {one.mark}" for kind in KINDS), one.webinar, one.recording)
    ]
    assert list(walk.leaks(both, strangers, takes_forms=False)) == []
