"""Django's PostgreSQL, to which no connection is made while it does not answer."""
