"""The job that reads a report."""
