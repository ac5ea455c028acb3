"""Streams of past sessions: read for the days asked for, stored, judged and grouped."""
