"""The editor of settings: found by name, changed together, reviewed before they are saved.

What settings there are comes from the contract: a pair of models, of which one says what the
service answers, the other what can be changed.
"""

from portal.ui.settings.catalog import Setting, SettingChange, SettingGroup, SettingsCatalog, Values

__all__ = ["Setting", "SettingChange", "SettingGroup", "SettingsCatalog", "Values"]
