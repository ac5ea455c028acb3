"""Baselines: whom they are for, what differs, and how they are written down."""
