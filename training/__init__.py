"""Programs that make the models of rowen.papers from the shared data; see README.md."""
