"""Checks a program's statistics and trace: graph-files.py STATISTICS TRACE CUS|DEVICE [both]."""
import json
import sys

statistics, trace = (json.load(open(name)) for name in sys.argv[1:3])
device, both = sys.argv[3], len(sys.argv) > 4
is_modelled = device.isdigit()
cus, unit = (int(device), "cycles") if is_modelled else (1, "ns")
assert ("device" in statistics) == both
graphs = statistics["graphs"]
for graph in graphs:
    values = {name: counter["value"] for name, counter in graph["counters"].items()}
    assert all(set(counter) == {"value", "unit", "description"} for counter in graph["counters"].values())
    assert values["lanes"] == values["elements"] == sum(c["elements"] for c in graph["channels"]), values
    assert values["wavefronts"] * graph["wave"] == values["lane_slots"] >= values["lanes"]
    assert graph["device"] == ("model" if is_modelled else device)
    assert graph.get("cus", 1) == cus and ("cus" in graph) == is_modelled
    assert 0 < values["context_" + unit] and 0 < values[unit]
    assert all(("cycle" in name) <= is_modelled for name in graph["counters"])
    assert all("element_" + unit in c for c in graph["channels"])
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
