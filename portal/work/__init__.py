"""Rows that workers work on, one worker at a time: leases, wake-up messages and sweeps."""
