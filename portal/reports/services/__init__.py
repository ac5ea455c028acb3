"""Reading, storing and summing up reports."""
