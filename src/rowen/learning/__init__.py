"""Learning wrappers: labels, `auto`, the token class, recognizers, estimates, drift and repair."""
