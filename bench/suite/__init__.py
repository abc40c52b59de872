"""Modules of scripts/bench: programs, their variants, measurement, reports and plots."""
