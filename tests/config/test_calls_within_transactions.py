"""No transaction is open while the service is asked: tests fail where one is."""

import pytest
from django.db import transaction

from portal.connections.api import api_for
from portal.contract.users import UserQuery
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def test_call_within_a_transaction_fails(connection):
    api = api_for(whole(connection))
    with transaction.atomic(), pytest.raises(AssertionError, match="within a transaction"):
        api.users.list(UserQuery(page_size=1))
    assert api.users.list(UserQuery(page_size=1))
