"""First steps of an account, which Home shows its owner until all are done, or dismissed."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse

from portal.access.models import User
from portal.access.roles import Role
from portal.access.scope import Scope
from portal.access.services import second_factor
from portal.translation import gettext_lazy


@dataclass(frozen=True)
class StepState:
    """Progress of a step: `url` is the page where somebody does it, `percent` how far it has come
    by itself, and `about` says that in words."""

    is_done: bool
    url: str = ""
    about: str = ""
    percent: int | None = None


@dataclass(frozen=True)
class HomeStep:
    """A step by its title. `read` never calls the service; it returns None for those who cannot
    take the step."""

    title: str
    place: int
    read: Callable[[Scope], StepState | None]


def _require_factor(scope: Scope) -> StepState | None:
    user = scope.user
    if user is None or not user.is_administrator:
        return None
    page = "access:second-factor" if second_factor.has_one(user) else "mfa_index"
    return StepState(second_factor.is_required_of(Role.ADMINISTRATOR), reverse(page))


def _invite(scope: Scope) -> StepState | None:
    user = scope.user
    if user is None or not user.is_administrator:
        return None
    others = User.objects.filter(is_active=True).exclude(pk=user.pk)
    return StepState(others.exists(), reverse("access:invite"))


_steps: list[HomeStep] = [
    HomeStep(gettext_lazy("Turn on two-factor for administrators"), 40, _require_factor),
    HomeStep(gettext_lazy("Invite a colleague"), 50, _invite),
]


def register(*steps: HomeStep) -> None:
    """Shows these from now on."""
    _steps.extend(steps)
    _steps.sort(key=lambda step: step.place)


def steps_of(scope: Scope) -> list[tuple[str, StepState]]:
    """Returns all steps while one of them is to be done, each with its title: for the owner of the
    connection, unless they dismissed them."""
    if not scope.is_owner or scope.connection.hides_steps:
        return []
    read = [(step.title, step.read(scope)) for step in _steps]
    shown = [(title, state) for title, state in read if state is not None]
    return [] if all(state.is_done for _title, state in shown) else shown
