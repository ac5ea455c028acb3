"""The page that says who can see or change a recording."""

from django.http import Http404
from django.urls import reverse

from portal.contract.recordings import Recordings
from portal.directory.who_sees import SharedObject, WhoSeesView
from portal.recordings import mirror
from portal.translation import gettext_lazy


class WhoSeesRecordingView(WhoSeesView):
    needs = Recordings.get
    changing = Recordings.update_settings
    question = gettext_lazy("Who can see or change this recording?")

    def subject(self) -> SharedObject:
        uuid = self.kwargs["uuid"]
        row = mirror.listed(self.request.scope).filter(uuid=uuid).first()
        if row is None:
            raise Http404
        url = reverse("recordings:recording", args=[self.request.connection.key, uuid])
        return SharedObject(row.label, row.host_id, url)
