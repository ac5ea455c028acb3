"""Measurements; `make bench-sandbox` takes them."""
