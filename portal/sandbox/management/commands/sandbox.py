"""`manage.py sandbox`: makes the service's database, fills it, and serves it."""

import os
from argparse import ArgumentTypeError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.core.management.base import CommandParser
from django.db import connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor

from portal.contract import FAMILIES
from portal.contract.operation import Weight
from portal.sandbox import clock
from portal.sandbox.current import webhooks
from portal.sandbox.models import AccountClock, User
from portal.sandbox.options import Options, Rate, database
from portal.sandbox.sample import load
from portal.sandbox.server import serve

_PROFILES = ("plain", "current")


class Command(BaseCommand):
    help = "Serves a stand-in conferencing service from a database of its own."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("--bind", type=_address, default="127.0.0.1:8001", metavar="HOST:PORT")
        add(
            "--data-dir",
            type=Path,
            default=Path(os.environ.get("SANDBOX_DATA_DIR", ".data/sandbox")),
            help="where the database is, unless SANDBOX_DATABASE_URL names one",
        )
        add(
            "--token",
            default=os.environ.get("SANDBOX_TOKEN"),
            help="the access token; SANDBOX_TOKEN keeps it out of the list of processes",
        )
        add("--fresh", action="store_true", help="forget what is there, make a new account")
        add("--users", type=_whole, default=250, help="people in a new account")
        add(
            "--required-tracking-field",
            action="store_true",
            help="a new account asks for the cost centre of each meeting and webinar",
        )
        add("--seed", type=int, default=7, help="the same seed makes the same account")
        add(
            "--now",
            type=_moment,
            default=os.environ.get("SANDBOX_NOW") or None,
            metavar="2027-02-28T23:40",
            help="when a new account lives, in GMT unless it says otherwise; SANDBOX_NOW says it"
            " too. The account keeps its clock: it runs on from that moment, also while the sandbox"
            " is stopped, and a later start needs no --now, or the same",
        )
        add("--frozen", action="store_true", help="nothing happens automatically")
        add(
            "--profile",
            choices=_PROFILES,
            default=os.environ.get("SANDBOX_PROFILE") or "plain",
            help="current: as services of today are, with tokens as a bearer alone, and short ones"
            " at /oauth/token for any client id with the access token as its secret;"
            " SANDBOX_PROFILE says it too",
        )
        add("--token-seconds", type=_whole, default=3600, help="how long such a token lives")
        add("--one-token", action="store_true", help="such a token ends the one before it")
        add(
            "--scope",
            action="append",
            default=[],
            metavar="user:read:user:admin",
            help="one of the scopes that tokens of the profile current have, instead of all; may be"
            " given several times",
        )
        add(
            "--without-scope",
            action="append",
            default=[],
            metavar="webinar:read:admin",
            help="a scope that tokens of the profile current lack; may be given several times",
        )
        add(
            "--without-plan",
            action="append",
            default=[],
            choices=[family.name for family in FAMILIES],
            metavar="webinars",
            help="a family that the account's plan does not have there; may be given several times",
        )
        add("--hook-url", default="", help="where the profile current sends its notifications")
        add(
            "--hook-secret",
            default=os.environ.get("SANDBOX_HOOK_SECRET", ""),
            help="what they are signed with; SANDBOX_HOOK_SECRET keeps it out of the processes",
        )
        add("--rate-limit", type=Rate.parse, metavar="10/s", help="more is answered with 429")
        add(
            "--limit",
            action="append",
            default=[],
            type=_class_limit,
            metavar="medium=20/s",
            help="a limit of operations by their weight, with its headers, in the profile current;"
            " may be given several times",
        )
        add(
            "--daily-limit",
            type=_whole,
            default=0,
            help="how many heavy and scarce operations a day are answered there",
        )
        add("--latency-ms", type=_whole, default=0, help="how much later each answer comes")
        add("--error-rate", type=_share, default=0.0, help="share of answers that are 5xx")

    def handle(self, **given: Any) -> None:
        if not given["token"]:
            raise CommandError("Give an access token: --token or SANDBOX_TOKEN.")
        if given["profile"] not in _PROFILES:
            raise CommandError("SANDBOX_PROFILE is plain or current.")
        if given["hook_url"] and not given["hook_secret"]:
            raise CommandError("Give a secret too: --hook-secret or SANDBOX_HOOK_SECRET.")
        use_database(given["data_dir"])
        _migrate()
        if given["fresh"]:
            call_command("flush", interactive=False, verbosity=0)
        _set_clock(given["now"])
        if not User.objects.exists():
            _make_account(given)
        webhooks.subscribe(given["hook_url"])
        connections.close_all()
        Options(
            token=given["token"],
            data_dir=str(given["data_dir"]),
            rate_limit=given["rate_limit"],
            latency=given["latency_ms"] / 1000,
            error_rate=given["error_rate"],
            frozen=given["frozen"],
            profile=given["profile"],
            token_seconds=given["token_seconds"],
            one_token=given["one_token"],
            only_scopes=tuple(given["scope"]),
            without_scopes=tuple(given["without_scope"]),
            without_plans=tuple(given["without_plan"]),
            class_limits=dict(given["limit"]),
            daily_limit=given["daily_limit"],
            hook_secret=given["hook_secret"],
        ).to_environment()
        host, port = given["bind"]
        try:
            serve(host, port)
        except OSError as error:
            raise CommandError(f"Port {port} cannot be used: {error.strerror}.") from error


def _migrate() -> None:
    """Migrates only if something is missing, since the command itself takes a while to see that
    nothing is."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0)


def _set_clock(asked: datetime | None) -> None:
    """Sets the account's own clock; `--now` applies to a new account only."""
    kept = AccountClock.objects.first()
    if asked and (kept.account_at != asked if kept else User.objects.exists()):
        begun = f"began at {kept}" if kept else "has the clock of this machine"
        raise CommandError(
            f"--now {asked:%Y-%m-%dT%H:%M} is for a new account, and the one that is there {begun}."
            " Leave --now (SANDBOX_NOW) out, choose another --data-dir, or forget it with --fresh."
        )
    if kept:
        clock.put_ahead(kept.ahead)


@transaction.atomic
def _make_account(given: dict[str, Any]) -> None:
    """Creates the sample account, whose clock starts at its creation."""
    asked: datetime | None = given["now"]
    load(
        given["users"],
        given["seed"],
        asked or clock.now(),
        required_tracking_field=given["required_tracking_field"],
    )
    if asked:
        begun, _ = AccountClock.objects.get_or_create(
            defaults={"account_at": asked, "machine_at": clock.machine_now()}
        )
        clock.put_ahead(begun.ahead)


def use_database(data_dir: Path) -> None:
    """Sets the database, since the settings were read before the command line; worker processes
    read them again."""
    data_dir.mkdir(parents=True, exist_ok=True)
    os.environ["SANDBOX_DATA_DIR"] = str(data_dir)
    settings.DATABASES["default"].update(database(data_dir))


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise ArgumentTypeError("write an address as in 127.0.0.1:8001")
    return host.strip("[]"), int(port)


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError("write a whole number")
    return int(text)


def _class_limit(text: str) -> tuple[str, Rate]:
    name, _, rate = text.partition("=")
    if name not in set(Weight):
        raise ArgumentTypeError(f"write a limit as in medium=20/s, of {', '.join(Weight)}")
    return name, Rate.parse(rate)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min
    if not 2000 <= moment.year < 2100:
        raise ArgumentTypeError("write a moment from 2000 to 2099 as in 2027-02-28T23:40")
    return moment.replace(tzinfo=moment.tzinfo or UTC, microsecond=0).astimezone(UTC)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ArgumentTypeError("write a share from 0 to 1")
    return share
