"""What is done to many recordings, and reading all of them: the job types."""
