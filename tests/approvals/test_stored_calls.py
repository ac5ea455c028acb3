"""A call that waits comes back as it was, whole; and nothing of it can be read until then."""

import pytest

from portal.approvals.services import submitting
from portal.contract import operations
from portal.contract.groups import Groups, NewGroup
from portal.contract.operation import Call, Effect
from portal.contract.users import Picture, UserRemoval, Users
from tests.support.cases import for_each
from tests.support.samples import sample

WRITING = [each for each in operations() if each.effect is not Effect.READ]


def call_of(operation):
    ids = tuple("1" for _ in operation.path_parameters)
    query = operation.query and operation.query.model_validate(sample(operation.query))
    body = operation.body and operation.body.model_validate(sample(operation.body))
    return Call(operation, ids, query, body)


@for_each("operation", WRITING, ids=lambda each: each.name)
def test_every_call_that_changes_something_comes_back_as_it_was(operation):
    call = call_of(operation)
    sealed = submitting.seal(call)
    again = submitting.unseal(sealed)
    assert again == call
    assert submitting.digest(again) == submitting.digest(call)
    for sent, kept in ((call.query, again.query), (call.body, again.body)):
        if sent is not None and kept is not None:
            assert kept.model_fields_set == sent.model_fields_set


def test_what_was_not_set_is_not_sent_afterwards():
    call = Users.delete.call("ann@example.com", UserRemoval(transfer_meeting=True))
    again = submitting.unseal(submitting.seal(call))
    assert again.query is not None
    assert again.query.sent() == {"transfer_meeting": True}


def test_a_picture_comes_back_byte_for_byte():
    call = Users.upload_picture.call("ann", Picture(pic_file=b"\xff\xd8\x00picture"))
    again = submitting.unseal(submitting.seal(call))
    assert isinstance(again.body, Picture)
    assert again.body.pic_file == b"\xff\xd8\x00picture"


def test_another_call_has_another_digest():
    digests = {
        submitting.digest(Groups.create.call(NewGroup(name=name))) for name in ("One", "Two")
    }
    assert len(digests) == 2


def test_a_call_of_an_operation_that_is_gone_is_not_guessed(monkeypatch):
    sealed = submitting.seal(Groups.create.call(NewGroup(name="One")))
    monkeypatch.delitem(submitting.OPERATIONS, "groups.create")
    with pytest.raises(submitting.NoSuchCall):
        submitting.unseal(sealed)
