"""What took place in sessions: who was in them, with what, how well, and what they did."""
