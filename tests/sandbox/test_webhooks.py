"""Subscriptions to events, and what subscribers receive."""

from collections.abc import Iterator

import httpx
import pytest

from tests.sandbox.conftest import Json, done, refused
from tests.support.subscriber import happens

STARTED = ("meeting_started", {"uuid": "a/b==", "id": "4207", "topic": "Zoë's stand-up"})
ENDED = ("meeting_ended", {"uuid": "a/b==", "id": "4207"})
SUBSCRIPTION = {
    "url": "https://hooks.example/conf",
    "auth_user": "conf",
    "auth_password": "pa:ss wörd",
    "events": ["meeting_started"],
}


def subscribe(api, **given):
    answer = api.post("/webhooks", json={**SUBSCRIPTION, **given})
    assert answer.status_code == 201, answer.text
    assert answer.headers["content-location"] == f"/v2/webhooks/{answer.json()['webhook_id']}"
    return answer.json()


class TestSubscriptions:
    @pytest.fixture
    def webhook(self, api: httpx.Client) -> Iterator[Json]:
        created = subscribe(api)
        yield created
        api.delete(f"/webhooks/{created['webhook_id']}")

    def test_are_reported_and_listed(self, api: httpx.Client, webhook: Json):
        assert SUBSCRIPTION.items() <= webhook.items()
        assert webhook["created_at"].endswith("Z")
        assert api.get(f"/webhooks/{webhook['webhook_id']}").json() == webhook
        data = api.get("/webhooks").json()
        assert webhook in data["webhooks"]
        assert data["total_records"] == len(data["webhooks"])

    def test_change_only_where_it_is_said(self, api: httpx.Client, webhook: Json):
        path = f"/webhooks/{webhook['webhook_id']}"
        events = ["meeting_ended", "recording_completed"]
        done(api.patch(path, json={"events": events}))
        assert api.get(path).json() == {**webhook, "events": events}

    def test_are_deleted(self, api: httpx.Client, webhook: Json):
        path = f"/webhooks/{webhook['webhook_id']}"
        done(api.delete(path))
        for answer in (api.get(path), api.delete(path), api.patch(path, json={})):
            refused(answer, 404)

    def test_have_their_limits(self, api: httpx.Client):
        refused(api.post("/webhooks", json={}), 400, "auth_password", "auth_user", "events", "url")
        wrong = {
            "url": "ftp://hooks.example",
            "auth_user": "x" * 129,
            "auth_password": "x" * 65,
            "events": ["lunch"],
        }
        refused(
            api.post("/webhooks", json=wrong), 400, "auth_password", "auth_user", "events.0", "url"
        )


def test_version_1_has_no_subscriptions_and_reports_nobody(sandbox_factory, subscriber):
    sandbox = sandbox_factory("--frozen", "--users=5")
    api = sandbox.client
    refused(api.patch("/webhooks/options", json={"version": "v3"}), 400, "version")
    webhook = subscribe(api, url=subscriber.url, events=["meeting_started", "meeting_ended"])
    done(api.patch("/webhooks/options", json={"version": "v1"}))
    refused(api.get("/webhooks"), 404)
    refused(api.post("/webhooks", json=SUBSCRIPTION), 404)
    refused(api.get(f"/webhooks/{webhook['webhook_id']}"), 404)
    happens(sandbox, STARTED)

    done(api.patch("/webhooks/options", json={"version": "v2"}))
    assert api.get("/webhooks").json()["webhooks"] == [webhook]
    happens(sandbox, ENDED)
    assert subscriber.next().document["event"] == "meeting_ended"
