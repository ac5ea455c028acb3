"""Signing in: passwords, second factors, single sign-on, sessions, and proofs of identity."""
