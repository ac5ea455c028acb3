"""Panelists of webinars (spec 2.8 and 4.6)."""

from portal.contract.webinars import (
    AddedPanelists,
    NewPanelists,
    PanelistDetails,
    PanelistList,
    Panelists,
)
from portal.sandbox.errors import NotFound, invalid
from portal.sandbox.families.webinars import webinar_called
from portal.sandbox.models import Panelist
from portal.sandbox.serving import serves

_JOIN_URL = "https://conf.example/w/{}?tk=p{}"


@serves(Panelists.list)
def list_panelists(webinar_id: str) -> PanelistList:
    panelists = webinar_called(webinar_id).panelists.order_by("id")
    values = [
        PanelistDetails(id=str(each.id), name=each.name, email=each.email, join_url=_url(each))
        for each in panelists
    ]
    return PanelistList(panelists=values, total_records=len(values))


@serves(Panelists.add)
def add_panelists(webinar_id: str, body: NewPanelists) -> AddedPanelists:
    """Adds panelists. An existing panelist stays one, under the new name.

    The answer describes the first panelist of the request.
    """
    webinar = webinar_called(webinar_id)
    if not body.panelists:
        raise invalid("panelists", "Name at least one panelist.")
    added = [
        webinar.panelists.update_or_create(
            email_key=each.email.lower(),
            defaults={"name": each.name} if each.name else {},
            create_defaults={"email": each.email, "name": each.name or ""},
        )[0]
        for each in body.panelists
    ]
    return AddedPanelists(id=str(added[0].id), join_url=_url(added[0]))


@serves(Panelists.remove_all)
def remove_all_panelists(webinar_id: str) -> None:
    webinar_called(webinar_id).panelists.all().delete()


@serves(Panelists.remove)
def remove_panelist(webinar_id: str, panelist_id: str) -> None:
    webinar = webinar_called(webinar_id)
    found = None
    if panelist_id.isascii() and panelist_id.isdigit() and len(panelist_id) < 19:
        found = webinar.panelists.filter(id=int(panelist_id)).first()
    if found is None:
        raise NotFound("panelist")
    found.delete()


def _url(panelist: Panelist) -> str:
    return _JOIN_URL.format(panelist.session_id, panelist.id)
