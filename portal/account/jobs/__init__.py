"""Job types for sub accounts and people, one in each module."""
