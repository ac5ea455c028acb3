"""What a presser does not send, with the reasons, and the faults that it may still find.

A reason that holds no more fails the walk: a route that is pressed, a fault that is not found.
"""

_FILE = "it answers with a file, and changes nothing"
_SELECTION = "it takes the selection of a list: pressed there, by tests/support/presser/bulk.py"
_UNREAD = "its list shows what a job reads first, and has no row on the stage"
_PROVIDER = "another site leads to it, and the tests have none"
_SIGNED_OUT = "it is for visitors, and leads users who are signed in on"
_FACTOR = "it needs a second factor, which only a device can give"
_UPLOAD = "it follows the upload of a table: pressed there, by tests/support/presser/imports.py"
_REVIEW = "it follows the form of the settings, which sends what was changed"

UNPRESSED: dict[str, str] = {
    "connections:leave": "only a colleague with a share can leave",
    "connections:elevation": "only a colleague with a share can ask for more",
    "connections:share-elevation": "a request of a colleague is decided once, and none waits",
    "team:member-sessions": "the colleague is not signed in anywhere",
    **dict.fromkeys(
        (
            *("account:baseline-export", "account:baselines-export", "webhooks:deliveries-export"),
            *("account:devices-export", "account:sub-accounts-export", "webhooks:webhooks-export"),
            *("account:tracking-fields-export", "groups:export", "groups:members-export"),
            *("im-groups:export", "im-groups:members-export", "meetings:export"),
            *("meetings:registrants-export", "people:export", "people:licences-export"),
            *("recordings:export", "webinars:export", "webinars:registrants-export"),
        ),
        _FILE,
    ),
    **dict.fromkeys(
        (
            *(
                "account:sub-accounts-compare",
                "groups:compare",
                "im-groups:compare",
                "groups:members-compare",
                "im-groups:members-compare",
            ),
            *("groups:members-move", "groups:members-remove", "groups:members-settings"),
            *("im-groups:members-move", "im-groups:members-remove", "im-groups:members-settings"),
            *("people:chosen-activate", "people:chosen-deactivate", "people:chosen-department"),
            *("people:chosen-join-group", "people:chosen-leave-group", "people:chosen-licence"),
            *("people:chosen-move-group", "people:chosen-offboard", "people:chosen-onboard"),
            *("people:chosen-remove", "people:chosen-settings", "people:chosen-time-zone"),
            "people:compare",
        ),
        _SELECTION,
    ),
    **dict.fromkeys(
        (
            *("people:licences-protect", "people:licences-reclaim", "sessions:policy-delete"),
            *("recordings:chosen-delete", "recordings:chosen-hold", "recordings:chosen-recover"),
            *("recordings:chosen-release", "recordings:chosen-sharing", "recordings:chosen-trash"),
            *("sessions:policy-password", "sessions:policy-reassign", "sessions:policy-wait"),
        ),
        _UNREAD,
    ),
    **dict.fromkeys(
        (
            *("account:devices-import-columns", "account:tracking-fields-import-columns"),
            *("meetings:import-columns", "meetings:registrants-import-columns"),
            *("people:import-columns", "webinars:import-columns"),
            "webinars:registrants-import-columns",
        ),
        _UPLOAD,
    ),
    **dict.fromkeys(
        (
            *("account:sub-account-settings-review", "account:sub-account-settings-save"),
            *("people:settings-review", "people:settings-save"),
        ),
        _REVIEW,
    ),
    **dict.fromkeys(
        (
            *("account_confirm_login_code", "account_email_verification_sent", "account_login"),
            *("account_reset_password_from_key", "account_set_password", "account_signup"),
            *("account_reauthenticate", "mfa_authenticate", "mfa_login_webauthn"),
            *("mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
        ),
        _SIGNED_OUT,
    ),
    **dict.fromkeys(
        (
            *("mfa_deactivate_totp", "mfa_download_recovery_codes", "mfa_edit_webauthn"),
            *("mfa_remove_webauthn", "mfa_add_webauthn"),
        ),
        _FACTOR,
    ),
    **dict.fromkeys(
        (
            *("openid_connect_callback", "openid_connect_login", "socialaccount_signup"),
            "socialaccount_connections",
        ),
        _PROVIDER,
    ),
    "approvals:rules": "no other administrator could approve, so that it has no button",
    "changes:undo": "pressed after each action that offers it",
    "recordings:hold": "the list of recordings, which a job reads, has none on the stage",
    "recordings:release": "the recording is not on hold",
    "people:remove": "it asks to be read again where a choice changed; its own story does that",
    "account_logout": "it ends the session, after which every page leads to the sign-in",
    "people:password": "the person of the stage signs in without a password",
}

# Actions on selected rows that begin no job.
SELECTED = {
    **{name: reason for name, reason in UNPRESSED.items() if reason is _FILE},
    "people:compare": "it leads to a page that compares, and changes nothing",
    "groups:compare": "it leads to a page that compares, and changes nothing",
    "im-groups:compare": "it leads to a page that compares, and changes nothing",
    "groups:members-compare": "it leads to a page that compares, and changes nothing",
    "im-groups:members-compare": "it leads to a page that compares, and changes nothing",
    "account:sub-accounts-compare": "it leads to a page that compares, and changes nothing",
}

# What is found and not mended yet: the route and the path, and why it stands here.
FAULTS: dict[tuple[str, str], str] = {
    ("meetings:livestream-start", "as it stands"): "its button starts the stream, as it says",
}
