"""The studio: pages are marked, a wrapper is learned, watched, corrected and published."""
