"""Quality of service: read ten at a time, kept minute by minute, judged by what was set."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, strategies as st

from portal.access.models import Connection
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.contract.dashboards import QualitySample, SessionParticipant
from portal.dashboards.models import MeasuredStream, StoredSample
from portal.dashboards.services.session import readings
from portal.dashboards.services.session.measures import (
    DEFAULTS,
    LIMITS,
    MEDIA,
    as_content,
    level,
    worst_of,
)
from portal.dashboards.services.session.people import SessionStay
from portal.dashboards.services.session.quality import prune
from portal.dashboards.services.streams.grouping import summed_up, verdict
from tests.dashboards.session_service import NOW, UUID, ago, measured, participant, service
from tests.dashboards.test_session import url
from tests.support.fault_server import FaultServer
from tests.support.html import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def read_anew(monkeypatch):
    monkeypatch.setattr(readings, "_FRESH", {"live": 0.0, "past": 0.0})


def test_ten_are_read_and_no_more(client, faulty, fault_server):
    people = [participant(f"P{n:02}") for n in range(25)]
    fault_server.always(service(people, qualities=[measured(one, "20 ms") for one in people]))
    html = client.get(url(faulty, "meeting-quality", "123", type="live")).text
    asked = [one for one in fault_server.requests if one.path.endswith("/qos")]
    assert len(asked) == 1
    assert asked[0].query["page_size"] == "10"
    assert "10 of 25 participants" in text_of(html)
    html = client.get(url(faulty, "meeting-quality", "123", type="live", token="10")).text
    assert "P10" in html
    assert "P00" not in html


def test_a_token_that_expired_leads_to_the_first_page(client, faulty, fault_server):
    ada = participant("Ada")
    fine = service([ada], qualities=[measured(ada, "20 ms")])
    fault_server.always(fine)
    client.get(url(faulty, "meeting-quality", "123", type="live"))
    found = client.get(url(faulty, "meeting-quality", "123", type="live", token="99"))
    assert found.status_code in (200, 302, 303)


def test_measurements_add_up_while_somebody_looks(client, faulty, fault_server):
    ada = participant("Ada")
    for at, latency in ((5, "20 ms"), (4, "-"), (3, "410 ms"), (3, "410 ms")):
        fault_server.always(service([ada], qualities=[measured(ada, latency, at=at)]))
        found = client.get(url(faulty, "meeting-person", "123", ada["id"], type="live"))
        assert found.status_code == 200
    assert StoredSample.objects.filter(connection=faulty, session=UUID).count() == 3
    html = found.text
    assert "Received: 20 ms to 410 ms, last 410 ms, poor 1 of 2." in html
    assert "<td>-</td>" in html
    assert "Good: 2" in html
    assert "Poor: 1" in html


def test_one_sample_or_a_list_of_them_is_read(client, faulty, fault_server):
    ada = participant("Ada")
    quality = measured(ada, "20 ms")
    later = {**quality["user_qos"], "date_time": ago(0.5)}
    quality["user_qos"] = [quality["user_qos"], later]
    fault_server.always(service([ada], qualities=[quality]))
    client.get(url(faulty, "meeting-quality", "123", type="live"))
    assert StoredSample.objects.filter(connection=faulty).count() == 2


def test_a_bad_minute_leads_to_who_else_was_bad_then(client, faulty, fault_server):
    people = [
        participant("Ada", location="Lisbon (PT)", network_type="Cellular"),
        participant("Bob", location="Lisbon (PT)", network_type="Cellular"),
        participant("Cem"),
    ]
    words = ("800 ms", "700 ms", "20 ms")
    qualities = [measured(one, text, at=3) for one, text in zip(people, words, strict=True)]
    fault_server.always(service(people, qualities=qualities))
    at = ago(3)
    html = client.get(url(faulty, "meeting-quality", "123", type="live", at=at)).text
    said = " ".join(text_of(html).split())
    assert "2 of 3 measured participants had fair or poor quality." in said
    assert "Cellular 2 0 2" in said
    assert "Lisbon (PT) 2 0 2" in said
    assert "Wifi 0 0 1" in said
    person = client.get(url(faulty, "meeting-person", "123", people[0]["id"], type="live")).text
    assert f"at={at}" in person


def test_samples_are_forgotten_after_a_month(faulty):
    for days in (1, 30, 32):
        StoredSample.objects.create(
            connection=faulty,
            session=UUID,
            stay="one",
            measured_at=NOW - timedelta(days=days),
        )
    assert prune() == 1


class TestThresholds:
    def sent(self, **changed: str) -> dict[str, str]:
        values = {
            f"{one.name}-{word}": f"{pair[at]:g}"
            for one in LIMITS
            for pair in [DEFAULTS[one.name]]
            for at, word in enumerate(("fair", "poor"))
        }
        return values | {name.replace("__", "-"): value for name, value in changed.items()}

    def address(self, connection: Connection) -> str:
        return reverse("dashboards:thresholds", args=[connection.key])

    def test_what_an_administrator_sets_is_what_counts(
        self, client: Client, faulty: Connection, fault_server: FaultServer
    ):
        ada = participant("Ada")
        fault_server.always(service([ada], qualities=[measured(ada, "90 ms")]))
        page = url(faulty, "meeting-quality", "123", type="live")
        assert "Good" in client.get(page).text
        sent = self.sent(latency__fair="50", latency__poor="80")
        assert client.post(self.address(faulty), sent).status_code in (302, 303)
        html = client.get(page).text
        assert 'data-level="poor">90 ms' in html
        entry = AuditEntry.objects.filter(operation=Act.QUALITY_STATED.value).latest("sequence")
        assert "fair 50, poor 80" in str(entry.sent)
        assert "fair 150, poor 300" in str(entry.before)
        client.post(self.address(faulty), {"reset": "1"})
        assert "Poor" not in client.get(page).text

    def test_a_measure_without_values_is_not_judged(
        self, client: Client, faulty: Connection, fault_server: FaultServer
    ):
        ada = participant("Ada")
        fault_server.always(service([ada], qualities=[measured(ada, "900 ms")]))
        client.post(self.address(faulty), self.sent(latency__fair="", latency__poor=""))
        html = client.get(url(faulty, "meeting-quality", "123", type="live")).text
        assert "900 ms" in html
        assert "Poor" not in html

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"latency__fair": "300", "latency__poor": "100"}, "Poor has to be higher than fair."),
            ({"video_bitrate__fair": "1"}, "Poor has to be lower than fair."),
            ({"jitter__poor": ""}, "Enter both values, or neither."),
            ({"jitter__poor": "-1"}, "greater than or equal to 0"),
            ({"jitter__poor": "nan"}, "Enter a number."),
        ],
    )
    def test_what_makes_no_sense_is_refused(
        self, client: Client, faulty: Connection, changed: dict[str, str], said: str
    ):
        found = client.post(self.address(faulty), self.sent(**changed))
        assert found.status_code == 422
        assert said in text_of(found.text)

    def test_nothing_changed_is_nothing_recorded(self, client: Client, faulty: Connection):
        client.post(self.address(faulty), self.sent())
        assert not AuditEntry.objects.filter(operation=Act.QUALITY_STATED.value).exists()


words = st.text(max_size=45) | st.sampled_from(["", "-", "23 ms", "0.5 %", "1,234 kbps", "30 fps"])


@given(words, words)
def test_any_sample_can_be_judged(one, other):
    audio = {"bitrate": one, "latency": other, "jitter": one, "avg_loss": other, "max_loss": one}
    video = {**audio, "resolution": other, "frame_rate": one}
    parts = {"audio_input": audio, "video_output": video, "as_input": video}
    content = as_content(QualitySample.model_validate(parts))
    assert level(content, DEFAULTS) in (None, "good", "fair", "poor")
    for medium in MEDIA:
        for measure in medium.measures:
            assert all(worst.text for worst in worst_of(content, measure.name, DEFAULTS))


def test_bitrates_of_a_participant_are_told_by_medium(client, faulty, fault_server):
    ada = participant("Ada")
    video = {"video_input": {"bitrate": "87 kbps"}, "video_output": {"bitrate": "500 kbps"}}
    quality = measured(ada, "20 ms", **video, as_input={"bitrate": "30 kbps"})
    fault_server.always(service([ada], qualities=[quality]))
    html = client.get(url(faulty, "meeting-quality", "123", type="live")).text
    assert "Audio 40 kbps Video 87 kbps poor Screen sharing 30 kbps" in " ".join(
        text_of(html).split()
    )


def test_worst_figures_of_a_stay_are_told_by_medium():
    streams = [
        MeasuredStream(medium="audio", is_sent=False, latency=713, bitrate=8),
        MeasuredStream(medium="audio", is_sent=True, latency=400),
        MeasuredStream(medium="video", is_sent=False, bitrate=87),
    ]
    words = summed_up([verdict(one, DEFAULTS) for one in streams]).replace("\xa0", " ")
    assert words == "Audio: latency 713 ms, bitrate 8 kbps; video: bitrate 87 kbps"


def test_number_of_a_stay_beside_an_id_is_no_person():
    def person(**ids):
        return SessionStay.of(SessionParticipant(user_name="Ann", **ids), timezone.now()).person

    assert person(id="ann", user_id="167") == person(id="ann", user_id="168") != person(id="ben")
    assert person(id="s1", user_id="ann") == person(id="s2", user_id="ann") == "user ann"
    assert person(user_id="167") != person(user_id="168")
