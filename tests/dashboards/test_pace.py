"""How often Live asks, by the limits of the service."""

from datetime import UTC, datetime, timedelta

import pytest

from portal.client.limits import Quota
from portal.connections.rate_limits import closures_of, rate_limiter_of, tomorrow
from portal.contract.metrics import Metrics
from portal.contract.operation import Weight
from portal.dashboards.models import LiveSnapshot
from portal.dashboards.services.live.pace import EVERY, pace_of
from portal.dashboards.services.live.reader import read_if_due
from tests.support.fault_server import answer
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def by_class(faulty):
    faulty.dialect = "current"
    faulty.save()
    return faulty


def test_unknown_limits_leave_the_usual_interval(faulty):
    assert (pace_of(faulty).every, pace_of(faulty).words) == (EVERY, "")


def test_interval_follows_what_a_minute_allows(by_class):
    slow = pace_of(by_class)
    assert (slow.every, slow.pages) == (timedelta(seconds=25), 2)
    assert slow.words == "Updated every 25 s: the service allows 10 requests a minute."
    twice = Quota("Resource-intensive", "Per-minute-limit", 120, 100)
    rate_limiter_of(by_class).heard(Metrics.meetings, twice)
    closures_of(by_class).heard(Weight.SCARCE, Quota("", "Daily-limit", 10**7, 10**7))
    assert (pace_of(by_class).every, pace_of(by_class).words) == (EVERY, "")
    assert pace_of(by_class).pages == 30


def test_interval_spares_what_is_left_of_a_day(by_class):
    closures_of(by_class).heard(Weight.SCARCE, Quota("", "Daily-limit", 30_000, 20))
    left = (tomorrow() - datetime.now(UTC)).total_seconds()
    paced = pace_of(by_class)
    assert paced.every <= timedelta(hours=1)
    assert paced.every >= min(timedelta(hours=1), timedelta(seconds=left / 6))


def test_service_is_not_asked_before_and_page_says_so(by_class, fault_server, administrator):
    fault_server.always(answer(200, {"meetings": [], "webinars": [], "total_records": 0}))
    assert read_if_due(by_class.pk)
    LiveSnapshot.objects.update(asked_at=datetime.now(UTC) - timedelta(seconds=20))
    assert not read_if_due(by_class.pk)
    page = admin_client_for(administrator).get(f"/c/{by_class.key}/dashboards/")
    assert "Updated every 25 s: the service allows 10 requests a minute." in page.content.decode()
    LiveSnapshot.objects.update(asked_at=datetime.now(UTC) - timedelta(seconds=30))
    assert read_if_due(by_class.pk)
