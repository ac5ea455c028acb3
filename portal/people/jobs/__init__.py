"""Jobs on people."""
