"""Engines: how a run is spread over cores and hosts."""
