#!/usr/bin/env python3
"""Runs the paper's four programs on the modelled machine, and writes its counts beside the paper's numbers.

Orr et al., "Fine-grain Task Aggregation and Coordination on GPUs", ISCA 2014: Table 3 (wavefronts), Figure 17 (one atomic
for a wavefront), Figure 18 (yields against the channels' width), Figure 19 (divergence). Every row of channels.csv is one
run: program, argument, settings, and the counters; channels.md has the tables made from them.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# name: source, the paper's argument, a quick argument, the paper's channel width and wavefronts, reason of differences
PROGRAMS = {
    "fib": ("fib/fib.cilk", 24, 16, 32768, 2192, "exact: the same recursion, base case and levels"),
    "queens": ("queens/queens.c", 13, 7, 16384, 1114,
               "the paper's base case is a 4x4 part of the board, ours the last queen: 4.7 million small tasks instead of some 70,000 large ones"),
    "sort": ("sort/sort.c", 1000000, 3000, 32768, 4238,
             "another sort: the paper has 4 kernels and does not describe its merge; ours has 46,532 tasks in all"),
    "strassen": ("strassen/strassen-atomic.c", 512, 64, 8192, 587, "exact: one kernel, 37,449 tasks, atomic addition"),
}
WIDTHS = [64, 256, 1024, 4096, 16384, 65536]
CUS = [1, 2, 4, 8]
POLICIES = ["levelized", "hybrid", "counted"]
CLASSES = ["alu", "load", "store", "atomic", "branch", "call", "channel"]


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = Path(tempfile.mkdtemp(prefix="cilk2gpu-reproduce-"))
        self.rows = []
        self.known = {}
        for name, (source, *_) in PROGRAMS.items():
            subprocess.run([options.driver, "-O2", "-fno-cilk-combine", "-fno-cilk-inline", "-fcilk-count-instructions", str(Path(options.examples) / source), "-o",
                            str(self.folder / name)], check=True)

    def argument(self, name):
        return PROGRAMS[name][2 if self.options.quick else 1]

    def run(self, name, **settings):
        """Returns the counters of a run on the modelled machine."""
        settings = {"device": "model", "width": PROGRAMS[name][3], **settings}
        key = (name, *sorted(settings.items()))
        if key in self.known:
            return self.known[key]
        stats = self.folder / "stats.json"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CILK2GPU_")}
        environment |= {f"CILK2GPU_{k.upper()}": str(v) for k, v in settings.items()}
        environment["CILK2GPU_STATS"] = str(stats)
        command = [str(self.folder / name), str(self.argument(name))]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)} with {settings}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        counters = {k: v["value"] for k, v in json.loads(stats.read_text())["counters"].items()}
        counters.pop("execute_time")  # of the host, not of the model
        self.rows.append({"program": name, "argument": self.argument(name), **settings, **counters})
        self.known[key] = counters
        print(f"{len(self.rows)} {name} {settings}", flush=True)
        return counters


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| " + " | ".join(["---"] * len(header)) + " |"]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def number(value):
    return f"{value:,}"


def ratio(a, b, digits=2):
    return f"{a / b:.{digits}f}" if b else "-"


def percent(a, b):
    return f"{100 * a / b:.1f} %" if b else "-"


def wavefronts(bench):
    rows = []
    for name, (_, _, _, width, paper, why) in PROGRAMS.items():
        c = bench.run(name)
        rows.append([f"{name}({number(bench.argument(name))})", number(width), number(c["tasks"]), number(c["wavefronts"]),
                     "-" if bench.options.quick else number(paper), "-" if bench.options.quick else ratio(c["wavefronts"], paper), why])
    return ["## Wavefronts (Table 3)", "", "Levelized, 8 compute units, waves of 64 lanes, the paper's channel widths.", "",
            *table(["Program", "Width", "Tasks", "Wavefronts", "Paper", "Ratio", "Why"], rows)]


def atomics(bench):
    rows = []
    for name in PROGRAMS:
        wave, lane = bench.run(name, cus=1), bench.run(name, cus=1, reserve="lane")
        moved = [c["cas_attempted"] - c["cas_failed"] for c in (wave, lane)]
        rows.append([name, ratio(moved[1], lane["spawned"]), ratio(moved[0], wave["spawned"], 3), ratio(moved[1], moved[0], 1),
                     percent(wave["cas_failed"], wave["cas_attempted"]), percent(lane["cas_failed"], lane["cas_attempted"])])
    return ["## Compare-and-swaps that succeed, for each spawned task (Figure 17)", "",
            "The paper: up to 64 times fewer with one for each wavefront. An attempt fails if another wavefront was faster.", "",
            *table(["Program", "One for each lane", "One for a wavefront", "Times fewer", "Failed, wavefront", "Failed, lane"], rows)]


def yields(bench):
    rows = []
    for name in PROGRAMS:
        rows.append([name, *(number(bench.run(name, width=w)["wavefront_yields"]) for w in WIDTHS)])
    saved = []
    for name in PROGRAMS:
        c = bench.run(name, width=WIDTHS[0])
        saved.append([name, number(c["wavefront_yields"]), number(c["yield_bytes"]), number(c["yield_bytes_everything"]),
                      ratio(c["yield_bytes_everything"], c["yield_bytes"], 1), number(c["done_count_stalls"])])
    return ["## Wavefronts that yield, against the channels' width (Figure 18)", "", *table(["Program", *map(number, WIDTHS)], rows),
            f"Bytes that they save, at width {WIDTHS[0]}:", "",
            *table(["Program", "Yields", "Bytes saved", "With all registers, as in the paper", "Times less", "Stalls on done counts"], saved)]


def divergence(bench):
    rows, classes, waves = [], [], []
    for name in PROGRAMS:
        c = bench.run(name)
        if c["unaligned_instructions"]:
            sys.exit(f"{name}: {c['unaligned_instructions']} instructions could not be aligned")
        issued = sum(c[f"issued_{kind}"] for kind in CLASSES)
        lanes = sum(c[f"issued_{kind}_lanes"] for kind in CLASSES)
        rows.append([name, number(issued), ratio(lanes, issued, 1),
                     *(percent(c[f"issued_quarter_{q}"], issued) for q in (1, 2, 3, 4))])
        classes.append([name, *(ratio(c[f"issued_{kind}_lanes"], c[f"issued_{kind}"], 1) for kind in CLASSES)])
        waves.append([name, percent(c["lanes_active"], c["lane_slots"]), percent(c["divergent_wavefronts"], c["wavefronts"]),
                      percent(c["spawn_lanes_active"], c["spawn_slots"])])
    return ["## Divergence (Figure 19)", "",
            "Instructions that wavefronts of 64 lanes issue, by how many lanes are active in them. The paper: Fibonacci and Queens",
            "diverge much, Sort severely, Strassen little.", "",
            *table(["Program", "Instructions", "Active lanes", "1-16", "17-32", "33-48", "49-64"], rows),
            "Active lanes by class of instruction:", "", *table(["Program", *CLASSES], classes),
            "As far as spawns and syncs show it: the filled lanes of a wavefront; wavefronts in which some lanes go on to a sync",
            "while others end; and, in these wavefronts, the lanes that go on.", "",
            *table(["Program", "Lanes filled", "Divergent wavefronts", "Lanes that go on"], waves)]


def scaling(bench):
    rows = []
    for name in PROGRAMS:
        cycles = [bench.run(name, cus=c)["cycles"] for c in CUS]
        rows.append([name, *map(number, cycles), ratio(cycles[0], cycles[-1])])
    return ["## Modelled cycles against compute units (Figure 15)", "",
            "Every instruction takes a SIMD unit's turn; caches and memory are not modelled. The paper's speed-ups on 8 units: sort",
            "2.6, strassen 4.3, none for fib.", "",
            *table(["Program", *(f"{c} CU" for c in CUS), "Speed-up"], rows)]


def policies(bench):
    rows = []
    for name in PROGRAMS:
        for policy in POLICIES:
            c = bench.run(name, policy=policy)
            rows.append([name, policy, number(c["wavefronts"]), percent(c["lanes_active"], c["lane_slots"]), number(c["cycles"]),
                         number(c["wavefront_yields"]), number(c["memory_high_water"])])
    return ["## Policies", "",
            *table(["Program", "Policy", "Wavefronts", "Lanes filled", "Cycles", "Yields", "Peak memory, bytes"], rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--driver", required=True)
    parser.add_argument("--examples", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    bench = Bench(options)
    text = ["# Channels: the paper's numbers and ours", "",
            "Made by `scripts/reproduce channels`. Orr et al., ISCA 2014, on the [modelled machine](../../docs/model.md): the same",
            "program, settings and seed give the same numbers.", ""]
    for part in (wavefronts, atomics, yields, divergence, policies, scaling):
        text += part(bench)
    columns = list(dict.fromkeys(key for row in bench.rows for key in row))
    with open(out / "channels.csv.tmp", "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(bench.rows)
    (out / "channels.md.tmp").write_text("\n".join(text))
    for name in ("channels.csv", "channels.md"):
        (out / f"{name}.tmp").rename(out / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
