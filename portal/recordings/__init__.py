"""Recordings: files, the trash, recovery, removal and sharing."""
