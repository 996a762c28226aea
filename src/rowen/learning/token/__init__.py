"""Learning the token class."""
