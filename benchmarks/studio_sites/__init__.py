"""A new user on shared sites: one or two records are marked in the studio, and what it proposes
then is compared with the labels of up to five pages.
"""
