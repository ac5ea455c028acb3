"""What jobs do to people: one type in each module."""
