"""How well streams of past sessions went: read for the days asked for, kept, judged and grouped."""
