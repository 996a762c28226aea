"""Runs: a snapshot comes in, what changed is extracted, the store has one snapshot more."""
