"""Reference strings, taken apart."""
