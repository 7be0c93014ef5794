"""Measurements, never tests: `make bench` and the programs named in docs/PERFORMANCE.md."""
