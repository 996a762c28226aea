"""Other tools that learn from examples, each behind the same two calls: learn, extract."""
