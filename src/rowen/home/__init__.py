"""The application around the studio: home, extractors and operations."""
