"""Job types for many recordings, and for reading all of them."""
