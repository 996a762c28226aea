"""Labels with unknown values (thesis, section 6.5.1): the search for a wrapper that fits."""
