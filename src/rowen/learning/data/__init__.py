"""Learning wrappers of the data class."""
