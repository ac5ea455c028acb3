"""Live and past meetings, webinars and rooms, with their quality."""
