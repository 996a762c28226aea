"""The studio: mark pages in the browser, learn a wrapper, correct and publish it."""

from rowen.model.extras import require

require("studio", "the studio", "fastapi", "pydantic", "starlette")
