"""Papers as pages of a snapshot: each PDF as one text, its sheet, and the records read from it."""
