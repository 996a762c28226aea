"""Programs that make the models of rowen.scholar from the shared data; see README.md."""
