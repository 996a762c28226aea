"""Reference strings: cutting a list into strings, parsing each into fields, markers in the body."""
