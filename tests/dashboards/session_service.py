"""A service with one session, whose participants a test names."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.fault_server import Behaviour, Seen, answer, depending

UUID = "session-uuid=="
NOW = datetime.now(UTC).replace(microsecond=0)


def ago(minutes: float) -> str:
    return f"{NOW - timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%SZ}"


def participant(name: str, joined: float = 30, left: float | None = None, **given: Any) -> Any:
    """Somebody who joined and perhaps left so many minutes ago."""
    return {
        "id": f"id-{name}-{joined}",
        "user_id": f"user-{name}",
        "user_name": name,
        "device": "Windows",
        "network_type": "Wifi",
        "location": "Berlin (DE)",
        "version": "4.6",
        "microphone": "Headset",
        "join_time": ago(joined),
        **({} if left is None else {"leave_time": ago(left)}),
        **given,
    }


def measured(one: Any, latency: str, *, at: float = 1, **parts: Any) -> Any:
    """The quality of a participant, measured so many minutes ago."""
    audio = {"latency": latency, "jitter": "2 ms", "avg_loss": "0.1%", "bitrate": "40 kbps"}
    sample = {"date_time": ago(at), "audio_input": audio, **parts}
    kept = ("user_id", "user_name", "device", "location", "version", "join_time")
    return {**{name: one[name] for name in kept}, "user_qos": sample}


def service(
    participants: list[Any],
    *,
    live: bool = True,
    sharing: list[Any] | None = None,
    qualities: list[Any] | None = None,
    **metric: Any,
) -> Behaviour:
    """Answers whatever is asked of this session, in pages of as many as are asked for."""
    about = {"uuid": UUID, "id": 123, "topic": "Stand-up", "host": "Ada", "start_time": ago(40)}
    about |= metric if live else {"end_time": ago(2), **metric}
    lists = {"participants": participants, "sharing": sharing or [], "qos": qualities or []}

    def choose(seen: Seen) -> Behaviour:
        parts = seen.path.removeprefix("/v2/metrics/").split("/")
        if (seen.query.get("type", "live") == "live") != live:
            return answer(404, {"code": 3001, "message": "This meeting does not exist."})
        if len(parts) == 2:
            return answer(200, about)
        if len(parts) == 5:
            addresses = {one["user_id"]: one["id"] for one in participants}
            for one in qualities or []:
                if parts[3] in (one["user_id"], addresses.get(one["user_id"])):
                    return answer(200, one)
            return answer(404, {"code": 1001, "message": "This participant does not exist."})
        own = lists[parts[-1]]
        start, size = int(seen.query.get("next_page_token") or 0), int(seen.query["page_size"])
        token = str(start + size) if start + size < len(own) else ""
        page = {"participants": own[start : start + size], "next_page_token": token}
        return answer(200, {**page, "page_size": size, "total_records": len(own)})

    return depending(choose)
