"""One session on the dashboard, live or past: who is in it, what they share, how well it goes."""
