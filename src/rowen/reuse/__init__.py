"""What need not be extracted again: the parts of a page that its old version has, too."""
