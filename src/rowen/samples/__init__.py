"""Real pages and rules for them, for `rowen demo` and the documentation."""
