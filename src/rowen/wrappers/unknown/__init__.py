"""Labels with unknown values (6.5.1): the search for a wrapper that passes them."""
