"""Reading, keeping and reckoning with reports."""
