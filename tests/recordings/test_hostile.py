"""Words of a service about recordings are text, whatever they are."""

import csv
import io

import pytest
from django.urls import reverse

from portal.recordings.models import MirroredRecording
from tests.recordings.made import mirrored
from tests.support.fault_server import answer

pytestmark = pytest.mark.django_db


def test_hostile_names_are_text_on_the_page(client, connection):
    mirrored(
        connection,
        "a'\"><script>x</script>",
        topic="<img src=x onerror=alert(1)>",
        host_name="\u202e<b>",
        dept="<i>",
    )
    page = client.get(reverse("recordings:list", args=[connection.key])).text
    assert "<img src=x" not in page
    assert "<script>x" not in page
    assert "&lt;img src=x" in page


def test_hostile_words_add_nothing_to_page_or_file(client, faulty, fault_server):
    evil, long = "<script>alert(1)</script>", "long " * 2000
    one = {"id": "f", "file_type": evil, "recording_type": evil, "file_size": 1, "play_url": evil}
    data = {"uuid": "a", "id": 1, "topic": evil, "share_recording": evil, "password": evil}
    fault_server.always(answer(200, {**data, "recording_files": [one], "meetings": []}))
    row = mirrored(faulty, "a", topic=evil, host_name="\u202egnp.exe", dept=long)
    MirroredRecording.objects.filter(pk=row.pk).update(host_email="=cmd|' /C calc'!A0")
    page = client.get(reverse("recordings:recording", args=[faulty.key, "a"])).text
    assert evil not in page
    assert "&lt;script&gt;" in page
    listed = client.get(reverse("recordings:list", args=[faulty.key])).text
    assert listed.count('data-key="') == 1
    export = reverse("recordings:export", args=[faulty.key, "csv"])
    sent = client.get(export, {"columns": "all"}).getvalue().decode("utf-8-sig")
    [head, kept] = csv.reader(io.StringIO(sent))
    said = dict(zip(head, kept, strict=True))
    assert said["Host"] == "'=cmd|' /C calc'!A0"
    assert said["Topic"] == evil
