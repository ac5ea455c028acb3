"""The page that says who can see or change a person."""

from portal.contract.users import Users
from portal.directory.who_sees import SharedObject, WhoSeesView
from portal.people.services.person import read
from portal.people.views.person import person_url
from portal.translation import gettext_lazy


class WhoSeesPersonView(WhoSeesView):
    needs = Users.get
    changing = Users.update
    question = gettext_lazy("Who can see or change this person?")

    def subject(self) -> SharedObject:
        person = read(self.request.api, self.request.scope, self.kwargs["user_id"])
        return SharedObject(person.name, person.id, person_url(self.request, person.id))
