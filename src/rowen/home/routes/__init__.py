"""The HTTP routes of the application around the studio."""
