"""Promise 36 for every page: where the database takes nothing, each is shown."""

import pytest
from django.apps import apps

from portal.mirror.models import MirroredRow
from tests.support.database_faults import database_that_takes_nothing
from tests.support.portal import admin_client_for
from tests.support.routes import NAMED

pytestmark = [pytest.mark.deep, pytest.mark.django_db(transaction=True)]

# Nothing leaves in a file without an entry in the trail.
RECORDED = {
    *("account:baseline-yaml", "jobs:rows"),
    *("meetings:registrants-by-date", "webinars:registrants-by-date"),
    *(one.name for one in NAMED if "export" in one.name),
}
# What these make is a secret that the session holds until it is confirmed.
SET_UP = {"mfa_activate_totp", "mfa_add_webauthn"}
PAGES = [one for one in NAMED if one.name not in RECORDED | SET_UP]


@pytest.mark.parametrize("is_first", [True, False])
def test_no_page_fails_for_want_of_space(administrator, connection, sandbox, *, is_first):
    client = admin_client_for(administrator)
    client.raise_request_exception = False
    client.get("/")
    urls = {one.name: one.url_of(administrator, connection, sandbox) for one in PAGES}
    if not is_first:
        for url in urls.values():
            client.get(url)
        for model in apps.get_models():
            if issubclass(model, MirroredRow):  # else nothing new would be stored
                model._default_manager.update(fingerprint="")
    with database_that_takes_nothing():
        answers = {name: client.get(url).status_code for name, url in urls.items()}
    assert {name: code for name, code in answers.items() if code >= 500} == {}
