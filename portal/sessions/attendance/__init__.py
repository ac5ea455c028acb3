"""Attendance of sessions: who of their participants is one person."""
