"""Registration of the webhooks app with the portal."""

from portal.access.grants import scope_of
from portal.access.scope import refused
from portal.connections.api import api_for
from portal.contract.webhooks import Webhooks
from portal.domain.declaration import Domain
from portal.domain.samples import SampleContent
from portal.translation import gettext_lazy
from portal.ui.navigation import ACCOUNT, NavigationEntry
from portal.webhooks import subscriptions
from portal.webhooks.deauthorization import EFFECT
from portal.webhooks.deliveries import NO_LIST, NOT_FOLLOWED, prune
from portal.webhooks.gaps import GAP_WORDS, check_all
from portal.webhooks.home import DEAUTHORIZED, GAPS
from portal.webhooks.resources import WEBHOOKS

# A demonstration has the portal's own webhook, and so deliveries.
SAMPLE = SampleContent(
    10,
    "webhook",
    lambda colleague, one: subscriptions.follow(api_for(scope_of(colleague, one)), one),
    lambda _, by, one: subscriptions.unfollow(api_for(scope_of(one.owner, one)), one, by),
)

DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            ACCOUNT,
            40,
            WEBHOOKS.title,
            WEBHOOKS.icon,
            WEBHOOKS.url_name(),
            (Webhooks.list,),
            about=gettext_lazy("Where the service sends its events"),
        ),
    ),
    stored_words=(*GAP_WORDS, NO_LIST, NOT_FOLLOWED, EFFECT),
    periodic_tasks={check_all.name: 300.0, prune.name: 3600.0},
    home=(DEAUTHORIZED, GAPS),
    scope_rules=refused(Webhooks),
    samples=(SAMPLE,),
)
