"""Pages about town halls."""

from portal.sessions.urls import urls_of
from tests.support.townhalls.spec import TOWNHALLS

urlpatterns = urls_of(TOWNHALLS)
