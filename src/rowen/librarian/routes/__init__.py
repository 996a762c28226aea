"""The HTTP routes of the library."""
