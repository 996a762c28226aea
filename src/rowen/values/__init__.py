"""A field's content as data: clean texts, and texts converted to the type of a field."""
