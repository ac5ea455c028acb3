"""`manage.py create_admin`: the first account, and any other that cannot wait for an invitation."""

import sys
from argparse import ArgumentParser

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from portal.access.http import Origin
from portal.access.models import CustomRole, User
from portal.access.roles import Role
from portal.team import accounts


class Command(BaseCommand):
    help = "Makes a portal account and prints a link to set its password, valid once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--email", required=True)
        parser.add_argument("--name", default="")
        parser.add_argument(
            "--role",
            default=Role.ADMINISTRATOR.value,
            help=f"One of {', '.join(Role.values)}, or the name of a role that was defined.",
        )
        parser.add_argument(
            "--password-stdin",
            action="store_true",
            help="Read the password from standard input instead of printing a link.",
        )

    def handle(
        self, *, email: str, name: str, role: str, password_stdin: bool, **_options: object
    ) -> None:
        try:
            validate_email(email)
        except ValidationError:
            raise CommandError(f"{email} is not an email address.") from None
        if User.objects.filter(email=email.lower()).exists():
            raise CommandError(f"{email} already has an account.")
        role = self._role(role)
        password = self._password(email, name) if password_stdin else None
        origin = Origin()
        user = accounts.create(origin, email=email, name=name, role=role, password=password)
        self.stdout.write(f"{user.email} is now {user.get_role_display()}.")
        if password is None:
            self.stdout.write(f"Set the password here: {accounts.set_password_link(origin, user)}")

    def _role(self, name: str) -> str:
        if name in Role.values:
            return name
        role = CustomRole.objects.current().filter(name__iexact=name).first()
        if role is None:
            raise CommandError(f"There is no role {name}.")
        return role.key

    def _password(self, email: str, name: str) -> str:
        password = sys.stdin.readline().rstrip("\r\n")
        try:
            validate_password(password, User(email=email, name=name))
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        return password
