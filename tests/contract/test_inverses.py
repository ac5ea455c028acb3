"""Every operation that changes something says how it is undone, or why it cannot be."""

from portal.contract import operations
from portal.contract.inverse import (
    Deletes,
    NoWayBack,
    Opposite,
    PutsBack,
    Recreates,
    Restores,
    TakesOut,
)
from portal.contract.model import fields
from portal.contract.operation import Effect, Operation
from portal.contract.users import UserDetails
from tests.support.cases import for_each

_BY_NAME = {operation.name: operation for operation in operations()}
_WRITES = [operation for operation in operations() if operation.effect is not Effect.READ]

every_write = for_each("operation", _WRITES, ids=lambda operation: operation.name)


def silent(found):
    """Those that say nothing of their inverse."""
    return [operation.name for operation in found if operation.inverse is None]


def test_every_write_declares_its_inverse_or_that_it_has_none():
    assert silent(_WRITES) == []


def test_a_write_that_says_nothing_is_named():
    mute = Operation("POST", "/users", "Create", 201, effect=Effect.WRITE, family="users")
    assert silent([*_WRITES, mute]) == [mute.name]


def test_a_read_has_nothing_to_undo():
    reads = [operation for operation in operations() if operation.effect is Effect.READ]
    assert silent(reads) == [operation.name for operation in reads]


@every_write
def test_no_way_back_is_said_in_a_sentence(operation):
    if isinstance(operation.inverse, NoWayBack):
        words = operation.inverse.words
        assert words[:1].isupper()
        assert words.endswith(".")


@every_write
def test_what_restores_reads_before_it_writes(operation):
    inverse = operation.inverse
    if isinstance(inverse, Restores):
        assert operation.body is not None
        assert operation.before is not None
        assert operation.before.returns is not None
        read = dict(fields(operation.before.returns))
        assert {*inverse.read_as.values()} <= {*read}
        assert not inverse.within or inverse.within in read


@every_write
def test_the_other_operation_exists_and_writes(operation):
    inverse = operation.inverse
    if isinstance(inverse, Deletes | Recreates | TakesOut | PutsBack):
        by = _BY_NAME[inverse.by]
        assert by.effect is not Effect.READ
        if isinstance(inverse, Deletes):
            assert by.method == "DELETE"
            assert by.before is not None
        if isinstance(inverse, Recreates):
            assert by.body is not None
            assert by.path_parameters == operation.path_parameters[:-1]


@every_write
def test_who_is_there_now_can_be_read(operation):
    inverse = operation.inverse
    if isinstance(inverse, TakesOut | PutsBack):
        if inverse.member_of:
            assert inverse.member_of in UserDetails.model_fields
        else:
            listing = _BY_NAME[inverse.listing]
            assert listing.returns is not None
            assert inverse.records in dict(fields(listing.returns))
            assert operation.before == listing


@every_write
def test_the_opposite_of_each_action_is_known(operation):
    if isinstance(operation.inverse, Opposite):
        assert operation.body is not None
        actions = {each.value for each in operation.body.model_fields["action"].annotation}
        assert {*operation.inverse.of} == {*operation.inverse.of.values()} == actions
