"""What coming sessions should be like, which are not, and how they are remediated."""
