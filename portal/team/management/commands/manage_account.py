"""`manage.py manage_account`: what no administrator of the portal may do to an account."""

from argparse import ArgumentParser
from collections.abc import Callable

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from portal.access.http import Origin
from portal.access.models import User
from portal.access.roles import Role
from portal.team import accounts, waiting
from portal.team.models import ChangeKind

_ACTS: dict[str, tuple[Callable[..., None], str]] = {
    "vouch": (accounts.vouch, "counts as another administrator, whoever invited them."),
    "deactivate": (accounts.deactivate, "is deactivated."),
    "role": (accounts.change_role, "has the role."),
    "activate": (accounts.activate, "is active."),
    "unlink": (accounts.unlink, "is opened by the next subject of the provider with this email."),
    "reset-factors": (accounts.reset_factors, "has no two-factor authentication any more."),
}
# What an administrator may have asked for, and waits.
_ENDS = {
    "deactivate": ChangeKind.DEACTIVATION,
    "reset-factors": ChangeKind.FACTORS,
    "role": ChangeKind.ROLE,
}


class Command(BaseCommand):
    help = "Changes an account on behalf of whoever runs Switchboard, with an entry in the trail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("act", choices=_ACTS)
        parser.add_argument("--email", required=True)
        parser.add_argument("--role", choices=Role.values, help="the new role, with `role`")

    def handle(self, *, act: str, email: str, role: str | None, **_options: object) -> None:
        if (act == "role") != (role is not None):
            raise CommandError("--role goes with the act role.")
        user = User.objects.filter(email=email.lower()).first()
        if user is None:
            raise CommandError(f"{email} has no account.")
        change, done = _ACTS[act]
        try:
            with transaction.atomic():
                if kind := _ENDS.get(act):
                    waiting.made_by_the_machine(user, kind)
                change(Origin(), user, **({"role": role} if role else {}))
        except accounts.AccountChangeRefused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"{user.email} {done}")
