"""Tokens of a person: shown when asked for, and revoked."""

from datetime import timedelta

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpResponse, QueryDict
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from portal.access.form_fields import offer_choices
from portal.access.http import PortalRequest
from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.sign_in import LoginType, SignInQuery, TokenType, UserTokenQuery, ZpkQuery
from portal.contract.users import Users
from portal.people.views.person import PersonActionView
from portal.sign_in.reauthentication import did_lately
from portal.translation import gettext as _, gettext_lazy
from portal.ui.forms import ContractForm, contract_fields, contract_form
from portal.ui.times import exact
from portal.ui.views import Labels

ZpkForm = contract_form(ZpkQuery)
_NOT_THEIRS = gettext_lazy(
    "{name} does not sign in as an API user. Only API users need a token issued here: they have no "
    "password and cannot sign in. The apps of all others get one at their sign-in."
)
_HOLDS = {
    TokenType.TOKEN: gettext_lazy("Pass it to the client SDK."),
    TokenType.ZAK: gettext_lazy("It is valid for 90 days, as those of API users are."),
    TokenType.ZPK: gettext_lazy(
        "ZPKs are deprecated by the service. “Check ZPK” shows when it expires."
    ),
}


@contract_fields(UserTokenQuery)
class TokenForm(ContractForm[UserTokenQuery]):
    """The purpose of the token; an empty one would mean one of the types as well."""

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        field = self.fields["type"]
        field.required = field.widget.is_required = True
        offer_choices(self, "type", [(one.value, one.label) for one in TokenType])
        field.help_text = _("What the token is for.")
        field.initial = TokenType.ZAK.value


def is_api_user(api: Api, user_id: str) -> bool:
    """Returns whether a person is a user of the interface, who cannot sign in. Raises `ApiError`.

    The service does not report how a person signs in; it finds them only by a way they have.
    """
    try:
        api.users.get(user_id, SignInQuery(login_type=LoginType.API))
    except NotFound:
        return False
    return True


@method_decorator(never_cache, name="dispatch")
class IssueTokenView(PersonActionView[TokenForm]):
    """Issues a token for an API user, and shows it on this one answer."""

    tab = "profile"
    needs = Users.token
    form_class = TokenForm
    template_name = "people/person_token.html"

    token = ""
    kind: TokenType = TokenType.ZAK
    is_for_them = True

    def labels(self) -> Labels:
        name, asks = self.person.name, self.is_for_them and not self.token
        return Labels(
            _("Create a token for %(name)s") % {"name": name},
            submit=_("Create token") if asks else "",
            consequences=[
                (
                    "key-round",
                    _("Anyone who has the token can start meetings as %(name)s.") % {"name": name},
                ),
                ("eye-off", _("It is shown once. Switchboard keeps no copy of it.")),
                ("clock", _("It is valid until it expires: a ZAK of an API user for 90 days.")),
            ]
            if asks
            else [],
        )

    @property
    def refusal(self) -> str:
        """Why no token is issued for this person; mostly empty."""
        return "" if self.is_for_them else _NOT_THEIRS.format(name=self.person.name)

    def get(self, request: PortalRequest, *args: object, **kwargs: object) -> HttpResponse:
        self.is_for_them = is_api_user(request.api, self.person.id)
        return super().get(request, *args, **kwargs)

    def perform(self, form: TokenForm) -> str:
        if not did_lately(self.request):
            raise ReauthenticationRequired
        self.is_for_them = is_api_user(self.request.api, self.person.id)
        if not self.is_for_them:
            form.add_error(None, self.refusal)
            return ""
        query = form.model()
        self.token = self.request.api.users.token(self.person.id, query).token
        self.kind = query.type or self.kind
        return ""

    def go_on(self, done: str) -> HttpResponse:
        return self.render(self.get_form(self.request.POST))

    def context(self) -> dict[str, object]:
        return {
            **super().context(),
            "token": self.token,
            "token_label": self.kind.label,
            "token_hint": _HOLDS.get(self.kind, ""),
            "refusal": self.refusal,
        }


@method_decorator(never_cache, name="dispatch")
class CheckZpkView(PersonActionView[ContractForm[ZpkQuery]]):
    """Shows until when a ZPK is valid; the ZPK is sent to the service and not shown again."""

    tab = "profile"
    needs = Users.zpk_expiry
    form_class = ZpkForm
    template_name = "people/person_zpk.html"

    answer = ""
    is_valid = False

    def labels(self) -> Labels:
        return Labels(
            _("Check ZPK"),
            submit=_("Check"),
            lead=_(
                "A ZPK is a token in the address that starts a meeting. The service deprecates "
                "them, and issues ZAKs in their place."
            ),
        )

    def perform(self, form: ContractForm[ZpkQuery]) -> str:
        left = timedelta(seconds=self.request.api.users.zpk_expiry(form.model()).expire_in)
        self.is_valid = left > timedelta(0)
        until = _("This ZPK is valid until %(exact)s.") % {"exact": exact(clock.now() + left)}
        self.answer = until if self.is_valid else _("This ZPK has expired or was revoked.")
        return ""

    def go_on(self, done: str) -> HttpResponse:
        return self.render(self.get_form())

    def context(self) -> dict[str, object]:
        return {**super().context(), "answer": self.answer, "is_valid": self.is_valid}
