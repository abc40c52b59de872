"""Compares a report of cilk-scale with statistics of the same program on the modelled machine at unlimited width.

usage: same-wavefronts.py REPORT.json STATISTICS.json
"""
import json
import sys

report, statistics = (json.load(open(path)) for path in sys.argv[1:])
counters = {name: counter["value"] for name, counter in statistics["counters"].items()}
wave = statistics["wave"]
found = {
    "tasks": sum(kernel["elements"] for kernel in report["kernels"] if not kernel["post_sync"]),
    "post_sync_lanes": sum(kernel["elements"] for kernel in report["kernels"] if kernel["post_sync"]),
    "wavefronts": report["all"]["wavefronts"][wave - 1],
}
assert counters["yields"] == 0
for name, value in found.items():
    if value != counters[name]:
        sys.exit(f"{name} at wave size {wave}: cilk-scale has {value}, the modelled machine {counters[name]}")
print(f"same: {found['wavefronts']} wavefronts at wave size {wave}")
