"""The studio's routes."""
