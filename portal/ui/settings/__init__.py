"""The editor of settings: searched by name, changed together, reviewed before they are saved.

The settings come from the contract: a pair of models, one of what the service answers, the other
of what can be changed.
"""
