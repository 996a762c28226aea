"""The structure of pages: groups of regions of the same shape, and what marks choose among them."""
