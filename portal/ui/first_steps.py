"""First steps of an account, which its owner sees on the first page while one is to be done."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Exists
from django.urls import reverse

from portal.access.models import User
from portal.access.roles import Role
from portal.access.scope import Scope
from portal.config import page_memory
from portal.sign_in import second_factor
from portal.translation import gettext_lazy
from portal.ui.home import HomeSubject, all_of, register


@dataclass(frozen=True)
class StepState:
    """Progress of a step: `url` is the page where a user does it, `percent` how far it has come by
    itself, and `about` says that in words."""

    is_done: bool
    url: str = ""
    about: str = ""
    percent: int | None = None


@dataclass(frozen=True)
class HomeStep(HomeSubject):
    """A first step of an account. `read` returns None for those who cannot take the step."""

    read: Callable[[Scope], StepState | None]


def steps_of(scope: Scope) -> list[tuple[str, StepState]]:
    """Returns all steps while one of them is to be done, each with its title: for the owner of the
    connection, unless they dismissed them."""
    if not scope.is_owner or scope.connection.hides_steps:
        return []
    read = [(step.title, step.read(scope)) for step in all_of(HomeStep)]
    shown = [(title, state) for title, state in read if state is not None]
    return [] if all(state.is_done for _title, state in shown) else shown


def _require_factor(scope: Scope) -> StepState | None:
    user = scope.user
    if user is None or not user.is_administrator:
        return None
    page = "team:second-factor" if _own_account(user).has_factor else "mfa_index"
    return StepState(second_factor.is_required_of(Role.ADMINISTRATOR), reverse(page))


def _invite(scope: Scope) -> StepState | None:
    user = scope.user
    if user is None or not user.is_administrator:
        return None
    return StepState(_own_account(user).has_colleagues, reverse("team:invite"))


@dataclass(frozen=True)
class _OwnAccount:
    has_factor: bool
    has_colleagues: bool


def _own_account(user: User) -> _OwnAccount:
    def read(keys: list[int]) -> dict[int, _OwnAccount]:
        factors = second_factor.factors_of(user)
        others = User.objects.filter(is_active=True).exclude(pk=user.pk)
        rows = User.objects.filter(pk__in=keys).order_by()
        asked = rows.values_list("pk", Exists(factors), Exists(others))
        return {pk: _OwnAccount(has, are_there) for pk, has, are_there in asked}

    return page_memory.read_once("own-account", [user.pk], read)[user.pk]


register(
    HomeStep(gettext_lazy("Turn on two-factor for administrators"), 40, _require_factor),
    HomeStep(gettext_lazy("Invite a colleague"), 50, _invite),
)
