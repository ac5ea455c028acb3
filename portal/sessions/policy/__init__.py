"""Policy for coming sessions: its rules, the sessions that break them, and their remediation."""
