"""Region wrappers: records are regions of the same shape, fields are places inside them."""
