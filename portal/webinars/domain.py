"""Registration of the webinars app with the portal."""

from portal.contract.webinars import Webinars
from portal.domain.declaration import Domain
from portal.mirror.search import Shortcut
from portal.sessions.approval_losses import RegistrationLossFinder
from portal.sessions.leaving import DeleteWebinarStep, HostedSessions
from portal.sessions.person_tabs import hosted_tab
from portal.sessions.searching import searching
from portal.translation import gettext_lazy
from portal.ui.navigation import SESSIONS, NavigationEntry
from portal.webinars.jobs import ImportWebinarsJob
from portal.webinars.spec import WEBINARS

DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            SESSIONS,
            30,
            gettext_lazy("Webinars"),
            "presentation",
            "webinars:list",
            needs=(Webinars.of_user,),
        ),
    ),
    shortcuts=(
        Shortcut(
            gettext_lazy("Schedule webinar"),
            "presentation",
            "webinars:create",
            Webinars.create,
            gettext_lazy("create add new"),
        ),
    ),
    job_types=(ImportWebinarsJob,),
    person_tabs=(hosted_tab(WEBINARS, place=20),),
    searches=(searching(WEBINARS),),
    holdings=(HostedSessions(WEBINARS, place=20),),
    steps=(DeleteWebinarStep(),),
    losses={
        one.name: RegistrationLossFinder(WEBINARS) for one in (Webinars.update, Webinars.delete)
    },
    part_pages=("webinars",),
)
