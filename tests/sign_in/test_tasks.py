"""Housekeeping of sessions."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access.models import Session
from portal.sign_in.tasks import clear_sessions

pytestmark = pytest.mark.django_db


def test_sessions_that_have_ended_are_deleted_and_others_stay():
    now = timezone.now()
    for key, age in (("ended", -1), ("running", 1)):
        Session.objects.create(
            session_key=key, session_data="", expire_date=now + timedelta(hours=age)
        )
    clear_sessions()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["running"]
