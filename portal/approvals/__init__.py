"""Approvals by a second administrator: of single calls, of jobs, and of the rules themselves."""
