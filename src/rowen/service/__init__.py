"""The extraction service: documents in over HTTP, representations out, nothing worked on twice."""

from rowen.model.extras import require

require(
    "serve",
    "the service",
    "fastapi",
    "prometheus_client",
    "pydantic",
    "python_multipart",
    "starlette",
    "uvicorn",
)
