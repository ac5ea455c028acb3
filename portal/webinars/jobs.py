"""Job types for webinars."""

from portal.sessions.jobs.session_import import SessionImportJob, name_of
from portal.translation import gettext_lazy
from portal.webinars.spec import WEBINARS


class ImportWebinarsJob(SessionImportJob):
    """Schedules and changes the webinars of a table."""

    name = name_of(WEBINARS)
    noun = (gettext_lazy("webinar"), gettext_lazy("webinars"))
    list_url_name = "webinars:list"
    of = WEBINARS
