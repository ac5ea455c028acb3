"""Kinds of jobs about meetings and webinars."""
