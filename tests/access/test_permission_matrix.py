"""Promise 20: who gets in where. A route without a row fails, so the default is a decision.

A row says who may GET and who may POST; everybody else is sent to sign in, or answered with 403.
"""

from http import HTTPStatus
from http.cookies import SimpleCookie

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from portal.access.roles import Role
from tests.access.routes import NAMED, UNNAMED, undone
from tests.plugins.portal import Connect, admin_client_for, member
from tests.plugins.sandbox import Sandbox

ANONYMOUS = "anonymous"
WHO = (ANONYMOUS, *Role.values)

NOBODY: tuple[str, ...] = ()  # answered with 405
EVERYBODY = WHO
SIGNED_IN = tuple(Role.values)
OPERATORS = ("operator", "administrator")
ADMINISTRATORS = ("administrator",)
CHAT_READERS = ("compliance", "administrator")

MATRIX = {
    # route: (who may GET, who may POST)
    "home": (SIGNED_IN, NOBODY),
    "ui:theme": (NOBODY, EVERYBODY),
    "ui:locale": (SIGNED_IN, SIGNED_IN),
    "ui:density": (NOBODY, EVERYBODY),
    "lists:columns": (NOBODY, SIGNED_IN),
    "lists:view-save": (NOBODY, SIGNED_IN),
    "lists:view-rename": (NOBODY, SIGNED_IN),
    "lists:view-delete": (NOBODY, SIGNED_IN),
    # access
    "access:sign-ins": (SIGNED_IN, NOBODY),
    "access:member-sign-ins": (ADMINISTRATORS, NOBODY),
    "access:sessions": (SIGNED_IN, NOBODY),
    "access:sessions-end-others": (NOBODY, SIGNED_IN),
    "access:session-end": (NOBODY, SIGNED_IN),
    "access:connections": (SIGNED_IN, NOBODY),
    "access:connection-new": (SIGNED_IN, SIGNED_IN),
    "access:connection": (SIGNED_IN, SIGNED_IN),
    "access:connection-test": (NOBODY, SIGNED_IN),
    "access:connection-remove": (SIGNED_IN, SIGNED_IN),
    "access:connection-leave": (SIGNED_IN, SIGNED_IN),
    "access:connection-hand-over": (SIGNED_IN, SIGNED_IN),
    "access:share-new": (SIGNED_IN, SIGNED_IN),
    "access:share": (SIGNED_IN, SIGNED_IN),
    "access:share-limits": (SIGNED_IN, SIGNED_IN),
    "access:share-remove": (SIGNED_IN, SIGNED_IN),
    "access:team": (ADMINISTRATORS, NOBODY),
    "access:invite": (ADMINISTRATORS, ADMINISTRATORS),
    "access:second-factor": (ADMINISTRATORS, ADMINISTRATORS),
    "access:member": (ADMINISTRATORS, NOBODY),
    "access:member-role": (NOBODY, ADMINISTRATORS),
    "access:member-deactivate": (ADMINISTRATORS, ADMINISTRATORS),
    "access:member-activate": (NOBODY, ADMINISTRATORS),
    "access:member-sessions": (ADMINISTRATORS, ADMINISTRATORS),
    "access:member-session-end": (NOBODY, ADMINISTRATORS),
    "access:member-factors": (ADMINISTRATORS, ADMINISTRATORS),
    "access:member-link": (NOBODY, ADMINISTRATORS),
    "access:audit": (SIGNED_IN, NOBODY),
    "access:audit-entry": (SIGNED_IN, NOBODY),
    "access:audit-export": (SIGNED_IN, NOBODY),
    # mirror
    "hook": (NOBODY, EVERYBODY),  # the service signs in with a password of its own
    "mirror:search": (SIGNED_IN, NOBODY),
    "mirror:following": (ADMINISTRATORS, NOBODY),
    "mirror:follow": (NOBODY, ADMINISTRATORS),
    "mirror:unfollow": (NOBODY, ADMINISTRATORS),
    # approvals; who may approve is an administrator of the connection
    "approvals:list": (SIGNED_IN, NOBODY),
    "approvals:rules": (ADMINISTRATORS, ADMINISTRATORS),
    "approvals:request": (SIGNED_IN, NOBODY),
    "approvals:ask": (NOBODY, SIGNED_IN),
    "approvals:approve": (NOBODY, ADMINISTRATORS),
    "approvals:decline": (NOBODY, ADMINISTRATORS),
    "approvals:withdraw": (NOBODY, SIGNED_IN),
    # dashboards
    "dashboards:past": (SIGNED_IN, NOBODY),
    "dashboards:past-more": (NOBODY, SIGNED_IN),
    "dashboards:past-refresh": (NOBODY, SIGNED_IN),
    "dashboards:past-export": (SIGNED_IN, NOBODY),
    "dashboards:quality": (SIGNED_IN, NOBODY),
    "dashboards:quality-read": (NOBODY, SIGNED_IN),
    "dashboards:quality-reading": (SIGNED_IN, NOBODY),
    "dashboards:quality-export": (SIGNED_IN, NOBODY),
    "dashboards:quality-participants": (SIGNED_IN, NOBODY),
    "dashboards:quality-participants-export": (SIGNED_IN, NOBODY),
    "dashboards:quality-person": (SIGNED_IN, NOBODY),
    "dashboards:messages": (SIGNED_IN, NOBODY),
    "dashboards:messages-more": (NOBODY, SIGNED_IN),
    "dashboards:messages-refresh": (NOBODY, SIGNED_IN),
    "dashboards:messages-export": (SIGNED_IN, NOBODY),
    "dashboards:ports": (SIGNED_IN, NOBODY),
    "dashboards:ports-export": (SIGNED_IN, NOBODY),
    "dashboards:rooms": (SIGNED_IN, NOBODY),
    "dashboards:rooms-export": (SIGNED_IN, NOBODY),
    "dashboards:room": (SIGNED_IN, NOBODY),
    "dashboards:room-export": (SIGNED_IN, NOBODY),
    "dashboards:room-more": (NOBODY, SIGNED_IN),
    "dashboards:room-refresh": (NOBODY, SIGNED_IN),
    # people
    "people:list": (SIGNED_IN, NOBODY),
    "people:refresh": (NOBODY, SIGNED_IN),
    "people:freshness": (SIGNED_IN, NOBODY),
    **{
        f"people:chosen-{action}": (OPERATORS, OPERATORS)
        for action in (
            "licence",
            "department",
            "time-zone",
            "join-group",
            "leave-group",
            "settings",
            "activate",
            "deactivate",
        )
    },
    "people:chosen-remove": (ADMINISTRATORS, ADMINISTRATORS),
    "people:chosen-offboard": (ADMINISTRATORS, ADMINISTRATORS),
    "people:chosen-onboard": (OPERATORS, OPERATORS),
    "people:onboarding": (SIGNED_IN, NOBODY),
    "people:onboarding-new": (OPERATORS, OPERATORS),
    "people:onboarding-edit": (OPERATORS, OPERATORS),
    "people:onboarding-delete": (OPERATORS, OPERATORS),
    "people:offboard": (ADMINISTRATORS, ADMINISTRATORS),
    "people:offboarding": (SIGNED_IN, NOBODY),
    "people:offboarding-person": (SIGNED_IN, NOBODY),
    "people:export": (SIGNED_IN, SIGNED_IN),
    "people:compare": (SIGNED_IN, SIGNED_IN),
    "people:licences": (SIGNED_IN, NOBODY),
    "people:licences-refresh": (NOBODY, SIGNED_IN),
    "people:licences-freshness": (SIGNED_IN, NOBODY),
    "people:licences-read": (NOBODY, SIGNED_IN),
    "people:licences-facts": (SIGNED_IN, NOBODY),
    "people:licences-export": (SIGNED_IN, SIGNED_IN),
    "people:licences-reclaim": (OPERATORS, OPERATORS),
    "people:licences-protect": (OPERATORS, OPERATORS),
    "people:licences-prices": (OPERATORS, OPERATORS),
    "people:licences-protected": (SIGNED_IN, NOBODY),
    "people:licences-protected-add": (OPERATORS, OPERATORS),
    "people:licences-protected-end": (OPERATORS, OPERATORS),
    "people:create": (OPERATORS, OPERATORS),
    "people:create-look": (NOBODY, OPERATORS),
    "people:create-email-check": (SIGNED_IN, NOBODY),
    "people:import": (OPERATORS, OPERATORS),
    "people:import-template": (OPERATORS, NOBODY),
    "people:import-seats": (OPERATORS, OPERATORS),
    "people:import-columns": (OPERATORS, OPERATORS),
    "people:import-read": (NOBODY, OPERATORS),
    "people:person": (SIGNED_IN, NOBODY),
    "people:profile-edit": (OPERATORS, OPERATORS),
    "people:licence": (OPERATORS, OPERATORS),
    "people:link-name-check": (SIGNED_IN, NOBODY),
    "people:email": (OPERATORS, OPERATORS),
    "people:email-check": (SIGNED_IN, NOBODY),
    "people:password": (OPERATORS, OPERATORS),
    "people:host-key": (OPERATORS, OPERATORS),
    "people:host-key-shown": (OPERATORS, NOBODY),
    "people:picture": (OPERATORS, OPERATORS),
    "people:picture-image": (SIGNED_IN, NOBODY),
    "people:status": (OPERATORS, OPERATORS),
    "people:revoke-token": (OPERATORS, OPERATORS),
    "people:token": (OPERATORS, OPERATORS),
    "people:zpk": (SIGNED_IN, SIGNED_IN),
    "people:settings": (SIGNED_IN, OPERATORS),
    "people:settings-review": (OPERATORS, OPERATORS),
    "people:settings-save": (OPERATORS, OPERATORS),
    "people:remove": (ADMINISTRATORS, ADMINISTRATORS),
    "people:remove-outcome": (NOBODY, ADMINISTRATORS),
    "people:remove-colleagues": (ADMINISTRATORS, NOBODY),
    "people:tab": (SIGNED_IN, NOBODY),
    "people:groups": (SIGNED_IN, NOBODY),
    "people:groups-join": (OPERATORS, OPERATORS),
    "people:groups-leave": (OPERATORS, OPERATORS),
    "people:im-groups-join": (OPERATORS, OPERATORS),
    "people:im-groups-leave": (OPERATORS, OPERATORS),
    "people:permissions": (SIGNED_IN, NOBODY),
    "people:history": (SIGNED_IN, NOBODY),
    "people:delegates": (SIGNED_IN, NOBODY),
    "people:assistants-add": (OPERATORS, OPERATORS),
    "people:assistants-remove-all": (ADMINISTRATORS, ADMINISTRATORS),
    "people:assistant-remove": (OPERATORS, OPERATORS),
    "people:schedulers-remove-all": (ADMINISTRATORS, ADMINISTRATORS),
    "people:scheduler-remove": (OPERATORS, OPERATORS),
    "people:telephony": (SIGNED_IN, NOBODY),
    "people:telephony-shown": (OPERATORS, NOBODY),
    "people:tsp-new": (OPERATORS, OPERATORS),
    "people:tsp": (OPERATORS, OPERATORS),
    "people:tsp-delete": (ADMINISTRATORS, ADMINISTRATORS),
    # account
    **{
        f"account:{name}{part}": row
        for name, writers, deleters in (
            ("devices", OPERATORS, ADMINISTRATORS),
            ("tracking-fields", ADMINISTRATORS, ADMINISTRATORS),
        )
        for part, row in (
            ("", (SIGNED_IN, NOBODY)),
            ("-export", (SIGNED_IN, SIGNED_IN)),
            ("-new", (writers, writers)),
            ("-change", (writers, writers)),
            ("-delete", (deleters, deleters)),
            ("-import", (writers, writers)),
            ("-import-template", (writers, NOBODY)),
            ("-import-columns", (writers, writers)),
            ("-import-read", (NOBODY, writers)),
        )
    },
    "account:sub-accounts": (ADMINISTRATORS, NOBODY),
    "account:sub-accounts-export": (ADMINISTRATORS, ADMINISTRATORS),
    "account:sub-accounts-new": (ADMINISTRATORS, ADMINISTRATORS),
    "account:sub-account": (ADMINISTRATORS, NOBODY),
    "account:sub-account-history": (ADMINISTRATORS, NOBODY),
    **{
        f"account:sub-account-{part}": (ADMINISTRATORS, ADMINISTRATORS)
        for part in (
            "settings",
            "settings-review",
            "settings-save",
            "options",
            "contact",
            "subscribe",
            "base-plan",
            "plan-add",
            "plan-change",
            "disassociate",
        )
    },
    "account:sub-accounts-compare": (ADMINISTRATORS, ADMINISTRATORS),
    "account:compare": (SIGNED_IN, NOBODY),
    "account:compare-people": (SIGNED_IN, NOBODY),
    "account:compare-people-export": (SIGNED_IN, NOBODY),
    "account:compare-people-add": (SIGNED_IN, SIGNED_IN),
    "account:compare-people-copy": (OPERATORS, OPERATORS),
    "account:compare-sub-accounts": (ADMINISTRATORS, NOBODY),
    "account:compare-sub-accounts-export": (ADMINISTRATORS, NOBODY),
    "account:compare-sub-accounts-add": (ADMINISTRATORS, ADMINISTRATORS),
    "account:compare-sub-accounts-copy": (ADMINISTRATORS, ADMINISTRATORS),
    "account:webhooks": (ADMINISTRATORS, NOBODY),
    "account:webhooks-export": (ADMINISTRATORS, ADMINISTRATORS),
    "account:webhooks-new": (ADMINISTRATORS, ADMINISTRATORS),
    "account:webhooks-change": (ADMINISTRATORS, ADMINISTRATORS),
    "account:webhooks-delete": (ADMINISTRATORS, ADMINISTRATORS),
    "account:deliveries": (ADMINISTRATORS, NOBODY),
    "account:deliveries-export": (ADMINISTRATORS, ADMINISTRATORS),
    "account:deliveries-check": (NOBODY, ADMINISTRATORS),
    "account:deliveries-play": (NOBODY, ADMINISTRATORS),
    "account:deliveries-play-all": (ADMINISTRATORS, ADMINISTRATORS),
    "account:webhooks-version": (ADMINISTRATORS, ADMINISTRATORS),
    "account:baselines": (SIGNED_IN, NOBODY),
    "account:baselines-export": (SIGNED_IN, SIGNED_IN),
    "account:baselines-new": (OPERATORS, OPERATORS),
    "account:baselines-import": (OPERATORS, OPERATORS),
    "account:baseline": (SIGNED_IN, NOBODY),
    "account:baseline-export": (SIGNED_IN, SIGNED_IN),
    "account:baseline-check": (NOBODY, SIGNED_IN),
    "account:baseline-bring-back": (NOBODY, OPERATORS),
    "account:baseline-yaml": (SIGNED_IN, NOBODY),
    **{
        f"account:baseline-{part}": (OPERATORS, OPERATORS)
        for part in ("edit", "rule-on", "rule-off", "on", "off", "delete")
    },
    "account:telephony": (SIGNED_IN, NOBODY),
    "account:telephony-change": (ADMINISTRATORS, ADMINISTRATORS),
    # chat archive
    "chat:reason": (CHAT_READERS, CHAT_READERS),
    "chat:close": (NOBODY, CHAT_READERS),
    "chat:list": (CHAT_READERS, NOBODY),
    "chat:list-more": (NOBODY, CHAT_READERS),
    "chat:list-refresh": (NOBODY, CHAT_READERS),
    "chat:list-export": (CHAT_READERS, NOBODY),
    "chat:messages": (CHAT_READERS, NOBODY),
    "chat:messages-more": (NOBODY, CHAT_READERS),
    "chat:messages-refresh": (NOBODY, CHAT_READERS),
    "chat:messages-export": (CHAT_READERS, NOBODY),
    "chat:session": (CHAT_READERS, NOBODY),
    "chat:session-more": (NOBODY, CHAT_READERS),
    "chat:session-refresh": (NOBODY, CHAT_READERS),
    "chat:session-export": (CHAT_READERS, NOBODY),
    # reports
    "reports:index": (SIGNED_IN, NOBODY),
    "reports:people": (SIGNED_IN, NOBODY),
    "reports:saved": (SIGNED_IN, NOBODY),
    "reports:saved-new": (SIGNED_IN, SIGNED_IN),
    "reports:saved-delete": (SIGNED_IN, SIGNED_IN),
    "reports:saved-send": (SIGNED_IN, SIGNED_IN),
    "reports:run-file": (SIGNED_IN, NOBODY),
    **{
        f"reports:{slug}{part}": answers
        for slug in ("daily", "hosts", "inactive", "person", "telephone", "storage")
        for part, answers in (
            ("", (SIGNED_IN, NOBODY)),
            ("-refresh", (NOBODY, SIGNED_IN)),
            ("-export", (SIGNED_IN, NOBODY)),
        )
    },
    **{
        f"reports:{family}{tab}{part}": (SIGNED_IN, NOBODY)
        for family in ("meeting", "webinar")
        for tab in ("", "-participants", "-polls", "-questions")
        for part in ("", "-export")
        if (family, tab) != ("meeting", "-questions")
    },
    # dashboards: one session
    **{
        f"dashboards:{noun}{part}": (SIGNED_IN, NOBODY)
        for noun in ("meeting", "webinar")
        for part in ("", "-sharing", "-quality", "-person", "-export")
    },
    "dashboards:thresholds": (ADMINISTRATORS, ADMINISTRATORS),
    # groups
    "groups:list": (SIGNED_IN, NOBODY),
    "groups:refresh": (NOBODY, SIGNED_IN),
    "groups:freshness": (SIGNED_IN, NOBODY),
    "groups:export": (SIGNED_IN, SIGNED_IN),
    "groups:create": (OPERATORS, OPERATORS),
    "groups:group": (SIGNED_IN, NOBODY),
    "groups:history": (SIGNED_IN, NOBODY),
    "groups:change": (OPERATORS, OPERATORS),
    "groups:delete": (ADMINISTRATORS, ADMINISTRATORS),
    "groups:members-add": (OPERATORS, OPERATORS),
    "groups:members-export": (SIGNED_IN, SIGNED_IN),
    "groups:members-compare": (SIGNED_IN, SIGNED_IN),
    "groups:members-remove": (OPERATORS, OPERATORS),
    "groups:members-settings": (OPERATORS, OPERATORS),
    "im-groups:list": (SIGNED_IN, NOBODY),
    "im-groups:refresh": (NOBODY, SIGNED_IN),
    "im-groups:freshness": (SIGNED_IN, NOBODY),
    "im-groups:export": (SIGNED_IN, SIGNED_IN),
    "im-groups:create": (OPERATORS, OPERATORS),
    "im-groups:group": (SIGNED_IN, NOBODY),
    "im-groups:history": (SIGNED_IN, NOBODY),
    "im-groups:change": (OPERATORS, OPERATORS),
    "im-groups:delete": (ADMINISTRATORS, ADMINISTRATORS),
    "im-groups:members-add": (OPERATORS, OPERATORS),
    "im-groups:members-export": (SIGNED_IN, SIGNED_IN),
    "im-groups:members-compare": (SIGNED_IN, SIGNED_IN),
    "im-groups:members-remove": (OPERATORS, OPERATORS),
    "im-groups:members-settings": (OPERATORS, OPERATORS),
    # recordings
    "recordings:list": (SIGNED_IN, NOBODY),
    "recordings:refresh": (NOBODY, SIGNED_IN),
    "recordings:freshness": (SIGNED_IN, NOBODY),
    "recordings:export": (SIGNED_IN, SIGNED_IN),
    "recordings:recording": (SIGNED_IN, NOBODY),
    "recordings:recordings-settings": (OPERATORS, OPERATORS),
    "recordings:recordings-password": (OPERATORS, NOBODY),
    "recordings:recordings-recover": (NOBODY, OPERATORS),
    "recordings:recordings-remove": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:recording-recover": (NOBODY, OPERATORS),
    "recordings:recording-remove": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:file": (SIGNED_IN, NOBODY),
    "recordings:storage": (SIGNED_IN, NOBODY),
    "recordings:storage-refresh": (NOBODY, SIGNED_IN),
    "recordings:storage-freshness": (SIGNED_IN, NOBODY),
    "recordings:retention": (SIGNED_IN, NOBODY),
    "recordings:retention-new": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:retention-rule": (SIGNED_IN, NOBODY),
    "recordings:retention-on": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:retention-off": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:retention-remove": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:chosen-trash": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:chosen-recover": (OPERATORS, OPERATORS),
    "recordings:chosen-delete": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:chosen-sharing": (OPERATORS, OPERATORS),
    "recordings:chosen-hold": (OPERATORS, OPERATORS),
    "recordings:chosen-release": (ADMINISTRATORS, ADMINISTRATORS),
    "recordings:hold": (OPERATORS, OPERATORS),
    "recordings:release": (ADMINISTRATORS, ADMINISTRATORS),
    # meetings
    "sessions:calendar": (SIGNED_IN, NOBODY),
    "sessions:calendar-refresh": (NOBODY, SIGNED_IN),
    "sessions:calendar-freshness": (SIGNED_IN, NOBODY),
    "sessions:policy": (SIGNED_IN, NOBODY),
    "sessions:policy-refresh": (NOBODY, SIGNED_IN),
    "sessions:policy-freshness": (SIGNED_IN, NOBODY),
    "sessions:policy-stated": (OPERATORS, OPERATORS),
    **{
        f"sessions:policy-{remediation}": (OPERATORS, OPERATORS)
        for remediation in ("password", "wait", "register", "reassign")
    },
    "sessions:policy-delete": (ADMINISTRATORS, ADMINISTRATORS),
    "meetings:list": (SIGNED_IN, NOBODY),
    "meetings:refresh": (NOBODY, SIGNED_IN),
    "meetings:freshness": (SIGNED_IN, NOBODY),
    "meetings:export": (SIGNED_IN, SIGNED_IN),
    "meetings:import": (OPERATORS, OPERATORS),
    "meetings:import-template": (OPERATORS, NOBODY),
    "meetings:import-columns": (OPERATORS, OPERATORS),
    "meetings:import-read": (NOBODY, OPERATORS),
    "meetings:create": (OPERATORS, OPERATORS),
    "meetings:create-preview": (NOBODY, OPERATORS),
    "meetings:create-look": (NOBODY, OPERATORS),
    "meetings:people": (OPERATORS, NOBODY),
    "meetings:session": (SIGNED_IN, NOBODY),
    "meetings:held": (SIGNED_IN, NOBODY),
    "meetings:held-one": (SIGNED_IN, NOBODY),
    "meetings:held-export": (SIGNED_IN, NOBODY),
    "meetings:recordings": (SIGNED_IN, NOBODY),
    "meetings:recordings-settings": (OPERATORS, OPERATORS),
    "meetings:recordings-password": (OPERATORS, NOBODY),
    "meetings:recordings-recover": (NOBODY, OPERATORS),
    "meetings:recordings-remove": (ADMINISTRATORS, ADMINISTRATORS),
    "meetings:recording-recover": (NOBODY, OPERATORS),
    "meetings:recording-remove": (ADMINISTRATORS, ADMINISTRATORS),
    "meetings:edit": (OPERATORS, OPERATORS),
    "meetings:edit-preview": (NOBODY, OPERATORS),
    "meetings:delete": (ADMINISTRATORS, ADMINISTRATORS),
    "meetings:delete-occurrence": (ADMINISTRATORS, ADMINISTRATORS),
    "meetings:end": (ADMINISTRATORS, ADMINISTRATORS),
    "meetings:shown": (OPERATORS, NOBODY),
    "meetings:history": (SIGNED_IN, NOBODY),
    "meetings:calendar": (SIGNED_IN, NOBODY),
    "meetings:template-new": (OPERATORS, OPERATORS),
    "meetings:templates": (OPERATORS, NOBODY),
    "meetings:template-rename": (OPERATORS, OPERATORS),
    "meetings:template-delete": (OPERATORS, OPERATORS),
    "meetings:invitation": (OPERATORS, NOBODY),  # it holds the password
    "meetings:registrants": (SIGNED_IN, NOBODY),
    "meetings:registrant": (SIGNED_IN, NOBODY),
    "meetings:registrant-add": (OPERATORS, OPERATORS),
    "meetings:registrants-import": (OPERATORS, OPERATORS),
    "meetings:registrants-export": (SIGNED_IN, SIGNED_IN),
    "meetings:registrants-decide": (NOBODY, OPERATORS),
    "meetings:polls": (SIGNED_IN, NOBODY),
    "meetings:poll-new": (OPERATORS, OPERATORS),
    "meetings:poll": (OPERATORS, OPERATORS),
    "meetings:poll-delete": (ADMINISTRATORS, ADMINISTRATORS),
    "meetings:livestream": (SIGNED_IN, NOBODY),
    "meetings:livestream-place": (OPERATORS, OPERATORS),
    "meetings:livestream-start": (OPERATORS, OPERATORS),
    "meetings:livestream-stop": (OPERATORS, OPERATORS),
    # webinars
    "webinars:list": (SIGNED_IN, NOBODY),
    "webinars:refresh": (NOBODY, SIGNED_IN),
    "webinars:freshness": (SIGNED_IN, NOBODY),
    "webinars:export": (SIGNED_IN, SIGNED_IN),
    "webinars:import": (OPERATORS, OPERATORS),
    "webinars:import-template": (OPERATORS, NOBODY),
    "webinars:import-columns": (OPERATORS, OPERATORS),
    "webinars:import-read": (NOBODY, OPERATORS),
    "webinars:create": (OPERATORS, OPERATORS),
    "webinars:create-preview": (NOBODY, OPERATORS),
    "webinars:create-look": (NOBODY, OPERATORS),
    "webinars:people": (OPERATORS, NOBODY),
    "webinars:session": (SIGNED_IN, NOBODY),
    "webinars:held": (SIGNED_IN, NOBODY),
    "webinars:held-one": (SIGNED_IN, NOBODY),
    "webinars:held-export": (SIGNED_IN, NOBODY),
    "webinars:recordings": (SIGNED_IN, NOBODY),
    "webinars:recordings-settings": (OPERATORS, OPERATORS),
    "webinars:recordings-password": (OPERATORS, NOBODY),
    "webinars:recordings-recover": (NOBODY, OPERATORS),
    "webinars:recordings-remove": (ADMINISTRATORS, ADMINISTRATORS),
    "webinars:recording-recover": (NOBODY, OPERATORS),
    "webinars:recording-remove": (ADMINISTRATORS, ADMINISTRATORS),
    "webinars:edit": (OPERATORS, OPERATORS),
    "webinars:edit-preview": (NOBODY, OPERATORS),
    "webinars:delete": (ADMINISTRATORS, ADMINISTRATORS),
    "webinars:delete-occurrence": (ADMINISTRATORS, ADMINISTRATORS),
    "webinars:end": (ADMINISTRATORS, ADMINISTRATORS),
    "webinars:shown": (OPERATORS, NOBODY),
    "webinars:history": (SIGNED_IN, NOBODY),
    "webinars:calendar": (SIGNED_IN, NOBODY),
    "webinars:template-new": (OPERATORS, OPERATORS),
    "webinars:templates": (OPERATORS, NOBODY),
    "webinars:template-rename": (OPERATORS, OPERATORS),
    "webinars:template-delete": (OPERATORS, OPERATORS),
    "webinars:registrants": (SIGNED_IN, NOBODY),
    "webinars:registrant": (SIGNED_IN, NOBODY),
    "webinars:registrant-add": (OPERATORS, OPERATORS),
    "webinars:registrants-import": (OPERATORS, OPERATORS),
    "webinars:registrants-export": (SIGNED_IN, SIGNED_IN),
    "webinars:registrants-decide": (NOBODY, OPERATORS),
    "webinars:polls": (SIGNED_IN, NOBODY),
    "webinars:poll-new": (OPERATORS, OPERATORS),
    "webinars:poll": (OPERATORS, OPERATORS),
    "webinars:poll-delete": (ADMINISTRATORS, ADMINISTRATORS),
    "webinars:panelists": (SIGNED_IN, NOBODY),
    "webinars:panelists-add": (OPERATORS, OPERATORS),
    "webinars:panelists-remove-all": (ADMINISTRATORS, ADMINISTRATORS),
    "webinars:panelist-remove": (OPERATORS, OPERATORS),
    # dashboards
    "dashboards:now": (SIGNED_IN, NOBODY),
    "dashboards:now-curve": (SIGNED_IN, NOBODY),
    "dashboards:alerts": (SIGNED_IN, NOBODY),
    "dashboards:alert-rule-new": (SIGNED_IN, SIGNED_IN),
    "dashboards:alert-rule-delete": (SIGNED_IN, SIGNED_IN),
    # jobs
    "jobs:list": (SIGNED_IN, NOBODY),
    "jobs:running": (SIGNED_IN, NOBODY),
    "jobs:job": (SIGNED_IN, NOBODY),
    "jobs:rows": (SIGNED_IN, NOBODY),
    "jobs:judge": (NOBODY, OPERATORS),
    "jobs:approve": (NOBODY, OPERATORS),
    "jobs:plan-again": (NOBODY, OPERATORS),
    "jobs:leave-out": (NOBODY, OPERATORS),
    "jobs:put-back": (NOBODY, OPERATORS),
    "jobs:take-out": (NOBODY, OPERATORS),
    "jobs:pause": (NOBODY, SIGNED_IN),
    "jobs:resume": (NOBODY, OPERATORS),
    "jobs:retry": (NOBODY, OPERATORS),
    "jobs:take-back": (NOBODY, OPERATORS),
    "jobs:dismiss": (NOBODY, SIGNED_IN),
    "jobs:dismiss-all": (NOBODY, SIGNED_IN),
    "jobs:show-again": (SIGNED_IN, SIGNED_IN),
    "jobs:show-all-again": (SIGNED_IN, SIGNED_IN),
    "changes:compare": (SIGNED_IN, NOBODY),
    "changes:undo": (OPERATORS, OPERATORS),
    "jobs:cancel": (SIGNED_IN, SIGNED_IN),
    # one's own account
    "account_login": (EVERYBODY, EVERYBODY),
    "account_logout": (EVERYBODY, EVERYBODY),
    "account_inactive": (EVERYBODY, NOBODY),
    "account_signup": (EVERYBODY, EVERYBODY),
    "account_reauthenticate": (SIGNED_IN, SIGNED_IN),
    "account_email": (SIGNED_IN, SIGNED_IN),
    "account_email_verification_sent": (EVERYBODY, EVERYBODY),
    "account_change_password": (SIGNED_IN, SIGNED_IN),
    "account_set_password": (SIGNED_IN, SIGNED_IN),
    "account_reset_password": (EVERYBODY, EVERYBODY),
    "account_reset_password_done": (EVERYBODY, NOBODY),
    "account_reset_password_from_key": (EVERYBODY, EVERYBODY),
    "account_reset_password_from_key_done": (EVERYBODY, NOBODY),
    "account_confirm_login_code": (EVERYBODY, EVERYBODY),
    "mfa_index": (SIGNED_IN, NOBODY),
    "mfa_authenticate": (EVERYBODY, EVERYBODY),
    "mfa_reauthenticate": (SIGNED_IN, SIGNED_IN),
    "mfa_activate_totp": (SIGNED_IN, SIGNED_IN),
    "mfa_deactivate_totp": (SIGNED_IN, SIGNED_IN),
    "mfa_view_recovery_codes": (SIGNED_IN, NOBODY),
    "mfa_generate_recovery_codes": (SIGNED_IN, SIGNED_IN),
    "mfa_download_recovery_codes": (SIGNED_IN, SIGNED_IN),
    "mfa_list_webauthn": (SIGNED_IN, NOBODY),
    "mfa_add_webauthn": (SIGNED_IN, SIGNED_IN),
    "mfa_edit_webauthn": (SIGNED_IN, SIGNED_IN),
    "mfa_remove_webauthn": (SIGNED_IN, SIGNED_IN),
    "mfa_reauthenticate_webauthn": (SIGNED_IN, SIGNED_IN),
    "mfa_login_webauthn": (EVERYBODY, EVERYBODY),
    "socialaccount_login_cancelled": (EVERYBODY, NOBODY),
    "socialaccount_login_error": (SIGNED_IN, NOBODY),
    "socialaccount_signup": (EVERYBODY, EVERYBODY),
    "socialaccount_connections": (SIGNED_IN, SIGNED_IN),
    "openid_connect_login": (EVERYBODY, EVERYBODY),
    "openid_connect_callback": (EVERYBODY, EVERYBODY),
}


def test_every_route_has_a_row_and_every_row_a_route():
    assert {route.name for route in NAMED} == set(MATRIX)


def test_what_has_no_name_is_a_redirect_within_single_sign_on():
    assert all("social/" in route.name for route in UNNAMED)


@pytest.mark.django_db
@pytest.mark.parametrize("who", WHO)
def test_every_route_lets_in_whom_its_row_names(who: str, connect: Connect, sandbox: Sandbox):
    user = member("someone@example.com", Role.VIEWER if who == ANONYMOUS else Role(who))
    connection = connect(user)
    client = Client() if who == ANONYMOUS else admin_client_for(user)
    cookies = {name: cookie.value for name, cookie in client.cookies.items()}
    headers = headers_of(who)
    wrong = []
    for route in NAMED:
        for method, allowed in zip(("get", "post"), MATRIX[route.name], strict=True):
            with undone():
                client.cookies = SimpleCookie(cookies)
                url = route.url_of(user, connection, sandbox)
                answer = getattr(client, method)(url, headers=headers)
                had, ought = outcome(answer), expected(who, allowed, answer)
            if had != ought:
                wrong.append(f"{method} {url}: {had}, not {ought}")
    assert wrong == []


def headers_of(who: str) -> dict[str, str]:
    """Those of a request for the content alone, for all but the roles at either end: what is around
    it is the same on all pages, and half of what they cost."""
    whole = who in (ANONYMOUS, Role.ADMINISTRATOR)
    return {} if whole else {"HX-Request": "true", "HX-Target": "content"}


def expected(who: str, allowed: tuple[str, ...], answer: HttpResponseBase) -> str:
    if who in allowed:
        return "in"
    if not allowed and answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return "not offered"
    return "sign in" if who == ANONYMOUS else "refused"


def outcome(answer: HttpResponseBase) -> str:
    match answer.status_code:
        case HTTPStatus.FORBIDDEN:
            return "refused"
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return "not offered"
        case status if status < 500:
            sign_in = answer.get("Location", "").startswith(f"{reverse('account_login')}?next=")
            return "sign in" if sign_in else "in"
        case status:
            return f"HTTP {status}"
