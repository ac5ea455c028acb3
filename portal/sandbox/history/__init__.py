"""Past of sessions: their participants, equipment, quality and activity."""
