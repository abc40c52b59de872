"""Checks the trace of three wavefronts of 8 x 8 blocks: each block is there once for each launch, after its parents.

usage: block-trace.py FILE THREADS DEVICE
"""
import json
import re
import sys

trace = json.load(open(sys.argv[1]))
assert trace["otherData"]["truncated"] is False
events = trace["traceEvents"]
blocks = [event for event in events if event["ph"] == "X"]
assert len(blocks) == 3 * 64, len(blocks)
assert {event["args"]["device"] for event in blocks} == {sys.argv[3]}
assert 1 <= len({event["tid"] for event in blocks}) <= int(sys.argv[2])
names = {event["args"]["name"] for event in events if event["name"] == "process_name"}
assert "thread blocks" in names, names
for launch in range(3):
    times = {}
    for event in (each for each in blocks if each["args"]["launch"] == launch):
        x, y, z = map(int, re.fullmatch(r"block \((\d+), (\d+), (\d+)\)", event["name"]).groups())
        assert z == 0 and (x, y) not in times and event["args"]["level"] == x + y, event
        times[x, y] = event["ts"], event["ts"] + event["dur"]
    assert len(times) == 64
    for (x, y), (start, _) in times.items():
        for parent in ((x - 1, y), (x, y - 1)):
            assert parent not in times or times[parent][1] <= start + 0.001, (x, y)
tracks = {}
for event in blocks:
    tracks.setdefault(event["tid"], []).append((event["ts"], event["ts"] + event["dur"]))
for track in tracks.values():  # slices of a thread do not overlap
    track.sort()
    assert all(first[1] <= second[0] + 0.001 for first, second in zip(track, track[1:]))
