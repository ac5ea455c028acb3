"""Webhooks of an account: those at the service, the portal's own, its deliveries and their gaps."""
