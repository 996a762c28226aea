"""The library: an index of papers that can be searched, corrected by hand and exported."""
