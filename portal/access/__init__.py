"""Rights: people, connections and their shares, roles, scopes, and the tokens of services."""
