"""Groups and IM groups: listed, found, made once, changed, deleted."""

from secrets import token_hex

import pytest
from django.urls import reverse

from portal.access.models import Connection
from portal.audit.models import AuditEntry
from portal.connections.api import api_for
from portal.directory import groups as mirror
from portal.directory.models import MirroredGroup, MirroredUser
from portal.mirror.refresh import refresh
from portal.people.services.groups import GROUPS, IM_GROUPS
from portal.people.services.person import refresh_person
from tests.support.fault_server import answer, no_answer
from tests.support.html import form_with, text_of
from tests.support.people_pages import part
from tests.support.portal import admin_client_for
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db

BOTH = pytest.mark.parametrize("kind", [GROUPS, IM_GROUPS], ids=lambda kind: kind.slug)


def url(connection, kind, name="list", *more):
    return reverse(f"{kind.slug}:{name}", args=[connection.key, *more])


def of(connection, group, name="group"):
    return url(connection, group.kind, name, group.id)


@BOTH
def test_groups_are_searched_and_sorted_in_the_copy_kept_here(
    client, connection, make_group, make_person, kind
):
    word = token_hex(6)
    small, large = (make_group(kind, name=f"{word} {name}") for name in ("Alpha", "Beta"))
    large.put(make_person())
    mirror.put(connection, kind.mirrored, kind.family.get.returns.model_validate(large.now()))
    make_group(IM_GROUPS if kind is GROUPS else GROUPS, name=f"{word} of the other kind")
    here = url(connection, kind)
    shown = text_of(client.get(here, {"q": word}).content.decode())
    assert "2 groups found" in shown or "2 IM groups found" in shown
    assert shown.index("Alpha") < shown.index("Beta")
    assert "other kind" not in shown
    by_size = text_of(client.get(here, {"q": word, "sort": "-total_members"}).content.decode())
    assert by_size.index("Beta") < by_size.index("Alpha")
    html = client.get(here, {"q": word.upper()}).content.decode()
    assert of(connection, small) in html
    nothing = part(client, f"{here}?q=zzz-{word}", "results").content.decode()
    assert "<html" not in nothing
    assert "No group matches" in nothing


def test_the_list_says_how_old_it_is_and_is_read_anew_when_asked(client, connection, make_group):
    made, gone = make_group(), make_group()
    here = url(connection, GROUPS)
    assert "Updating from the service" in text_of(client.get(here).content.decode())
    MirroredGroup.objects.filter(group_id=made.id).delete()
    MirroredGroup.objects.filter(group_id=gone.id).update(touched_at=None)  # known for longer
    gone.delete()
    asked = client.post(url(connection, GROUPS, "refresh"))
    assert (asked.status_code, asked["Location"]) == (303, here)
    assert refresh(mirror.state_of(connection).pk)
    shown = text_of(client.get(here, {"per_page": "300"}).content.decode())
    assert "Updated just now" in shown
    assert made.name in shown
    assert gone.name not in shown
    data = part(client, url(connection, GROUPS, "freshness"), "freshness")
    assert data["HX-Trigger"] == "mirror-refreshed"


@BOTH
def test_a_group_is_made_once_and_found_at_once(client, connection, sandbox, kind):
    address, name = url(connection, kind, "create"), f"Night shift {token_hex(6)}"
    form = form_with(client.get(address).content.decode(), "name")
    sent = form.values | {"name": name}
    if kind is IM_GROUPS:
        sent |= {"type": "restricted", "search_by_domain": "true"}
    done = client.post(address, sent, follow=True)
    page = text_of(done.content.decode())
    assert f"{name} was created. Add its members next." in page
    assert "No members yet" in page
    again = client.post(address, sent)
    assert again["Location"] == done.redirect_chain[-1][0]
    known = MirroredGroup.objects.get(name=name)
    path = "/groups" if kind is GROUPS else "/im/groups"
    data = sandbox.client.get(f"{path}/{known.group_id}").json()
    assert data["name"] == name
    if kind is IM_GROUPS:
        assert (data["type"], data["search_by_domain"]) == ("restricted", True)
        assert "Restricted" in page
    assert (
        AuditEntry.objects.filter(operation=f"{kind.family.name}.create", intent=None).count() == 1
    )


@BOTH
def test_name_in_use_is_said_at_field_and_what_was_typed_stays(
    client, connection, make_group, kind
):
    taken, other = make_group(kind), make_group(kind)
    for address in (url(connection, kind, "create"), of(connection, other, "change")):
        form = form_with(client.get(address).content.decode(), "name")
        refused = client.post(address, form.values | {"name": taken.name.upper()})
        assert refused.status_code == 422
        html = refused.content.decode()
        assert form_with(html, "name").values["name"] == taken.name.upper()
        assert "Name : A group with this name exists." in text_of(html)
    for wrong in ("", "x" * 129):
        refused = client.post(url(connection, kind, "create"), {"name": wrong})
        assert refused.status_code == 422


def test_creation_without_answer_is_looked_up_before_resend(
    client, connection, make_group, fault_server
):
    address = url(connection, GROUPS, "create")
    form = form_with(client.get(address).content.decode(), "name")
    made = make_group()
    base_url = connection.base_url
    fault_server.always(no_answer())
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    sent = form.values | {"name": made.name}
    unknown = client.post(address, sent)
    assert unknown.status_code == 422
    assert "may have been completed" in text_of(unknown.content.decode())
    assert form_with(unknown.content.decode(), "name").values["name"] == made.name
    Connection.objects.filter(pk=connection.pk).update(base_url=base_url)
    after = form_with(unknown.content.decode(), "name").values
    assert client.post(address, after)["Location"] == of(connection, made)
    assert len([one for one in fault_server.requests if one.method == "POST"]) == 1


@BOTH
def test_a_group_is_renamed_and_the_list_knows(client, connection, make_group, kind):
    group, name = make_group(kind), f"Renamed {token_hex(6)}"
    address = of(connection, group, "change")
    form = form_with(client.get(address).content.decode(), "name")
    assert form.values["name"] == group.name
    done = client.post(address, form.values | {"name": name}, follow=True)
    assert f"{name} is changed." in text_of(done.content.decode())
    assert group.now()["name"] == name
    assert MirroredGroup.objects.get(group_id=group.id).name == name
    assert name in text_of(client.get(of(connection, group, "history")).content.decode())


def test_who_sees_an_im_group_and_what_its_members_search_is_set(client, connection, make_group):
    group = make_group(IM_GROUPS, type="normal", search_by_account=False)
    address = of(connection, group, "change")
    form = form_with(client.get(address).content.decode(), "name")
    sent = {**form.values, "type": "shared", "search_by_account": "true"}
    assert client.post(address, sent).status_code == 303
    data = group.now()
    assert (data["type"], data["search_by_account"], data["name"]) == ("shared", True, group.name)
    entry = AuditEntry.objects.filter(operation="im_groups.update", intent=None).latest("sequence")
    assert "name" not in entry.sent


@BOTH
def test_a_deleted_group_goes_and_its_members_stay(
    client, connection, make_group, make_person, kind
):
    group, person = make_group(kind), make_person()
    group.put(person)
    refresh_person(api_for(whole(connection)), whole(connection), person.id)
    address = of(connection, group, "delete")
    asked = text_of(client.get(address).content.decode())
    assert "Its 1 member stays on the account" in asked
    assert "This cannot be undone" in asked
    done = client.post(address, follow=True)
    assert f"{group.name} is deleted." in text_of(done.content.decode())
    assert group.now() == {}
    assert person.now()
    assert not mirror.find(whole(connection), mirror.GroupFilter(ids=[group.id])).exists()
    assert group.id not in getattr(MirroredUser.objects.get(user_id=person.id), kind.ids)


def test_group_is_deleted_by_administrators_after_proof(
    administrator, operator, connect, connection, make_group
):
    group = make_group()
    asked = admin_client_for(administrator, recently=False).post(of(connection, group, "delete"))
    assert "reauthenticate" in asked["Location"]
    theirs = connect(operator)
    client = admin_client_for(operator)
    assert "delete/" not in client.get(of(theirs, group)).content.decode()
    assert client.post(of(theirs, group, "delete")).status_code == 403
    assert group.now()


def test_a_group_that_is_gone_is_said_and_leaves_the_list(client, connection, make_group):
    group = make_group()
    group.delete()
    shown = client.get(of(connection, group))
    assert shown.status_code == 404
    page = shown.content.decode()
    assert "Not found on the service" in page
    assert f'/audit/?q={group.id}"' in page
    assert not mirror.find(whole(connection), mirror.GroupFilter(ids=[group.id])).exists()


def test_form_returned_during_outage_keeps_input(client, connection, make_group, fault_server):
    group = make_group()
    address = of(connection, group, "change")
    form = form_with(client.get(address).content.decode(), "name")
    fault_server.always(answer(503, {"message": "Closed."}))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    refused = client.post(address, form.values | {"name": "Kept"})
    assert refused.status_code == 422
    assert form_with(refused.content.decode(), "name").values["name"] == "Kept"
