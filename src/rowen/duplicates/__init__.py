"""Near-duplicates: find documents that are the same as earlier ones, or nearly the same."""
