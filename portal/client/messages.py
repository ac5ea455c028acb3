"""Messages of the client about a failure, which may be stored and are shown in any language."""

from portal.contract.words import gettext_noop as _

NO_QUERY = _("Leave out query and fragment.")
NOT_AN_ADDRESS = _("This is not an address, such as https://host/v2.")
NO_SIGN_IN = _("Leave out sign-in names and passwords.")
NOT_HTTPS = _("The address must begin with https://.")
NO_HOST = _("No host named %(host)s was found.")
INTERNAL_ADDRESS = _("%(host)s is an internal address, which is not allowed.")
NOT_AS_DESCRIBED = _("The answer does not match the service's description.")
ANOTHER_OBJECT = _("The answer is about another object than was asked for.")
EMPTY = _("The answer is empty.")
WEB_PAGE = _("A web page came instead of an answer, perhaps to sign in to the network.")
REDIRECTED_TO = _("The service redirects to %(host)s, which is not followed.")
REDIRECTED = _("The service redirects to another address, which is not followed.")
NO_REASON = _("The service gave no reason.")
LIMIT_USED_UP = _("The limit of this connection is used up.")
DAY_USED_UP = _("The service's limit for a day is used up.")
HOST_USED_UP = _("What can be scheduled for this host in a day is used up.")
WRONGLY_COMPRESSED = _("The answer is compressed in a way that was not requested.")
NOT_UNPACKED = _("The answer cannot be unpacked.")
TOO_LARGE = _("The answer is larger than %(limit)s bytes.")
ENDLESS_PAGES = _("The service repeats its pages without end.")
LEFT_OUT = _("What the service said is left out: it may repeat the token.")
UNREAD = _(
    "%(what)s: %(count)s unreadable, so missing from lists, selections and files. The service "
    "reports no %(fields)s."
)
UNREAD_AT_ALL = _("%(what)s: %(count)s unreadable, so missing from lists, selections and files.")
HIDDEN = _("Not all is shown here: the token lacks the scope %(scope)s.")
NO_ANSWER = _("No answer within %(timeout)s seconds.")
BROKE_OFF = _("The connection broke off.")
NOT_TRUSTED = _("The certificate of the service is not trusted.")
NOT_CONNECTED = _("No connection could be made.")
NO_TOKEN = _("No token came from the token URL (HTTP %(status)s).")
TOKEN_FAULT = _("The token URL failed (HTTP %(status)s).")
TOKEN_REFUSED = _("The token could not be renewed: %(words)s")
TOKEN_BUSY = _("Another process is renewing the token.")
TOKEN_OVER = _("The token URL gave a token that had already ended when it came.")

MESSAGES: tuple[str, ...] = tuple(text for name, text in [*vars().items()] if name.isupper())
