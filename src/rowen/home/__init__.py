"""The application around the studio: home, extractors and operations."""

from rowen.model.extras import require

require("studio", "the studio", "fastapi", "pydantic", "starlette")
