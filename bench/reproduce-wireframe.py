#!/usr/bin/env python3
"""Runs square wavefronts on the modelled machine for block graphs, and writes its numbers beside the paper's numbers.

Abdolrashidi et al., "Wireframe: Supporting Data-dependent Parallelism through Dependency Graph Execution in GPUs", MICRO
2017: Figures 9 and 12 (speed-ups), Figure 10 (memory requests, range of levels), Figure 13 (sizes of the buffers). Every
row of wireframe.csv is one version in one run: settings and counters. wireframe.md has the tables made from them.
"""
import argparse
import csv
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ["Global", "CDP", "DepLinks", "LRR", "LVL"]
# side of the square, ratio of compute time to launch time (Figure 12)
SIZES = {"1K": (32, 8), "4K": (64, 5), "9K": (96, 3)}
PAPER = {("1K", "LVL"): "14.11", ("4K", "CDP"): "6.87", ("4K", "DepLinks"): "25.07", ("4K", "LRR"): "29.81", ("4K", "LVL"): "31.81", ("9K", "LVL"): "45.07"}
SPREADS = [0, 60, 80, 100, 300]  # coefficient of variation of the blocks' times, in thousandths
SPREAD = 80
BOUNDS = [0, 1, 2, 3, 4, 6]
BOUND = 3
LOCAL_NODES = [32, 64, 128, 256, 512, 1024]


class Bench:
    def __init__(self, options):
        self.options = options
        self.sizes = {"1K": SIZES["1K"]} if options.quick else SIZES
        self.seeds = range(1, 3 if options.quick else 11)
        self.rows, self.known = [], {}
        self.folder = Path(tempfile.mkdtemp(prefix="cilk2gpu-reproduce-"))
        self.program = self.folder / "model"
        source = ROOT / "bench" / "wireframe" / "model.cpp"
        subprocess.run([f"{options.driver}++", "-std=c++20", "-O2", f"-I{ROOT / 'runtime'}", f"-I{ROOT / 'include'}", str(source), "-o", str(self.program)], check=True)

    def run(self, size, seed, spread=SPREAD, bound=BOUND, nodes=0, edges=0):
        """Returns the counters of each version."""
        side, ratio = SIZES[size]
        key = (side, ratio, spread, seed, bound, nodes, edges, 0)
        if key not in self.known:
            command = [str(self.program), *map(str, key)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
            settings = dict(zip(["side", "ratio", "spread", "seed", "bound", "nodes_in_buffer", "edges_in_buffer"], key))
            rows = [{"size": size, **settings, **row} for row in csv.DictReader(done.stdout.splitlines())]
            self.rows += rows
            self.known[key] = {row["version"]: {k: v if k in ("version", "size") else int(v) for k, v in row.items()} for row in rows}
        return self.known[key]

    def of_seeds(self, value, size, **settings):
        """Returns value(versions) of all seeds."""
        return [value(self.run(size, seed, **settings)) for seed in self.seeds]


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "| " + " | ".join(["---"] * len(header)) + " |"]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def number(value):
    return f"{value:,}"


def speedup(version):
    """Returns a function from the counters of a run to the speed-up of a version over Global, in percent."""
    return lambda run: 100 * (run["Global"]["modelled_cycles"] / run[version]["modelled_cycles"] - 1)


def counter(version, name):
    return lambda run: run[version][name]


def decimal(value, digits=1):
    return f"{round(value, digits) + 0:.{digits}f}"  # never "-0.0"


def spread_of(values, digits=1):
    return f"{decimal(statistics.median(values), digits)} ({decimal(min(values), digits)} to {decimal(max(values), digits)})"


def speedups(bench):
    rows = []
    for size in bench.sizes:
        rows.append([f"{size}, ours", *(spread_of(bench.of_seeds(speedup(version), size)) for version in VERSIONS[1:])])
        rows.append([f"{size}, the paper", *(PAPER.get((size, version), "-") for version in VERSIONS[1:])])
    return ["## Speed-up over Global, in percent (Figures 9 and 12)", "",
            f"The median of {len(bench.seeds)} seeds, with the smallest and the largest. Compute time by launch time is 8, 5 and 3, as in the paper.",
            "The paper's numbers are averages of its six programs. Two times in the model are chosen so that CDP and the ratios come out",
            "(`runtime/blocks/dats/DatsTiming.h`); the other numbers follow from the model.", "",
            *table(["Nodes", *VERSIONS[1:]], rows)]


def requests(bench):
    rows = []
    for size in bench.sizes:
        run = bench.run(size, 1)["LVL"]
        asked = run["node_requests"] + run["edge_requests"]
        rows.append([size, number(run["edges"]), number(asked), f"{run['request_overhead'] / 10000:.2f}", "0.12 on the average, 0.16 at most"])
    return ["## Memory requests of the scheduler (Figure 10, left)", "", "A request loads 16 nodes or 64 edges. The requests of a block are a parameter of the model.", "",
            *table(["Nodes", "Edges", "Requests, LVL", "In percent of the blocks' requests", "The paper, percent"], rows)]


def level_ranges(bench):
    rows = []
    for size in bench.sizes:
        for spread in SPREADS:
            rows.append([size, spread / 1000, *(spread_of(bench.of_seeds(counter(version, "level_range"), size, spread=spread), 0) for version in ("LRR", "LVL")),
                         spread_of(bench.of_seeds(lambda run: 100 * (run["LRR"]["modelled_cycles"] / run["LVL"]["modelled_cycles"] - 1), size, spread=spread))])
    return ["## Range of levels that run at the same time (Figure 10, right)", "",
            "The paper, at 9K nodes: 7 to 2 for DTW, 6 to 2 for SOR, 5 to 2 on the average. The spread is the coefficient of variation of the",
            "blocks' times.", "", *table(["Nodes", "Spread", "LRR", "LVL, bound 3", "LVL is faster than LRR by, percent"], rows)]


def bounds(bench):
    size = list(bench.sizes)[-1]
    rows = [[bound, spread_of(bench.of_seeds(counter("LVL", "level_range"), size, bound=bound), 0), spread_of(bench.of_seeds(speedup("LVL"), size, bound=bound)),
             spread_of(bench.of_seeds(counter("LVL", "pending_high_water"), size, bound=bound), 0)] for bound in BOUNDS]
    return [f"## The bound of LVL, at {size} nodes", "", *table(["Bound", "Range of levels", "Speed-up over Global, percent", "Most pending updates"], rows)]


def buffers(bench):
    size, rows = list(bench.sizes)[-1], []
    for nodes in LOCAL_NODES:
        row = [nodes, 4 * nodes]
        for version in ("LRR", "LVL"):
            settings = {"nodes": nodes, "edges": 4 * nodes}
            row += [spread_of(bench.of_seeds(counter(version, "pending_high_water"), size, **settings), 0),
                    spread_of(bench.of_seeds(speedup(version), size, **settings))]
        rows.append(row)
    return [f"## Sizes of the buffers, at {size} nodes (Figure 13)", "",
            "Updates that do not fit into the pending update buffer, which has 64 entries, go to global memory. The paper's sizes are 128 nodes",
            "and 512 edges for LVL, and 512 nodes and 2,048 edges for LRR.", "",
            *table(["Local nodes", "Local edges", "LRR, most pending updates", "LRR, speed-up, percent", "LVL, most pending updates", "LVL, speed-up, percent"], rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--driver", required=True)
    parser.add_argument("--examples", help="not used; scripts/reproduce gives it to all targets")
    parser.add_argument("--out", required=True)
    parser.add_argument("--quick", action="store_true")
    bench = Bench(parser.parse_args())
    text = ["# Wireframe: the paper's numbers and ours", "",
            "Made by `scripts/reproduce wireframe`. Abdolrashidi et al., MICRO 2017, on the [modelled machine](../../docs/wireframe.md): 15 compute",
            "units with 8 slots each. The blocks do nothing but take their time. Caches and memory are not modelled, so the programs of the paper",
            "do not differ here. The same settings and seed give the same numbers.", ""]
    for part in (speedups, requests, level_ranges, bounds, buffers):
        text += part(bench)
    out = Path(bench.options.out)
    with open(out / "wireframe.csv.tmp", "w", newline="") as file:
        writer = csv.DictWriter(file, list(bench.rows[0]))
        writer.writeheader()
        writer.writerows(bench.rows)
    (out / "wireframe.md.tmp").write_text("\n".join(text))
    for name in ("wireframe.csv", "wireframe.md"):
        (out / f"{name}.tmp").rename(out / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
