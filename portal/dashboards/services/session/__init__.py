"""One session on the dashboard, live or past: its people, their shares and its quality."""
