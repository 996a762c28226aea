"""Labels: files of them, and the positions of values that are given as texts."""
