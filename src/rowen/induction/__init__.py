"""Induction: complete search for the wrapper classes of the thesis (Kushmerick, 1997)."""
