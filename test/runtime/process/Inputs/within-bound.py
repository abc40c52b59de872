"""Checks a statistics file: memory_high_water is at least a number, and at most memory_bound."""
import json
import sys

counters = json.load(open(sys.argv[1]))["counters"]
most, bound = (counters[name]["value"] for name in ("memory_high_water", "memory_bound"))
if not int(sys.argv[2]) <= most <= bound:
    sys.exit(f"memory_high_water is {most}, not between {sys.argv[2]} and the bound {bound}")
