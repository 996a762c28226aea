"""What training made: see `record` in each model, and training/README.md."""
