"""What scripts/bench is made of: programs, their variants, measurement, reports and plots."""
