"""A service that lists the live sessions that a test names, and counts how often it is asked."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.fault_server import Behaviour, FaultServer, Seen, answer, depending


def session(number: int, **given: Any) -> dict[str, Any]:
    """A live session that began ten minutes ago, with three people in it."""
    began = datetime.now(UTC) - timedelta(minutes=10)
    return {
        "uuid": f"uuid/{number}==",
        "id": 81_000_000_000 + number,
        "topic": f"Session {number}",
        "host": "Ada Lovelace",
        "email": "ada@brightwater.example",
        "user_type": "Pro",
        "start_time": f"{began:%Y-%m-%dT%H:%M:%SZ}",
        "participants": 3,
        "has_pstn": False,
        "has_voip": True,
        "has_3rd_party_audio": False,
        "has_video": True,
        "has_screen_share": False,
        "has_recording": False,
        "has_sip": False,
        **given,
    }


def listing(
    meetings: list[dict[str, Any]], webinars: list[dict[str, Any]] | None = None
) -> Behaviour:
    """Answers the two lists, in pages of as many as are asked for; the token is the next index."""
    own = {"meetings": meetings, "webinars": webinars or []}

    def choose(seen: Seen) -> Behaviour:
        name = seen.path.rpartition("/")[2]
        if name not in own:  # of the quality of one session
            return answer(200, {"page_size": 10, "next_page_token": "", "participants": []})
        start, size = int(seen.query.get("next_page_token") or 0), int(seen.query["page_size"])
        page = own[name][start : start + size]
        token = str(start + size) if start + size < len(own[name]) else ""
        days = {"from": seen.query["from"], "to": seen.query["to"]}
        return answer(200, {**days, "page_size": size, "next_page_token": token, name: page})

    return depending(choose)


def asked(server: FaultServer, name: str) -> int:
    """Returns how often the service was asked for a list."""
    return sum(one.path.endswith(f"/metrics/{name}") for one in server.requests)
