"""The token class: delimiters of tags and words, fields found inside their records."""
