"""Checks a program's statistics and trace: graph-files.py STATISTICS TRACE CUS [both]."""
import json
import sys

statistics, trace = (json.load(open(name)) for name in sys.argv[1:3])
cus, both = int(sys.argv[3]), len(sys.argv) > 4
assert ("device" in statistics) == both
graphs = statistics["graphs"]
for graph in graphs:
    values = {name: counter["value"] for name, counter in graph["counters"].items()}
    assert all(set(counter) == {"value", "unit", "description"} for counter in graph["counters"].values())
    assert values["lanes"] == values["elements"] == sum(c["elements"] for c in graph["channels"]), values
    assert values["wavefronts"] * graph["wave"] == values["lane_slots"] >= values["lanes"]
    assert graph["cus"] == cus and values["context_cycles"] > 0
    assert all(0 < c["elements_high_water"] <= c["width"] * c["levels"] for c in graph["channels"])
events = trace["traceEvents"]
machines = len(graphs) + both
assert {e["pid"] for e in events} == set(range(machines * (cus + 1)))
tracks = {}
for event in events:
    if event["ph"] == "X":
        tracks.setdefault((event["pid"], event["tid"]), []).append(event)
for slices in tracks.values():
    slices.sort(key=lambda e: e["ts"])
    assert all(a["ts"] + a["dur"] <= b["ts"] + 1e-6 for a, b in zip(slices, slices[1:]))
ran = sum(len(slices) for slices in tracks.values())
assert ran >= sum(graph["counters"]["wavefronts"]["value"] for graph in graphs)
assert any(e["ph"] == "C" for e in events)
