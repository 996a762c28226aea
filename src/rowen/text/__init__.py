"""Documents: bytes in, a page or its structure out."""
