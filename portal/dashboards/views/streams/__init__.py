"""The quality board, the participants behind its rows, and one person over all sessions."""
