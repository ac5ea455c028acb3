"""Devices and tracking fields from tables: added, changed, taken back, and never made twice."""

from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest

from portal.access.http import Origin
from portal.account.resources import DeviceImportJob, TrackingFieldImportJob
from portal.audit.models import AuditEntry
from portal.jobs import undoing
from portal.jobs.job_types import job_type_of
from portal.jobs.models import ItemState, Job, JobState
from tests.account.importing import drafted, names_of, only, said, states, written
from tests.account.pages import address
from tests.support.dashboard_pages import words_of
from tests.support.fault_server import Seen, answer, depending, no_answer
from tests.support.html import form_with
from tests.support.jobs import approve
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

Json = dict[str, Any]
Import = Callable[..., Job]
DEVICES, FIELDS = "/h323/devices", "/v2/tracking_fields"
OF = {"devices": DeviceImportJob, "tracking-fields": TrackingFieldImportJob}


def of_service(sandbox, path=DEVICES):
    found: list[Json] = sandbox.client.get(path).json()[path.rpartition("/")[2]]
    return found


def named(sandbox, name, path=DEVICES):
    return [one for one in of_service(sandbox, path) if name in (one.get("name"), one.get("field"))]


def device(name="", **given):
    row = {"name": name or f"Room {token_hex(4)}", "ip": "192.0.2.7", "protocol": "SIP"}
    return {**row, "encryption": "auto", **given}


@pytest.fixture
def clean(sandbox):
    """Takes away afterwards what a test added."""
    before = {one["id"] for path in (DEVICES, FIELDS) for one in of_service(sandbox, path)}
    yield
    for path in (DEVICES, FIELDS):
        for one in of_service(sandbox, path):
            if one["id"] not in before:
                sandbox.client.delete(f"{path}/{one['id']}")


@pytest.fixture
def plan_of(connection, work, clean):
    """`plan_of({"name": …}, …)` makes the plan of these rows."""
    return lambda *rows, of=DeviceImportJob: work(drafted(connection, of, written(*rows)))


@pytest.fixture
def run_of(plan_of, work):
    """The same, approved and carried out."""

    def make(*rows, **given):
        job = plan_of(*rows, **given)
        approve(job)
        return work(job)

    return make


def test_devices_are_added_and_changed_by_their_names(run_of, sandbox):
    here, new = device(), device()
    run_of(here)
    job = run_of(device(here["name"].upper(), ip="192.0.2.9"), new, device(name=new["name"] + " 2"))
    assert job.state == JobState.DONE
    assert states(job) == [("change", "done"), ("create", "done"), ("create", "done")]
    [changed] = named(sandbox, here["name"].upper())
    assert changed["ip"] == "192.0.2.9"
    assert [one["encryption"] for one in named(sandbox, new["name"])] == ["auto"]
    assert job.items.get(number=3).object_id == named(sandbox, new["name"])[0]["id"]


def test_a_tracking_field_takes_its_values_from_one_cell(run_of, sandbox):
    name = f"Centre {token_hex(4)}"
    row = {"Tracking field": name, "Pflichtfeld": "ja", "visible": "no"}
    job = run_of({**row, "Recommended values": "One; Two\nThree"}, of=TrackingFieldImportJob)
    assert states(job) == [("create", "done")]
    [field] = named(sandbox, name, FIELDS)
    assert (field["required"], field["visible"]) == (True, False)
    assert field["recommended_values"] == ["One", "Two", "Three"]
    again = run_of({"field": name, "values": "Two"}, of=TrackingFieldImportJob)
    assert only(again).changes == [["Recommended values", "One; Two; Three", "Two"]]
    assert named(sandbox, name, FIELDS)[0] == {**field, "recommended_values": ["Two"]}


def test_a_plan_says_what_each_row_would_do_and_sends_nothing(plan_of, run_of, sandbox):
    same, other = device(), device()
    run_of(same, other)
    before = of_service(sandbox)
    job = plan_of(
        same,
        {"name": other["name"], "protocol": "H323"},
        device(),
        device(protocol="ISDN"),
        device(same["name"]),
        {"name": f"Half {token_hex(4)}", "ip": "192.0.2.1"},
        {"name": "", "ip": "192.0.2.1"},
        device("x" * 65),
    )
    assert [state for _action, state in states(job)] == [
        *("unchanged", "pending", "pending"),
        *("invalid", "invalid", "invalid", "invalid", "invalid"),
    ]
    words = [said(item) for item in job.items.all()]
    assert job.items.get(number=3).changes == [["Protocol", "SIP", "H.323"]]
    assert "“ISDN” is none of: H.323, SIP." in words[3]
    assert "Row 2 is about the same device" in words[4]
    assert words[5].count("This field is required") == 2
    assert "name: This field is required" in words[6]
    assert "64" in words[7]
    assert of_service(sandbox) == before


def test_several_of_one_name_are_told_apart_by_their_ids(plan_of, run_of, sandbox):
    row = device()
    for _ in range(2):
        sandbox.client.post(DEVICES, json=row)
    first, second = named(sandbox, row["name"])
    assert "2 devices have this name" in said(only(plan_of(row)))
    new = f"{row['name']} (old)"
    run_of({"id": second["id"], "name": new})
    assert named(sandbox, new) == [second | {"name": new}]
    assert named(sandbox, row["name"]) == [first]
    clash = only(plan_of({"id": first["id"], "name": new}))
    assert "Another device has this name" in said(clash)
    assert only(plan_of(row | {"id": "of another account"})).state == ItemState.UNCHANGED
    assert states(run_of({"id": first["id"], "ip": "192.0.2.77"})) == [("change", "done")]
    assert named(sandbox, row["name"]) == [first | {"ip": "192.0.2.77"}]


@pytest.mark.usefixtures("clean")
@pytest.mark.parametrize("case", [(name, kind) for name in OF for kind in ("csv", "xlsx")])
def test_the_file_of_a_list_is_imported_again_unchanged(client, connection, sandbox, work, case):
    name, kind = case
    strange = f"=SUM(1) ⟨{token_hex(3)}⟩; “a”,\tb"
    sandbox.client.post(DEVICES, json=device(f" {strange} ", ip="-1", protocol="H.323"))
    values = ["a; b", " c ", "=d", "e\nf"]
    field = {"field": f"@{strange}", "recommended_values": values, "required": True}
    sandbox.client.post(FIELDS, json=field)
    count = len(of_service(sandbox, DEVICES if name == "devices" else FIELDS))
    file = client.get(address(connection, f"{name}-export", kind, columns="all")).getvalue()
    job = work(drafted(connection, OF[name], file))
    assert states(job) == [("", "unchanged")] * count


@pytest.mark.parametrize("name", OF)
def test_the_template_is_understood_whole(client, connection, work, clean, name):
    file = client.get(address(connection, f"{name}-import-template", "xlsx")).content
    job = work(drafted(connection, OF[name], file))
    assert states(job) == [("create", "pending")]


@pytest.mark.parametrize(
    ("of", "headings", "names"),
    [
        (DeviceImportJob, ("Display Name", "IP Address", "Protocol", "Encryption"), "nipe"),
        (
            DeviceImportJob,
            ("System Name", "Dial string", "Call Protocol", "Media encryption"),
            "nipe",
        ),
        (DeviceImportJob, ("Gerätename", "IP-Adresse", "Protokoll", "Verschlüsselung"), "nipe"),
        (DeviceImportJob, ("デバイス名", "IPアドレス", "プロトコル", "暗号化"), "nipe"),
        (TrackingFieldImportJob, ("Name", "Required", "Visible", "Values"), "frvr"),
        (TrackingFieldImportJob, ("Nom du champ", "Obligatoire", "Visible", "Valeurs"), "frvr"),
    ],
)
def test_headings_of_other_products_and_languages_are_known(of, headings, names):
    known = {"n": "name", "i": "ip", "p": "protocol", "e": "encryption", "f": "field"}
    found = names_of(of, headings)
    assert all(found)
    assert "".join(each[0] for each in found) == names, known


def test_values_are_understood_as_other_products_write_them(plan_of):
    job = plan_of(
        device(protocol="h323", encryption="TRUE"),
        device(protocol="SIP device", encryption="best effort"),
        device(encryption="nein"),
    )
    wanted = [(i.data["body"]["protocol"], i.data["body"]["encryption"]) for i in job.items.all()]
    assert wanted == [("H.323", "yes"), ("SIP", "auto"), ("SIP", "no")]


def test_undone_import_leaves_what_was_changed_since(run_of, work, sandbox):
    old, new, touched = device(), device(), device()
    run_of(old)
    job = run_of({**old, "ip": "192.0.2.99"}, new, touched)
    [late] = named(sandbox, touched["name"])
    sandbox.client.patch(f"{DEVICES}/{late['id']}", json=touched | {"ip": "192.0.2.66"})
    words = undoing.JobUndos(job).in_words(3)
    assert words.startswith(
        "Prepares a job that restores the previous values of 1 device. 2 devices that the import "
        "added are deleted, unless they were changed since."
    )
    undo = work(undoing.undo(job, Origin(job.owner)))
    assert states(undo) == [("change", "pending"), ("delete", "pending"), ("delete", "invalid")]
    assert "Changed since the import" in said(undo.items.get(number=4))
    approve(undo)
    assert work(undo).items.filter(state="done").count() == 2
    assert named(sandbox, old["name"])[0]["ip"] == old["ip"]
    assert named(sandbox, new["name"]) == []
    assert named(sandbox, touched["name"])[0]["ip"] == "192.0.2.66"


def test_who_may_not_delete_takes_back_changes_alone(operator, connect, sandbox, work, clean):
    old, new = device(), device()
    sandbox.client.post(DEVICES, json=old)
    rows = written({**old, "ip": "192.0.2.99"}, new)
    job = work(drafted(connect(operator), DeviceImportJob, rows))
    approve(job)
    undo = work(undoing.undo(work(job), Origin(operator)))
    assert states(undo) == [("change", "pending"), ("delete", "invalid")]
    assert "only administrators delete devices" in said(undo.items.get(number=3))


def test_what_the_service_refuses_is_handed_back_to_correct(run_of, plan_of, sandbox, work):
    name = f"Centre {token_hex(4)}"
    job = plan_of({"field": name}, of=TrackingFieldImportJob)
    sandbox.client.post(FIELDS, json={"field": name.upper()})
    approve(job)
    item = only(work(job))
    assert item.state == ItemState.FAILED
    assert "exists" in f"{item.message} {said(item)}"
    row = job_type_of(job).row_of(item)
    assert states(run_of(row, of=TrackingFieldImportJob)) == [("change", "done")]


def test_rows_with_errors_come_as_a_file_that_is_imported_again(client, connection, plan_of, work):
    job = plan_of(device(), device(encryption="maybe"))
    page = client.get(f"/c/{connection.key}/jobs/{job.key}/").text
    link = f"/c/{connection.key}/jobs/{job.key}/rows/invalid.csv"
    assert f'href="{link}"' in page
    file = client.get(link).getvalue().replace(b"maybe", b"never")
    assert states(work(drafted(connection, DeviceImportJob, file))) == [("create", "pending")]


class Service:
    """A service that keeps devices, and loses answers."""

    def __init__(self) -> None:
        self.devices: list[Json] = []
        self.posts = 0
        self.keeps = True

    def respond(self, seen: Seen) -> Any:
        if seen.method == "GET":
            return answer(200, {"devices": self.devices, "total_records": len(self.devices)})
        self.posts += 1
        if self.posts > 1:
            self.devices.append({**device("Lost"), "id": "2"})
            return answer(201, self.devices[-1])
        if self.keeps:
            self.devices.append({**device("Lost"), "id": "1"})
        return no_answer()


@pytest.mark.parametrize("keeps", [True, False])
def test_creation_without_answer_is_never_made_twice(faulty, fault_server, work, settings, keeps):
    settings.API_TIMEOUT = 1
    service = Service()
    service.keeps = keeps
    fault_server.always(depending(service.respond))
    job = work(drafted(faulty, DeviceImportJob, written(device("Lost"))))
    approve(job)
    item = only(work(job))
    assert (item.state, item.object_id) == (ItemState.DONE, "1" if keeps else "2")
    assert len(service.devices) == 1


def test_a_list_that_leaves_some_out_is_said_in_the_plan(faulty, fault_server, work):
    fault_server.always(answer(200, {"devices": [], "total_records": 400}))
    job = work(drafted(faulty, DeviceImportJob, written(device())))
    assert any("lists 0 of its 400 devices" in words for _tone, words in job.notes)


@pytest.mark.parametrize("name", OF)
def test_from_the_list_to_the_preview(client, connection, clean, name):
    listed = client.get(address(connection, name)).content.decode()
    url = address(connection, f"{name}-import").rstrip("?")
    assert f'href="{url}"' in listed
    refused = client.post(url, {"text": ""})
    assert refused.status_code == 422
    row = "name\tip\tprotocol\tencryption\tcolour\nA\t192.0.2.1\tSIP\tauto\tred\n"
    taken = client.post(url, {"text": row})
    assert taken.status_code == 303
    page = client.get(taken["Location"])
    left = "colour" if name == "devices" else "encryption"
    assert left in words_of(page.content)
    data = form_with(page.content.decode(), "column_0").values
    again = client.post(taken["Location"], data)
    assert again.status_code == 422
    assert "Map these columns" in words_of(again.content)
    box = form_with(again.content.decode(), "column_0")
    places = "4" if name == "devices" else "1,2,3,4"
    begun = client.post(taken["Location"], {**box.values, "leave_out": places})
    assert begun.status_code == 303
    [job] = Job.objects.all()
    assert job.kind == OF[name].name
    assert AuditEntry.objects.filter(object_id=job.key).exists()


def test_a_table_without_names_is_not_read(client, connection):
    taken = client.post(address(connection, "devices-import"), {"text": "ip\tprotocol\n1\tSIP\n"})
    page = client.get(taken["Location"])
    assert "Map a column to “Name”" in words_of(page.content)
    data = form_with(page.content.decode(), "column_0").values
    refused = client.post(taken["Location"], data)
    assert "Map a column to “Name”" in words_of(refused.content)


def test_a_viewer_is_offered_no_import(viewer, connect):
    html = admin_client_for(viewer).get(address(connect(viewer), "devices")).content.decode()
    assert "/import/" not in html


def test_three_hundred_devices_are_added_over_http(run_of, sandbox):
    mark = token_hex(3)
    job = run_of(*(device(f"Wing {mark} {number}") for number in range(300)))
    assert job.items.filter(state="done").count() == 300
    found = {one["name"] for one in of_service(sandbox) if mark in one["name"]}
    assert len(found) == 300
