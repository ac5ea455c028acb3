"""The tests at other moments than now: `python -m tests.clock`."""
