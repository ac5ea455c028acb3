"""Reads all streams of tap-zoom in one run: as many records as the lists have."""

import io
import json
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote

import requests
from calling import Calls, lead_here
from tap_zoom.client import ZoomClient
from tap_zoom.endpoints import ENDPOINTS_CONFIG
from tap_zoom.sync import sync

calls = Calls()
lead_here(requests.Session, calls.site)
counted: Counter[str] = Counter()


def count(streams: dict[str, Any], ids: dict[str, str]) -> None:
    """Counts what the lists have, by the library's own description of them."""
    for name, stream in streams.items():
        path = "/" + stream["path"].format(**{key: quote(str(each)) for key, each in ids.items()})
        for record in listed(path, stream):
            counted[name] += stream.get("persist", True)
            provided = {key: record[field] for key, field in stream.get("provides", {}).items()}
            count(stream.get("children", {}), {**ids, **provided})


def listed(path: str, stream: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        if not stream.get("paginate", True):
            found = calls.ask("GET", path)
            records: list[dict[str, Any]] = (
                found[stream["data_key"]] if "data_key" in stream else [found]
            )
            return records
        return list(calls.every(path, stream["data_key"]))
    except HTTPError as error:
        if error.code in {400, 404}:  # as the library does
            return []
        raise


written = io.StringIO()
with TemporaryDirectory() as made:
    path = Path(made, "config.json")
    config = {"client_id": "app", "client_secret": calls.token}
    config["refresh_token"] = calls.refresh_token()
    path.write_text(json.dumps(config))
    with ZoomClient(config, str(path)) as client, redirect_stdout(written):
        sync(client, None, {})
lines = [json.loads(line) for line in written.getvalue().splitlines()]
read = Counter(line["stream"] for line in lines if line["type"] == "RECORD")
count(ENDPOINTS_CONFIG, {})
for name in sorted(read | counted):
    right = read[name] == counted[name]
    calls.tell(f"{name}: {read[name]}", "" if right else f"{counted[name]} are listed")
