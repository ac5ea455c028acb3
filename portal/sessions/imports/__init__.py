"""Registrants from tables: what their columns mean, and what their rows ask for."""
