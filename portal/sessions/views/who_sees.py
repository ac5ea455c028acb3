"""The page that says who can see or change a meeting or webinar."""

from portal.contract.operation import AnyOperation
from portal.directory.who_sees import SharedObject, WhoSeesView
from portal.sessions.mirror import host_of
from portal.sessions.views.base import SpecMixin, spec_url
from portal.translation import gettext_lazy


class WhoSeesSessionView(SpecMixin, WhoSeesView):
    operation_name = "get"
    question = gettext_lazy("Who can see or change this?")

    def changing_operation(self) -> AnyOperation:
        operation: AnyOperation = self.session_spec.update
        return operation

    def subject(self) -> SharedObject:
        session, spec = self.session, self.session_spec
        listed = host_of(self.request.connection, spec.family, session.id)
        url = spec_url(self.request, spec, "session", session.id)
        return SharedObject(session.topic, listed or session.host.id, url)
