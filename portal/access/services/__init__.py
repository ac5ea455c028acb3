"""What the portal does with its own accounts and connections; every change is recorded."""

from portal.access.services.demo import ensure_demo

__all__ = ["ensure_demo"]
