"""Learning the token class: landmarks for the records and fields of pages."""
