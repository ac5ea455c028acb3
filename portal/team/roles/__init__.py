"""Roles that administrators define: what they may do, who has them, and what a change does."""
