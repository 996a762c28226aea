"""The calls of the HTTP contract, one module per topic."""
