"""Views of meetings and webinars. A URL names which by its extra argument: `{"spec": MEETINGS}`."""
