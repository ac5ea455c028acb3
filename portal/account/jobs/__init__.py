"""What jobs do to sub accounts and people: one type in each module."""
