"""Webinars take a licence."""

import pytest

from portal.webinars.spec import WEBINARS
from tests.support.html import form_with, text_of

pytestmark = pytest.mark.django_db


def test_host_who_may_not_is_refused_by_service_in_its_words(planner, make_host):
    basic = make_host(type=1)
    form = planner.filled_in(WEBINARS, basic)
    warned = planner.send(form)
    assert "has a Basic licence, which does not include webinars" in text_of(warned.text)
    refused = planner.send(form_with(warned.text, "topic"))
    assert "A Basic licence does not host webinars." in text_of(refused.text)
