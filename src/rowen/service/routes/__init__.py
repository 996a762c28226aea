"""The calls of the HTTP contract, by what they are about."""
