"""Page with the shares of a session."""

from django.http import HttpResponse

from portal.client import ApiError
from portal.dashboards.services.session.sharing import shares
from portal.dashboards.views.session.pages import DashboardSessionView
from portal.ui.explain import explain

_TEMPLATE = "dashboards/session_sharing.html"


class SharingView(DashboardSessionView):
    """Each thing that somebody showed, in the order of time."""

    uses = "sharing"
    tab = "sharing"

    def answer(self) -> HttpResponse:
        try:
            found, reading = shares(self.request.api, self.request.connection, self.place)
        except ApiError as error:
            return self.tab_page(_TEMPLATE, {}, fault=explain(error))
        return self.tab_page(_TEMPLATE, {"shares": found}, reading=reading)
