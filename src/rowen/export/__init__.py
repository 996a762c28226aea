"""Export: records in, files out."""
