"""Jobs on people: one type in each module."""
