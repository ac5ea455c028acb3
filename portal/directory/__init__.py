"""The mirrored lists of an account's people and groups, for all domains to read."""
