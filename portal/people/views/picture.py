"""Profile pictures: choosing a new one, and showing the one that the service has."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.models.connection import address_policy
from portal.contract.users import Users
from portal.people.forms.picture import PictureForm
from portal.people.services import picture
from portal.people.services.person import read
from portal.people.views.tabs import meet, person_url
from portal.ui.faults import faults_on
from portal.ui.pages import go, page
from portal.ui.toasts import toast


@require_http_methods(["GET", "POST"])
@connected(needs=Users.upload_picture)
def change_picture(request: PortalRequest, user_id: str) -> HttpResponse:
    """Takes a picture file and sends the JPEG that was made of it."""
    person = meet(request, user_id)
    form = PictureForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        form = PictureForm(request.POST, request.FILES)
        if form.is_valid():
            with faults_on(form):
                jpeg = form.cleaned_data["picture"]
                picture.upload(request.api, request.connection, person.id, jpeg)
            if form.is_valid():
                toast(request, "good", f"{person.name} has a new picture.")
                return go(request, person_url(request, person.id))
    context = {"person": person, "form": form}
    return page(request, "people/person_picture.html", context, status=422 if form.errors else 200)


@require_GET
@connected(needs=Users.get)
def show(request: PortalRequest, user_id: str) -> HttpResponse:
    """The person's picture, or their initials; the browser only loads pictures from here."""
    person = read(request.api, request.connection, user_id)
    jpeg = picture.shown(request.connection, person, address_policy())
    if jpeg is None:
        response = render(
            request, "people/initials.svg", {"person": person}, content_type="image/svg+xml"
        )
        response["Cache-Control"] = "private, max-age=60"
    else:
        response = HttpResponse(jpeg, content_type="image/jpeg")
        response["Cache-Control"] = "private, max-age=86400"
    return response
