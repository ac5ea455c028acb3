"""Metrics for Prometheus: their readers, their counts, and labels without unbounded values."""

import json
import re
import tomllib
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
import yaml
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection as database, transaction
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access import metrics as access_metrics
from portal.access.models import ServiceToken
from portal.approvals.models import ApprovalRequest
from portal.audit import tasks
from portal.audit.models import AuditEntry
from portal.client import ApiError
from portal.config import metrics
from portal.connections.api import api_for
from portal.contract.users import UserQuery
from portal.jobs.models import Job, JobState
from portal.mirror.models import MirrorState
from portal.mirror.refresh import refresh
from portal.reports.models import ReportRun
from portal.webhooks.models import Subscription
from portal.work import queue
from portal.work.models import OutgoingMail
from portal.work.outbox import deliver
from portal.work.queue import sweep
from tests.operations.scraping import SIGNED, TOKEN, Figures
from tests.support.deliveries import notification, post, subscribed
from tests.support.fault_server import answer, throttled
from tests.support.job_runs import addresses, approved, drafted
from tests.support.portal import admin_client_for
from tests.support.programs import ROOT
from tests.support.scopes import whole

LABELS = {
    *("view", "method", "status", "le", "operation", "outcome", "kind", "state", "queue", "list"),
    *("trouble", "gauge", "version"),
}
DASHBOARD = json.loads((ROOT / "docs" / "grafana-dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
ALERTS = yaml.safe_load((ROOT / "docs" / "prometheus-alerts.yml").read_text())
# Tables that only grow, for as long as their connections are there.
KEPT = [model._meta.db_table for model in (Job, ApprovalRequest, ReportRun)]
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]


class RefusingBackend(BaseEmailBackend):
    """A mail server that is not there."""

    def send_messages(self, email_messages):  # noqa: ARG002
        raise ConnectionRefusedError


Read = Callable[[], Figures]


@pytest.fixture
def metered(settings, db):
    settings.METRICS_TOKEN = TOKEN


@pytest.fixture
def read(metered):
    """Returns a function that reads the present metrics as Prometheus does."""
    client = Client()

    def ask():
        found = client.get("/metrics", headers=SIGNED)
        assert found.status_code == 200
        return Figures(found.content.decode())

    return ask


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{}, SIGNED, {"Authorization": "Bearer "}])
def test_without_a_token_configured_there_is_no_such_page(headers):
    assert Client().get("/metrics", headers=headers).status_code == 404


@pytest.mark.parametrize(
    "authorization",
    ["", TOKEN, f"Bearer {TOKEN}x", "Bearer", "Bearer ", f"Basic {TOKEN}", "Bearer \u00fc"],
)
def test_only_the_token_opens_it_and_nothing_else_is_asked(
    metered, authorization, django_assert_num_queries
):
    with django_assert_num_queries(0):
        refused = Client().get("/metrics", headers={"Authorization": authorization})
    assert refused.status_code == 401
    assert refused["WWW-Authenticate"].startswith("Bearer")
    assert b"switchboard" not in refused.content


def test_somebody_who_is_signed_in_is_refused_as_well(metered, administrator):
    assert admin_client_for(administrator).get("/metrics").status_code == 401


def test_metrics_are_read_only_without_session_over_http(metered, settings):
    settings.SECURE_SSL_REDIRECT = True
    client = Client(headers={"Host": "10.1.2.3:8000"})
    assert client.post("/metrics", headers=SIGNED).status_code == 405
    found = client.get("/metrics", headers=SIGNED)
    assert found.status_code == 200
    assert found["Cache-Control"] == "no-store"
    assert found["Content-Type"].startswith("text/plain; version=0.0.4")
    assert not found.cookies


def test_requests_are_counted_by_the_names_of_their_views(read, connection):
    before = read()
    client = admin_client_for(connection.owner)
    assert client.get(f"/c/{connection.key}/people/", {"q": "secret words"}).status_code == 200
    assert client.get(f"/no/such/{connection.key}").status_code == 404
    assert client.generic("BREW", "/no/such").status_code == 404
    after = read()

    def grown(name, **labels):
        return after(name, **labels) - before(name, **labels)

    found = {"view": "people:list", "method": "GET"}
    assert grown("switchboard_requests_total", status="200", **found) == 1
    assert grown("switchboard_request_seconds_count", **found) == 1
    assert grown("switchboard_request_seconds_bucket", le="60.0", **found) == 1
    assert grown("switchboard_requests_total", view="none", method="GET", status="404") == 1
    assert grown("switchboard_requests_total", method="other", status="404") == 1


@pytest.mark.parametrize("signed_in", [False, True])
def test_refused_requests_are_counted_under_one_name(read, administrator, signed_in):
    client = admin_client_for(administrator) if signed_in else Client()
    asked = [("/connections/", "GET"), ("/team/", "POST"), ("/account/login/", "PUT"), ("/x/", "X")]
    before = read().samples
    for path, method in asked:
        client.generic(method, path)
    new = [sample for sample in read().samples if sample not in before]
    named = {s.labels["view"] for s in new if s.name == "switchboard_requests_total"}
    assert named - {"refused", "none"} == ({"connections:list"} if signed_in else set())
    methods = {s.labels["method"] for s in new if s.labels.get("view") == "refused"}
    assert methods == {"any"}


def test_calls_are_counted_with_ends_retries_and_refusals(read, connection, faulty, fault_server):
    before = read()
    api_for(whole(connection)).users.list(UserQuery(page_size=1))
    fault_server.then(throttled("0"), answer(404, {"code": 1001, "message": "None such."}))
    with pytest.raises(ApiError):
        api_for(whole(faulty)).users.list(UserQuery(page_size=1))
    after = read()

    def grown(name, **labels):
        return after(name, operation="users.list", **labels) - before(
            name, operation="users.list", **labels
        )

    assert grown("switchboard_service_calls_total", outcome="ok") == 1
    assert grown("switchboard_service_calls_total", outcome="NotAvailable") == 1
    assert grown("switchboard_service_call_seconds_count") == 2
    assert grown("switchboard_service_retries_total") == 1
    assert grown("switchboard_service_throttled_total") == 1


def test_jobs_and_the_queue_of_them_are_known_by_state(read, connection, work):
    before = read()
    job = drafted(connection, addresses(2))
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=5))
    waiting = read()
    assert waiting("switchboard_jobs", state="planning") == 1
    queue = {"queue": "jobs.work_on"}
    assert waiting("switchboard_queue_waiting", **queue) == 1
    assert 300 <= waiting("switchboard_queue_oldest_waiting_seconds", **queue) < 400
    assert work(approved(connection, addresses(3), work)).state == JobState.DONE
    after = read()
    made = {"kind": job.kind, "state": "done"}
    name = "switchboard_job_items_total"
    assert after(name, **made) - before(name, **made) == 3
    name = "switchboard_jobs_ended_total"
    assert after(name, kind=job.kind) - before(name, kind=job.kind) == 1


def test_mail_that_no_server_takes_is_counted_until_sent(read, settings, mailoutbox):
    settings.EMAIL_BACKEND = "tests.operations.test_metrics.RefusingBackend"
    mail = OutgoingMail.objects.create(to="a@example.com", subject="Hello", text="Hello")
    early = timezone.now() - timedelta(minutes=20)
    OutgoingMail.objects.filter(pk=mail.pk).update(created_at=early)
    deliver(mail.pk)
    refused, queue = read(), {"queue": "work.mail"}
    assert refused("switchboard_queue_deferred", **queue) == 1
    assert 1200 <= refused("switchboard_queue_oldest_deferred_seconds", **queue) < 1300
    assert refused("switchboard_queue_waiting", **queue) == 0
    OutgoingMail.objects.update(leased_until=None)
    assert read()("switchboard_queue_waiting", **queue) == 1
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    deliver(mail.pk)
    assert read()("switchboard_queue_deferred", **queue) == 0


def test_token_that_is_not_renewed_is_counted(read, connection):
    now = timezone.now()
    row = ServiceToken.objects.create(connection=connection, failed_at=now)
    assert read()("switchboard_tokens_not_renewed") == 1
    ServiceToken.objects.filter(pk=row.pk).update(received_at=now + timedelta(seconds=1))
    assert read()("switchboard_tokens_not_renewed") == 0


def test_sweep_shows_when_the_scheduler_was_last_there(read):
    began = timezone.now().timestamp()
    sweep("work.mail")
    assert read()("switchboard_sweep_timestamp_seconds") >= began - 1


def test_a_lease_that_nobody_renews_shows_its_age(read, connection, settings):
    job = drafted(connection, addresses(1))
    late = timezone.now() - timedelta(seconds=100)
    Job.objects.filter(pk=job.pk).update(lease=uuid4(), leased_until=late)
    found, queue = read(), {"queue": "jobs.work_on"}
    assert found("switchboard_queue_leased", **queue) == 1
    assert found("switchboard_queue_waiting", **queue) == 0
    age = found("switchboard_queue_oldest_lease_seconds", **queue)
    assert age == pytest.approx(100 + settings.JOB_LEASE, abs=20)


def test_age_of_copies_is_that_of_oldest_which_somebody_looks_at(read, connection, faulty):
    assert not read().has("switchboard_mirror_age_seconds", list="users")
    now = timezone.now()
    viewed = {"kind": "users", "viewed_at": now}
    old = MirrorState.objects.create(
        connection=connection, refreshed_at=now - timedelta(hours=2), **viewed
    )
    MirrorState.objects.create(
        connection=faulty,
        kind="users",
        refreshed_at=now - timedelta(days=9),
        viewed_at=now - timedelta(days=8),
        failure="The service did not answer.",
    )
    found = read()
    assert 7200 <= found("switchboard_mirror_age_seconds", list="users") < 7300
    assert found("switchboard_mirror_failed", list="users") == 1
    MirrorState.objects.filter(pk=old.pk).update(requested_at=now)
    assert refresh(old.pk)
    assert read()("switchboard_mirror_age_seconds", list="users") < 60


def test_webhook_deliveries_are_counted_taken_again_and_refused(read, connection):
    before = read()
    subscription = subscribed(connection)
    assert post(subscription, notification()) == post(subscription, notification()) == 204
    assert post(subscription, notification(), password="wrong") == 401
    Subscription.objects.update(trouble=Subscription.Trouble.GONE)
    after = read()
    name = "switchboard_webhook_deliveries_total"
    for outcome in ("taken", "again", "password"):
        assert after(name, outcome=outcome) - before(name, outcome=outcome) == 1, outcome
    assert after("switchboard_webhook_subscriptions", trouble="gone") == 1


def test_broken_audit_trail_is_counted_with_time_of_check(read, administrator, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    before, began = read(), timezone.now().timestamp()
    tasks.verify_audit()
    whole = read()
    name = "switchboard_audit_checks_total"
    assert whole(name, outcome="intact") - before(name, outcome="intact") == 1
    assert whole("switchboard_audit_check_timestamp_seconds") >= began - 1
    QuerySet(AuditEntry).update(email="somebody@example.com")  # past the portal
    tasks.verify_audit()
    assert read()(name, outcome="broken") - before(name, outcome="broken") == 1


def test_unreadable_figure_is_named_and_others_are_there(read, monkeypatch):
    def fail():
        raise RuntimeError("no such table")

    broken = metrics.Gauge("switchboard_broken", "None", (), fail)
    monkeypatch.setattr(metrics, "_gauges", [broken, *metrics._gauges])
    found = read()
    assert found("switchboard_gauge_failed", gauge="switchboard_broken") == 1
    assert found("switchboard_gauge_failed") == 1
    assert found.has("switchboard_jobs", state="running")


def test_no_label_says_who_or_over_which_connection(read, connection, work):
    client = admin_client_for(connection.owner)
    client.get(f"/c/{connection.key}/people/")
    work(approved(connection, addresses(1), work))
    found = read()
    assert {name for sample in found.samples for name in sample.labels} <= LABELS
    said = {value for sample in found.samples for value in sample.labels.values()}
    wrong = re.compile(rf"@|{connection.key}|{connection.name}|{re.escape(TOKEN)}")
    assert [value for value in said if wrong.search(value)] == []


def test_a_scrape_asks_as_much_however_much_there_is(
    metered, connection, django_assert_max_num_queries
):
    for _ in range(30):
        drafted(connection, addresses(1))
    with django_assert_max_num_queries(3 + 7 * len(queue._queues)):
        assert Client().get("/metrics", headers=SIGNED).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("gauge", metrics._gauges, ids=lambda gauge: str(gauge.name))
def test_a_scrape_reads_no_table_whole_that_keeps_what_ended(gauge):
    with CaptureQueriesContext(database) as asked:
        list(gauge.read())
    with transaction.atomic(), database.cursor() as cursor:
        is_postgresql = database.vendor == "postgresql"
        if is_postgresql:  # else it reads small tables so in any case
            cursor.execute("SET LOCAL enable_seqscan = off")
        for query in asked.captured_queries:
            explain = "EXPLAIN" if is_postgresql else "EXPLAIN QUERY PLAN"
            cursor.execute(f"{explain} {query['sql']}")
            plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
            read = rf"(Seq Scan on|SCAN) ({'|'.join(KEPT)})\b(?! USING)"
            assert not re.search(read, plan), f"{query['sql']}\n{plan}"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule["alert"]))
def test_each_alert_of_example_is_about_figures_that_there_are(rule):
    assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}
    assert set(rule["annotations"]) == {"summary", "description"}
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert re.fullmatch(r"\d+[smh]", rule["for"])
    expression = rule["expr"]
    assert expression.count("(") == expression.count(")")
    assert undeclared(expression) == set()


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: str(panel["title"]))
def test_each_panel_of_dashboard_is_about_figures_that_there_are(panel):
    assert panel["targets"]
    for target in panel["targets"]:
        assert undeclared(target["expr"]) == set()
        assert target["expr"].count("(") == target["expr"].count(")")


def undeclared(expression):
    """Returns the figures of a query that the program does not have; it names one at least."""
    named = set(re.findall(r"\bswitchboard_\w+", expression))
    assert named
    known = {re.sub(r"_(bucket|count|sum)$", "", name) for name in named - metrics.DECLARED}
    return known - metrics.DECLARED


def test_panels_of_dashboard_stand_beside_each_other():
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    taken = [
        (x, y)
        for place in (panel["gridPos"] for panel in DASHBOARD["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(taken) == len(set(taken))
    assert max(x for x, _y in taken) < 24


def test_version_that_runs_is_a_figure(read):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert read()("switchboard_build_info", version=project["version"]) == 1


def test_the_guide_names_every_figure():
    guide = (ROOT / "docs" / "deploy.md").read_text()
    assert [name for name in sorted(metrics.DECLARED) if f"`{name}`" not in guide] == []
    assert access_metrics.CALLS.name in metrics.DECLARED
