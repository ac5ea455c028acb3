"""Connections to a service: calls over them and their limits, tokens, checks and sharing."""
