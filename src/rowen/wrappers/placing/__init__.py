"""Where on the page values given as texts stand."""
