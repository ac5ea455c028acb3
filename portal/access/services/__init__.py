"""Changes of the portal's own accounts and connections, each recorded."""

from portal.access.services.demo import ensure_demo

__all__ = ["ensure_demo"]
