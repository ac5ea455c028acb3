"""`can` in templates: what is offered is what `request.api` would allow."""

import pytest
from django.template import Context, Template

from portal.access.grants import Can, NoSuchOperation
from portal.access.models import Connection
from portal.access.roles import Role, may
from portal.access.scope import UNLIMITED, Scope
from portal.contract import operations
from portal.contract.operation import Effect

OPERATIONS = list(operations())


def offers(can, operation):
    asked = Template(f"{{% if can.{operation.name} %}}yes{{% endif %}}")
    return asked.render(Context({"can": can})) == "yes"


@pytest.mark.parametrize("role", Role)
def test_it_offers_what_the_role_may_do(role):
    can = Can(Scope.whole(Connection(), "a test", role))
    assert all(offers(can, each) == may(role, each) for each in OPERATIONS)


@pytest.mark.parametrize("role", Role)
def test_over_a_connection_that_only_reads_it_offers_no_write(role):
    can = Can(Scope.whole(Connection(read_only=True), "a test", role))
    readable = [each for each in OPERATIONS if each.effect is Effect.READ and may(role, each)]
    assert [each for each in OPERATIONS if offers(can, each)] == readable


def test_without_a_grant_it_offers_nothing():
    can = Can(None)
    assert not any(offers(can, each) for each in OPERATIONS)


@pytest.mark.parametrize("name", ["persons.update", "users.updat"])
def test_a_slip_of_the_pen_is_an_error(name):
    asked = Template(f"{{% if can.{name} %}}yes{{% endif %}}")
    with pytest.raises(NoSuchOperation):
        asked.render(Context({"can": Can(Scope.whole(Connection(), "a test", Role.ADMINISTRATOR))}))


def test_it_offers_nothing_outside_the_families_of_a_share():
    scope = Scope(
        None, Connection(), Role.ADMINISTRATOR, frozenset({"users"}), UNLIMITED, UNLIMITED
    )
    offered = [each for each in OPERATIONS if offers(Can(scope), each)]
    assert offered == [each for each in OPERATIONS if each.family == "users"]
