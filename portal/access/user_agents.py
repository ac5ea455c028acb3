"""Browser and system in words, from what a browser calls itself."""

from portal.translation import gettext as _

# Many names contain those of others that came before them, so the more particular come first.
_BROWSERS = {
    "Edg": "Edge",  # untranslated: a name
    "OPR/": "Opera",  # untranslated: a name
    "SamsungBrowser/": "Samsung Internet",  # untranslated: a name
    "Firefox/": "Firefox",  # untranslated: a name
    "FxiOS/": "Firefox",  # untranslated: a name
    "Chrome/": "Chrome",  # untranslated: a name
    "CriOS/": "Chrome",  # untranslated: a name
    "Safari/": "Safari",  # untranslated: a name
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",  # untranslated: a name
    "Windows": "Windows",  # untranslated: a name
    "CrOS": "ChromeOS",
    "Macintosh": "macOS",  # untranslated: a name
    "Linux": "Linux",  # untranslated: a name
}


def describe(user_agent: str) -> str:
    """Such as "Firefox on Windows"."""
    browser, system = (
        next((name for mark, name in known.items() if mark in user_agent), "")
        for known in (_BROWSERS, _SYSTEMS)
    )
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    if browser or system:
        return browser or _("Unknown browser on %(system)s") % {"system": system}
    return _("Unknown browser")
