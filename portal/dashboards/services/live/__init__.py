"""What runs just now: read once for everybody who watches."""
