"""Views of sessions. A URL names their kind by its extra argument: `{"spec": MEETINGS}`."""
