"""Prints the verdicts of the end-to-end tests on files of statistics: counts.py SOURCE-FOLDER FILE"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]) / "test" / "e2e"))
sys.dont_write_bytecode = True
import cases

file = Path(sys.argv[2])
for name, counters in {"good": {"high": 60, "bound": 100, "limit": 100}, "at most twice": {"high": 50, "bound": 100, "limit": 100},
                       "more than twice": {"high": 49, "bound": 100, "limit": 100}, "above the bound": {"high": 101, "bound": 100, "limit": 100},
                       "above the limit": {"high": 60, "bound": 100, "limit": 99}, "bound 0": {"high": 60, "bound": 0, "limit": 100},
                       "all 0": {"high": 0, "bound": 0, "limit": 0}, "no bound": {"high": 60, "limit": 100},
                       "no limit": {"high": 60, "bound": 100}, "no high water": {"bound": 100, "limit": 100}}.items():
    file.write_text(json.dumps({"counters": {f"memory_{key}": {"value": value} for key, value in counters.items()}}))
    expected = (("memory_high", "memory_bound"), ("memory_bound", "memory_limit"), ("memory_bound", (2, "memory_high")))
    print(f"{name}: {cases.compare_counts(file, expected)}")
file.write_text(json.dumps({"counters": {"tasks": {"value": 7}}}))
print(f"equal: {cases.compare_counts(file, (('tasks', 7),))}; other: {cases.compare_counts(file, (('tasks', 8),))}")
file.unlink()
print(f"no file: {cases.compare_counts(file, (('tasks', 7),))}")
