"""The extraction service: documents in over HTTP, representations out, nothing worked on twice."""
