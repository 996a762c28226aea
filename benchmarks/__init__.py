"""Benchmarks: `make benchmark` runs all, `python -m benchmarks.NAME` one."""
