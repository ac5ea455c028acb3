"""First steps of an account, which its owner sees on the first page while one is to be done."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse

from portal.access.models import User
from portal.access.roles import Role
from portal.access.scope import Scope
from portal.sign_in import second_factor
from portal.translation import gettext_lazy
from portal.ui.home import HomeSubject, all_of, ask, has_rows, register


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
    page = "team:second-factor" if has_rows(user, _FACTORS) else "mfa_index"
    return StepState(second_factor.is_required_of(Role.ADMINISTRATOR), reverse(page))


def _invite(scope: Scope) -> StepState | None:
    user = scope.user
    if user is None or not user.is_administrator:
        return None
    return StepState(has_rows(user, _COLLEAGUES), reverse("team:invite"))


_FACTORS, _COLLEAGUES = "own-factors", "colleagues"
ask(_FACTORS, second_factor.factors_of)
ask(_COLLEAGUES, lambda user: User.objects.filter(is_active=True).exclude(pk=user.pk))
register(
    HomeStep(gettext_lazy("Turn on two-factor for administrators"), 40, _require_factor),
    HomeStep(gettext_lazy("Invite a colleague"), 50, _invite),
)
