"""The portal's pages, and one that destroys with a direct POST and nothing else."""

from django.http import HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from portal.access.http import PortalRequest
from portal.config.urls import (  # noqa: F401 - Django finds them here
    handler400,
    handler403,
    handler404,
    handler500,
    urlpatterns,
)
from portal.connections.connected import NoOperation, connected


@require_POST
@connected(needs=NoOperation("What it calls is asked for when it calls."))
def remove(request: PortalRequest, user_id: str) -> HttpResponse:
    request.api.users.delete(user_id)
    return HttpResponse(f"removed {user_id}, as {request.POST['why']} {request.GET.get('more')}")


urlpatterns = [
    *urlpatterns,
    path("c/<str:connection>/remove/<str:user_id>/", remove, name="remove"),
]
