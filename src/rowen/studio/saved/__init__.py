"""Saved pages: their style sheets, images and fonts, from local files only."""
