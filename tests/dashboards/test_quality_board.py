"""The quality board: read by a job, kept, grouped by what participants have in common."""

from datetime import UTC, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.dashboards.models import (
    MeasuredDay,
    MeasuredSession,
    MeasuredStay,
    MeasuredStream,
    QualityThresholds,
    StoredSample,
)
from portal.dashboards.services.session.people import stay_key
from portal.dashboards.services.streams import days
from portal.dashboards.services.streams.storing import person_of_account
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.jobs import services
from portal.jobs.models import ItemState, Job, JobState
from portal.mirror.refresh import refresh
from tests.dashboards.quality_service import noon, past, reading, service, someone
from tests.dashboards.session_service import NOW
from tests.support.dashboard_pages import (
    address,
    is_asked,
    rows_in,
    seen_in,
    sent,
    table_of,
    words_of,
)
from tests.support.fault_server import FaultServer, answer, no_answer
from tests.support.jobs import Work
from tests.support.sandbox import Sandbox

pytestmark = pytest.mark.django_db

MONTH = {"period": "30-days"}
Json = dict[str, Any]


@pytest.fixture
def offices(faulty, fault_server):
    """Two meetings: who is in Lisbon has a bad network, most of the others a good one."""
    lisbon = {"location": "Lisbon (PT)", "network_type": "Cellular"}
    fault_server.always(
        service(
            past(1, someone("Ada", "800 ms", **lisbon), someone("Bob"), someone("Cem", "200 ms")),
            past(2, someone("Ada", "700 ms", **lisbon), someone("Dia", "900 ms"), days_ago=2),
        )
    )
    return faulty


def board(client, connection, **query):
    """The rows of the board's file by their groups."""
    url = address(connection, "quality-export", "csv", columns="all", **{**MONTH, **query})
    return {next(iter(row.values())): row for row in table_of(client, url)}


class TestBoard:
    @pytest.fixture(autouse=True)
    def read(self, offices: Connection, work: Work) -> None:
        assert work(reading(offices)).state == JobState.DONE

    def test_worst_group_comes_first_with_how_many_people_it_touches(
        self, client: Client, faulty: Connection
    ):
        html = sent(client, address(faulty, "quality", **MONTH))
        assert html.index("Cellular") < html.index("Wifi")
        assert "100.0 %" in html
        found = board(client, faulty)
        assert list(found) == ["Cellular", "Wifi"]
        assert (
            found["Cellular"]
            | {
                "Share of poor": "100.0",
                "Poor streams": "2",
                "People affected": "1",
                "Sessions affected": "2",
                "All streams": "2",
            }
            == found["Cellular"]
        )
        assert found["Wifi"]["Poor streams"] == "1"
        assert found["Wifi"]["Fair streams"] == "1"
        assert found["Wifi"]["All streams"] == "3"
        text = words_of(client.get(address(faulty, "quality", **MONTH)).content)
        assert "poor streams 3 of 5" in text
        assert "people affected 2" in text

    @pytest.mark.parametrize(
        ("by", "group"),
        [
            ("location", "Lisbon (PT)"),
            ("version", "4.6"),
            ("device", "Windows"),
            ("department", "Unknown"),
        ],
    )
    def test_streams_are_grouped_by_what_participants_share(
        self, client: Client, faulty: Connection, by: str, group: str
    ):
        assert group in sent(client, address(faulty, "quality", by=by, **MONTH))

    def test_filters_narrow_the_board(self, client: Client, faulty: Connection):
        assert "Wifi" in sent(client, address(faulty, "quality", stream="audio", **MONTH))
        for nothing in ({"stream": "video"}, {"type": "webinars"}, {"period": "today"}):
            html = sent(client, address(faulty, "quality", **{**MONTH, **nothing}))
            assert "Wifi" not in html

    def test_what_is_poor_follows_the_thresholds_at_once(self, client: Client, faulty: Connection):
        QualityThresholds.objects.create(connection=faulty, values={"latency": [850, 880]})
        found = board(client, faulty)
        assert found["Cellular"]["Poor streams"] == "0"
        assert found["Wifi"]["Poor streams"] == "1"
        QualityThresholds.objects.update(values={"latency": None})
        assert {row["Poor streams"] for row in board(client, faulty).values()} == {"0"}

    def test_a_group_leads_to_its_participants_and_what_was_poor(
        self, client: Client, faulty: Connection
    ):
        html = client.get(address(faulty, "quality", **MONTH)).text
        assert "/quality/participants/?period=30-days&amp;network=Cellular" in html
        page = address(faulty, "quality-participants", network="Cellular", **MONTH)
        text = words_of(client.get(page).content)
        assert "Audio: latency 800 ms" in text
        assert "Audio: latency 700 ms" in text
        assert "Network: Cellular" in text
        assert "Dia" not in text
        url = address(faulty, "quality-participants-export", "csv", columns="all", **MONTH)
        rows = table_of(client, url)
        assert [row["Name"] for row in rows].count("Ada") == 2
        said = {" ".join(row["Worst figures"].split()) for row in rows}
        assert "Audio received: latency 900 ms" in said

    def test_fair_participants_and_others_are_shown_when_asked(
        self, client: Client, faulty: Connection
    ):
        rows = {
            of: rows_in(sent(client, address(faulty, "quality-participants", of=of, **MONTH)))
            for of in ("", "fair", "all")
        }
        assert rows == {"": 3, "fair": 4, "all": 5}
        found = sent(client, address(faulty, "quality-participants", q="meeting 2", **MONTH))
        assert rows_in(found) == 2

    def test_a_participant_leads_to_all_their_sessions(self, client: Client, faulty: Connection):
        person = MeasuredStay.objects.filter(name="Ada").values_list("person", flat=True)[0]
        page = address(faulty, "quality-person", person)
        assert (
            page.partition("?")[0]
            in client.get(address(faulty, "quality-participants", **MONTH)).text
        )
        text = words_of(client.get(page).content)
        assert "Poor streams in 2 of the last 2 sessions" in text
        assert text.index("Meeting 2") < text.index("Meeting 1"), "the latest first"
        assert "Cellular (2 of 2)" in text
        assert "Latency" in text
        assert "data-chart" in client.get(page).text

    def test_unknown_groups_have_a_row_that_leads_to_theirs(
        self, client: Client, faulty: Connection
    ):
        MeasuredStay.objects.filter(name="Dia").update(location="")
        assert "Unknown" in sent(client, address(faulty, "quality", by="location", **MONTH))
        page = address(faulty, "quality-participants", location="(unknown)", **MONTH)
        assert rows_in(sent(client, page)) == 1

    def test_files_name_what_was_taken_out(self, client: Client, faulty: Connection):
        board(client, faulty, by="location")
        entry = AuditEntry.objects.filter(operation=Act.LIST_EXPORTED.value).latest("sequence")
        assert entry.sent["rows"] == 2

    def test_people_nobody_measured_are_not_found(self, client: Client, faulty: Connection):
        assert client.get(address(faulty, "quality-person", "nobody")).status_code == 404

    def test_nobody_sees_what_is_of_another_connection(
        self, client: Client, connection: Connection
    ):
        assert board(client, connection) == {}
        person = MeasuredStay.objects.values_list("person", flat=True)[0]
        assert client.get(address(connection, "quality-person", person)).status_code == 404


class TestReading:
    def test_reading_is_asked_for_on_page_and_says_how_far_it_is(
        self, client: Client, offices: Connection, work: Work
    ):
        page = address(offices, "quality", period="7-days")
        response = client.post(address(offices, "quality-read", period="7-days"))
        assert response.status_code in (302, 303)
        job = Job.objects.get(kind="dashboards.quality")
        assert "Listing sessions" in client.get(page).text
        client.post(address(offices, "quality-read", period="7-days"))
        assert Job.objects.filter(kind="dashboards.quality").count() == 1
        assert work(job).state == JobState.DONE
        url = address(offices, "quality-reading", period="7-days")
        answered = client.get(url, headers={"HX-Request": "true", "HX-Target": "reading"})
        assert answered["HX-Trigger"] == "mirror-refreshed"
        assert "Refresh" in answered.text, "today may change"
        assert not AuditEntry.objects.filter(operation__startswith="job.").exists()

    def test_days_that_are_looked_at_are_loaded_without_a_click(
        self, client: Client, offices: Connection, work: Work
    ):
        page = address(offices, "quality", period="7-days")
        client.head(page)
        assert not Job.objects.exists()
        assert "Listing sessions" in client.get(page).text
        job = Job.objects.get(kind="dashboards.quality")
        assert job.owner == offices.owner
        assert work(job).state == JobState.DONE
        assert "Wifi" in client.get(page).text
        url = address(offices, "quality-reading", period="7-days", done=0)
        answered = client.get(url, headers={"HX-Request": "true", "HX-Target": "reading"})
        assert "done=" not in answered.text

    def test_days_whose_loading_was_cancelled_wait_for_a_click(
        self, client: Client, offices: Connection
    ):
        page = address(offices, "quality", period="7-days")
        client.get(page)
        services.cancel(Job.objects.get(), Origin(offices.owner))
        assert "Load these days" in client.get(page).text
        assert Job.objects.get().state == JobState.CANCELLED

    def test_days_read_twice_are_asked_only_if_they_may_change(
        self, offices: Connection, fault_server: FaultServer, work: Work
    ):
        work(reading(offices))
        before = len(fault_server.requests)
        assert work(reading(offices)).state == JobState.DONE
        seen = fault_server.requests[before:]
        today = timezone.now().astimezone(UTC).date()
        first = min(one.query["from"] for one in seen)
        assert first >= (today - timedelta(days=2)).isoformat(), "older days are settled"
        assert not [one for one in seen if is_asked(one, "/qos")], "ended sessions are settled"
        assert MeasuredSession.objects.filter(connection=offices).count() == 2

    def test_session_read_while_its_figures_may_change_is_read_again(
        self, faulty: Connection, fault_server: FaultServer, work: Work
    ):
        now = timezone.now()
        just = {
            "start_time": f"{now - timedelta(minutes=20):%Y-%m-%dT%H:%M:%SZ}",
            "end_time": f"{now - timedelta(minutes=5):%Y-%m-%dT%H:%M:%SZ}",
        }
        fault_server.always(service(past(1, someone("Ada"), **just)))
        work(reading(faulty))
        fault_server.always(service(past(1, someone("Ada", "900 ms"), someone("Bob"), **just)))
        work(reading(faulty))
        assert MeasuredSession.objects.count() == 1
        assert set(MeasuredStream.objects.values_list("latency", flat=True)) == {900.0, 20.0}

    def test_a_session_that_cannot_be_read_leaves_its_day_unread(
        self, client: Client, faulty: Connection, fault_server: FaultServer, work: Work
    ):
        fine = service(past(1, someone("Ada")), past(2, someone("Bob"), days_ago=4))

        def behave(exchange: Any) -> None:
            request = exchange.read()
            exchange.read = lambda: request
            is_bad = is_asked(request, "/qos") and "past-1" in request.path
            act = answer(400, {"code": 300, "message": "Not this one."}) if is_bad else fine
            act(exchange)

        fault_server.always(behave)
        job = work(reading(faulty))
        assert job.state == JobState.DONE
        assert job.items.get(state=ItemState.FAILED).object_id == "past-1"
        read = MeasuredDay.objects.exclude(read_at=None).values_list("day", flat=True)
        assert noon(4).date() in read
        assert noon(3).date() not in read
        text = words_of(client.get(address(faulty, "quality", period="7-days")).content)
        assert "1 session could not be loaded." in text
        fault_server.always(fine)
        assert work(reading(faulty)).state == JobState.DONE
        assert MeasuredSession.objects.count() == 2

    def test_while_the_service_is_down_nothing_is_lost(
        self, client: Client, offices: Connection, fault_server: FaultServer, work: Work
    ):
        work(reading(offices))
        MeasuredDay.objects.update(read_at=None)
        fault_server.always(no_answer())
        job = work(reading(offices))
        assert job.is_open
        html = client.get(address(offices, "quality", **MONTH)).text
        assert "Loading delayed" in html
        assert "Cellular" in html

    def test_sessions_the_service_has_forgotten_hold_nothing_up(
        self, faulty: Connection, fault_server: FaultServer, work: Work
    ):
        gone = past(1)
        fault_server.always(service(gone, {**past(2, someone("Ada")), "uuid": ""}))
        assert work(reading(faulty)).state == JobState.DONE

    def test_what_was_measured_while_somebody_looked_counts_too(
        self, faulty: Connection, fault_server: FaultServer, work: Work
    ):
        one, quality = someone("Ada", "100 ms")
        joined = NOW - timedelta(minutes=30)
        StoredSample.objects.create(
            connection=faulty,
            session="past-1",
            stay=stay_key("user-Ada", joined),
            measured_at=noon(3),
            content={"audio_input": {"latency": "300 ms"}},
        )
        fault_server.always(service(past(1, (one, quality))))
        work(reading(faulty))
        assert MeasuredStream.objects.get().latency == 200.0

    def test_what_was_read_is_forgotten_after_ninety_days(self, offices: Connection, work: Work):
        work(reading(offices))
        assert days.prune() == 0
        old = timezone.now() - timedelta(days=91)
        MeasuredDay.objects.filter(day=noon(3).date()).update(asked_at=old)
        assert days.prune() == 1
        assert MeasuredSession.objects.get().topic == "Meeting 2"

    def test_more_than_ten_participants_are_read_page_by_page(
        self, faulty: Connection, fault_server: FaultServer, work: Work
    ):
        people = [someone(f"P{number:02}") for number in range(23)]
        fault_server.always(service(past(1, *people)))
        work(reading(faulty))
        assert MeasuredStay.objects.count() == 23
        asked = [one for one in fault_server.requests if is_asked(one, "/qos")]
        assert [one.query["page_size"] for one in asked] == ["10"] * 3

    def test_values_that_cannot_be_read_are_gaps(
        self, faulty: Connection, fault_server: FaultServer, work: Work
    ):
        odd = someone("Ada", "-")
        odd[1]["user_qos"]["audio_input"] = {"latency": "-", "bitrate": "1,234 kbps"}
        odd[1]["user_qos"]["video_input"] = {"latency": "", "frame_rate": "soon"}
        fault_server.always(service(past(1, odd)))
        work(reading(faulty))
        stream = MeasuredStream.objects.get()
        assert (stream.latency, stream.loss, stream.bitrate) == (None, None, 1234.0)


class TestOverTheSandbox:
    @pytest.fixture
    def read(self, connection: Connection, work: Work) -> Connection:
        refresh(USERS.request(connection).pk)
        assert work(reading(connection, days=5)).state == JobState.DONE
        return connection

    def test_every_stream_of_the_days_is_on_the_board(self, client: Client, read: Connection):
        found = board(client, read)
        streams = sum(int(row["All streams"]) for row in found.values())
        assert streams == MeasuredStream.objects.count() > 0
        assert board(client, read, by="department")

    def test_departments_are_those_of_people_who_are_loaded_later(
        self, client: Client, connection: Connection, work: Work
    ):
        assert work(reading(connection, days=5)).state == JobState.DONE
        assert set(board(client, connection, by="department")) == {""}
        page = client.get(address(connection, "quality", by="department", **MONTH))
        assert "The list of people is not loaded yet" in page.text
        refresh(USERS.request(connection).pk)
        found = board(client, connection, by="department")
        streams = sum(int(row["All streams"]) for row in found.values())
        assert streams == MeasuredStream.objects.count()
        known = set(filter(None, found))
        assert known
        assert known <= set(MirroredUser.objects.values_list("dept", flat=True))
        page = client.get(address(connection, "quality", by="department", **MONTH))
        assert "not in the list of people, or" in page.text

    def test_somebody_of_the_account_has_a_tab_with_their_sessions(
        self, client: Client, read: Connection
    ):
        people = MirroredUser.objects.filter(connection=read).exclude(dept="")
        stay = MeasuredStay.objects.filter(user_id__in=people.values("user_id")).first()
        assert stay is not None
        assert stay.person == person_of_account(stay.user_id)
        user = MirroredUser.objects.get(connection=read, user_id=stay.user_id)
        assert escape(user.dept) in client.get(address(read, "quality-person", stay.person)).text
        page = client.get(f"/c/{read.key}/people/{stay.user_id}/tabs/quality/")
        assert escape(stay.session.topic) in page.text
        assert 'aria-current="page"' in page.text

    def test_somebody_without_sessions_is_told_where_to_read_some(
        self, client: Client, connection: Connection, sandbox: Sandbox
    ):
        user = sandbox.people()[0]["id"]
        page = client.get(f"/c/{connection.key}/people/{user}/tabs/quality/")
        assert "Open quality board" in page.text


def test_the_days_are_the_viewers(client, faulty, fault_server, work):
    """A session late in the evening of GMT is on the next day in Auckland."""
    late = noon(3).replace(hour=23)
    ended = {"start_time": f"{late:%Y-%m-%dT%H:%M:%SZ}", "end_time": f"{late:%Y-%m-%dT23:30:00Z}"}
    fault_server.always(service(past(1, someone("Ada"), **ended)))
    work(reading(faulty))
    day = late.date()
    for zone, own in (("UTC", day), ("Pacific/Auckland", day + timedelta(days=1))):
        query = {"period": "custom", "from_date": str(own), "to_date": str(own)}
        assert "Wifi" in sent(seen_in(zone, client), address(faulty, "quality", **query))
