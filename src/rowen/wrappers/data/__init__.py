"""The data class: records and fields by paths in the data of a page."""
