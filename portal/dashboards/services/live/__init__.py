"""Live sessions: read once for everyone who watches."""
