"""Views: pages as they look, but harmless, with the source position of each text."""
