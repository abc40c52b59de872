#!/usr/bin/env python3
"""Runs the programs of examples/wireframe on the modelled machine for block graphs, and writes its numbers beside the
numbers of the paper.

Abdolrashidi et al., "Wireframe: Supporting Data-dependent Parallelism through Dependency Graph Execution in GPUs", MICRO
2017: Figures 9 and 12 (speed-ups), 10 (memory requests, range of levels), and 13 (sizes of the buffers).

Each program runs once for each size of its graph, and leaves its graph and the instructions of its blocks. Then
bench/wireframe/model.cpp runs these graphs with all versions, seeds and sizes of buffers. Every row of wireframe.csv is one
version in one run: settings and counters. wireframe.md and wireframe/index.html have the tables made from them, and
wireframe/*.svg the figures.
"""
import argparse
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from wireframe.page import Section, draw_figures, write_html, write_markdown

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ["Global", "CDP", "DepLinks", "LRR", "LVL"]
FASTER = VERSIONS[1:]
SIZES = {"1K": 8, "4K": 5, "9K": 3}  # ratio of compute time to launch time (Figure 12)
# Arguments of each program for the sizes: the same data in more and more blocks, as in the paper.
SQUARE = {"1K": "32 12", "4K": "64 6", "9K": "96 4"}
PROGRAMS = {
    "dtw": {"1K": "32 12 24", "4K": "64 6 48", "9K": "96 4 72"},
    "heat2d": {size: f"{arguments} 1" for size, arguments in SQUARE.items()},
    "hist": SQUARE,
    "int-img": SQUARE,
    "sor": {size: f"{arguments} 1" for size, arguments in SQUARE.items()},
    "sw": SQUARE,
    "sparse-solve": {"1K": "32 4", "4K": "64 4", "9K": "96 4"},
    "cholesky": {"1K": "17 13", "4K": "28 8", "9K": "37 6"},
}
OF_PAPER = ["dtw", "heat2d", "hist", "int-img", "sor", "sw"]
PAPER = {("1K", "LVL"): 14.11, ("4K", "CDP"): 6.87, ("4K", "DepLinks"): 25.07, ("4K", "LRR"): 29.81, ("4K", "LVL"): 31.81, ("9K", "LVL"): 45.07}
PAPER_RANGES = {"dtw": (7, 2), "sor": (6, 2), "average": (5, 2)}
SPREAD, BOUND = 80, 3
SPREADS = [0, 20, 40, 60, 80, 100, 200, 300]  # coefficient of variation of the blocks' times, in thousandths
BOUNDS = [0, 1, 2, 3, 4, 6, 8]
LOCAL_NODES = [32, 64, 96, 128, 192, 256, 512, 1024]
LOCAL_EDGES = [64, 128, 256, 512, 1024, 2048, 4096]
PENDING = [1, 2, 4, 8, 16, 32, 64, 128]
UNLIMITED = 65536  # entries of the pending update buffer


class Bench:
    def __init__(self, options):
        self.options = options
        self.sizes = {"1K": SIZES["1K"]} if options.quick else SIZES
        self.last = list(self.sizes)[-1]
        self.middle = list(self.sizes)[len(self.sizes) // 2]
        self.seeds = range(1, 3 if options.quick else 11)
        self.rows = []
        self.temporary = tempfile.TemporaryDirectory(prefix="cilk2gpu-reproduce-")
        self.folder = Path(self.temporary.name)
        self.compile("model", ROOT / "bench/wireframe/model.cpp", "-std=c++20", f"-I{ROOT / 'runtime'}", f"-I{ROOT / 'include'}")
        self.graphs = {}
        for name in PROGRAMS:
            self.compile(name, Path(options.examples) / f"wireframe/{name}.cpp", "-std=c++17", "-fcilk-count-instructions")
            for size in self.sizes:
                self.graphs[name, size] = self.write_graph(name, size)

    def compile(self, name, source, *flags):
        subprocess.run([f"{self.options.driver}++", "-O2", *flags, str(source), "-o", str(self.folder / name)], check=True)

    def write_graph(self, name, size):
        """Runs a program on the modelled machine. Returns the file with its graph and instructions."""
        graph = self.folder / f"{name}-{size}.graph"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CILK2GPU_")}
        environment |= {"CILK2GPU_DEVICE": "model", "CILK2GPU_BLOCK_GRAPHS": str(graph)}
        command = [str(self.folder / name), *PROGRAMS[name][size].split()]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode or not done.stdout.endswith("; ok\n"):
            sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        print(done.stdout, end="", flush=True)
        return graph

    def run(self, name, size, versions, seeds=None, ratio=None, spread=SPREAD, bound=BOUND, nodes=0, edges=0, pending=0, spill=1):
        """Returns a list of runs, one for each seed: the counters of each version."""
        seeds = self.seeds if seeds is None else seeds
        ratio = SIZES[size] * 1000 if ratio is None else ratio
        lines = [f"{version} {ratio} {spread} {seed} {bound} {nodes} {edges} {pending} {spill}" for seed in seeds for version in versions]
        command = [str(self.folder / "model"), str(self.graphs[name, size])]
        done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
        settings = {"ratio": ratio, "spread": spread, "bound": bound, "nodes_in_buffer": nodes, "edges_in_buffer": edges, "pending_in_buffer": pending, "spill": spill}
        runs, counters = [], csv.DictReader(done.stdout.splitlines())
        for seed in seeds:
            runs.append({})
            for version in versions:
                row = {key: value if key == "version" else int(value) for key, value in next(counters).items()}
                self.rows.append({"program": name, "size": size, "seed": seed, **settings, **row})
                runs[-1][version] = row
        return runs


def speedup(run, version, base="Global"):
    return 100 * (run[base]["modelled_cycles"] / run[version]["modelled_cycles"] - 1)


def median(runs, value):
    return statistics.median(value(run) for run in runs)


def most(runs, version, counter):
    return max(run[version][counter] for run in runs)


def decimal(value, digits=2):
    return "" if value is None else f"{round(value, digits) + 0:.{digits}f}"  # never "-0.00"


def difference(ours, paper):
    return "" if paper is None else f"{ours - paper:+.2f}"


#===-- Speed-ups ----------------------------------------------------------------------------------------------------===#


class SpeedUps:
    """Speed-ups over Global of all programs, sizes and versions, in percent: medians of the seeds."""

    def __init__(self, bench):
        self.of = {}
        for name, size in bench.graphs:
            runs = bench.run(name, size, VERSIONS)
            for version in VERSIONS:
                self.of[name, size, version] = median(runs, lambda run: speedup(run, version))

    def average(self, size, version):
        return statistics.mean(self.of[name, size, version] for name in OF_PAPER)


def of_programs(bench, speedups):
    """Figure 9, for each size."""
    for size in bench.sizes:
        rows = [[name, *(decimal(speedups.of[name, size, version]) for version in FASTER), order_of(speedups, name, size)] for name in PROGRAMS]
        rows.append(["average of the paper's six", *(decimal(speedups.average(size, version)) for version in FASTER), ""])
        paper = [PAPER.get((size, version)) for version in FASTER]
        rows.append(["the paper's average", *(decimal(value) for value in paper), ""])
        rows.append(["difference", *(difference(speedups.average(size, version), value) for version, value in zip(FASTER, paper)), ""])
        section = Section(f"Speed-up over Global at {size} nodes, in percent (Figure 9)", f"speedup-{size.lower()}", ["Program", *FASTER, "Global < CDP < DepLinks < LRR"], rows)
        section.text = ["The last two programs are not in the paper. The text of the paper has averages, and no numbers of single programs.",
                        "cholesky is slower with LVL than with LRR because LVL's window is smaller: with a window of 128 nodes, LRR takes as long.",
                        f"Parameters: compute time by launch time {SIZES[size]}; spread of durations {SPREAD / 1000}; LVL's bound {BOUND}; the paper's sizes of buffers; median of {len(bench.seeds)} seeds."]
        names = [*PROGRAMS, "average"]
        section.plot = lambda axes, size=size, names=names: draw_bars(
            axes, names, {version: [speedups.average(size, version) if name == "average" else speedups.of[name, size, version] for name in names] for version in FASTER},
            "speed-up over Global, %", {f"paper's average, {version}": PAPER[size, version] for version in FASTER if (size, version) in PAPER})
        yield section


def order_of(speedups, name, size):
    """Says where a version is not faster than the version before it."""
    values = [speedups.of[name, size, version] for version in VERSIONS[:-1]]
    slower = [f"{VERSIONS[i + 1]} is not faster than {VERSIONS[i]}" for i in range(3) if values[i + 1] <= values[i]]
    return "; ".join(slower) or "yes"


def averages(bench, speedups):
    """Figure 12, left."""
    limits = {"1K": 8, "4K": 5, "9K": 8}
    rows = []
    for size in bench.sizes:
        for version in FASTER:
            ours, paper = speedups.average(size, version), PAPER.get((size, version))
            if paper is not None:
                near = "" if version != "LVL" else f"within {limits[size]}: {'yes' if abs(ours - paper) <= limits[size] else 'NO'}"
                rows.append([size, version, decimal(paper), decimal(ours), difference(ours, paper), near])
    largest = max(speedups.of[name, size, "LVL"] for name in OF_PAPER for size in bench.sizes)
    rows.append(["all", "LVL, largest", "65.20", decimal(largest), difference(largest, 65.20), ""])
    section = Section("Averages over the paper's six programs, in percent (Figure 12, left)", "averages", ["Nodes", "Version", "Paper", "Ours", "Difference", "Aim"], rows)
    section.text = [
        "DepLinks replaces launches by barriers in the graph. If computing takes r times as long as the launches, no barrier gives more than 100 / r percent: 12.5, 20 and 33.3 at the ratios 8, 5 and 3.",
        "The paper's 25.07 percent at 4K nodes is an average over programs whose ratios differ, and the ratio 5 is their average, too. The average of 100 / r is above 100 divided by the average of r. "
        "The paper does not print the ratios of its programs, so each program has the average here.",
        "The paper's LVL is 2 percent faster than its LRR at 4K nodes. In this model the bound never helps: a smaller range of levels saves updates, and these cost no time."]
    sizes = list(bench.sizes)
    section.plot = lambda axes: draw_lines(axes, sizes, {**{version: [speedups.average(size, version) for size in sizes] for version in FASTER}, "LVL, the paper": [PAPER[size, "LVL"] for size in sizes]},
                                           "nodes", "average speed-up over Global, %", dashed=("LVL, the paper",))
    return section


def barriers(bench):
    """The two readings of DepLinks' barriers."""
    rows, size = [], bench.middle
    for name in PROGRAMS:
        runs = bench.run(name, size, ["Global", "CDP", "DepLinks", "Barriers"])
        rows.append([name, *(decimal(median(runs, lambda run: speedup(run, version))) for version in ("CDP", "DepLinks", "Barriers")),
                     *(decimal(runs[0][version]["request_overhead"] / 10000) for version in ("DepLinks", "Barriers"))])
    section = Section(f"The barriers of DepLinks at {size} nodes", None,
                      ["Program", "CDP, %", "DepLinks with join nodes, %", "DepLinks, all to all, %", "Requests with join nodes, %", "Requests, all to all, %"], rows)
    section.text = ["Section 2.2 of the paper says that each block behind a barrier depends on each block before it. For waves of 64 blocks that makes 4,096 edges at each barrier. "
                    "The buffers are too small for them. Without spills the machine stands still; with spills it is slower than CDP.",
                    "An empty join node between two waves means the same with 128 edges. The paper's results need barriers as cheap as that, so DepLinks has join nodes here."]
    return section


def one_ratio(bench):
    """The paper's averages at 4K nodes, if the ratios of its programs differ."""
    rows, size = [], bench.middle
    for ratio in (SIZES[size] * 1000, 3950):
        for spread in SPREADS[:6]:
            runs = bench.run("sor", size, VERSIONS, ratio=ratio, spread=spread)
            rows.append([ratio / 1000, spread / 1000, *(decimal(median(runs, lambda run: speedup(run, version))) for version in FASTER)])
    rows.append(["the paper", "", *(decimal(PAPER.get((size, version))) for version in FASTER)])
    section = Section(f"Another ratio and another spread: SOR at {size} nodes", None, ["Compute by launch time", "Spread", *FASTER], rows)
    section.text = ["With the ratio 3.95, DepLinks has the paper's speed-up. Programs whose ratios are 5 on the average, and differ, can have this harmonic mean: for example 2, 3, 4.5, 5, 7.5 and 8.",
                    "With that ratio, LRR has the paper's speed-up at a spread between 0.02 and 0.04. These rows only explain the difference. All other numbers of this page use the ratios 8, 5 and 3, and one spread."]
    return section


def ratios(bench):
    rows = []
    for size, wanted in bench.sizes.items():
        measured = []
        for name in OF_PAPER:
            run = bench.run(name, size, ["Global"], seeds=[1])[0]["Global"]
            measured.append((run["modelled_cycles"] - run["launch_cycles"]) / run["launch_cycles"])
        rows.append([size, wanted, decimal(statistics.mean(measured)), "input: taken from the paper"])
    return Section("Compute time by launch time (Figure 12, right)", None, ["Nodes", "Paper, average", "Ours, average", "Kind"], rows)


#===-- The block scheduler ------------------------------------------------------------------------------------------===#


def requests(bench):
    """Figure 10, left."""
    rows, shown = [], {}
    for size in bench.sizes:
        for name in PROGRAMS:
            run = bench.run(name, size, ["LVL"], seeds=[1])[0]["LVL"]
            loads, shown[name, size] = run["node_requests"] + run["edge_requests"], run["request_overhead"] / 10000
            rows.append([size, name, f"{run['nodes']:,}", f"{run['edges']:,}", f"{loads:,}", f"{run['spill_requests']:,}", decimal(100 * loads / run["program_requests"]), decimal(shown[name, size])])
    mean = statistics.mean(shown[name, bench.middle] for name in OF_PAPER)
    rows.append([bench.middle, "average of the paper's six", "", "", "", "", "", decimal(mean)])
    rows.append(["", "the paper's average; largest", "", "", "", "", "0.12; 0.16", ""])
    section = Section("Memory requests of the scheduler, LVL, in percent of the blocks' requests (Figure 10, left)", "requests",
                      ["Nodes", "Program", "Nodes of the graph", "Edges", "Requests for nodes and edges", "Requests of spills", "Percent", "Percent with spills"], rows)
    section.text = ["A request loads 16 nodes or 64 edges. A block makes 104 requests: this number is calibrated, so that the overhead of a wavefront is 0.12 percent.",
                    "The paper has no spills. dtw and sw name the block on the diagonal as a third parent, although the other two parents imply it. Such an edge leads two levels ahead, and at 9K nodes out of LVL's window.",
                    "The sparse solve has many edges for each node, and the tiled Cholesky factorisation has edges that lead far ahead. Both need more than LVL's buffers hold. The paper has no such program."]
    section.plot = lambda axes: draw_bars(axes, list(PROGRAMS), {size: [shown[name, size] for name in PROGRAMS] for size in bench.sizes}, "requests, % of the blocks' requests", {"paper's average": 0.12, "paper's largest": 0.16}, log=True)
    return section


def level_ranges(bench):
    """Figure 10, right."""
    rows, shown, size = [], {}, bench.last
    for name in PROGRAMS:
        runs = bench.run(name, size, ["LRR", "LVL"])
        for version in ("LRR", "LVL"):
            shown[name, version] = statistics.mean(run[version]["level_range"] for run in runs)
        paper = PAPER_RANGES.get(name, ("", ""))
        rows.append([name, paper[0], decimal(shown[name, "LRR"], 1), paper[1], decimal(shown[name, "LVL"], 1), most(runs, "LVL", "level_range")])
    means = [statistics.mean(shown[name, version] for name in OF_PAPER) for version in ("LRR", "LVL")]
    rows.append(["average of the paper's six", 5, decimal(means[0], 1), 2, decimal(means[1], 1), ""])
    section = Section(f"Range of levels that run at the same time, at {size} nodes (Figure 10, right)", "level-range",
                      ["Program", "Paper, LRR", "Ours, LRR", "Paper, LVL", "Ours, LVL", "Largest of LVL, bound 3"], rows)
    section.text = [f"Averages of {len(bench.seeds)} seeds. The paper's figure 4 has a range of at most 7 for HEAT2D with LRR.",
                    "Six programs have the same range because their graphs are wavefronts and their blocks are alike. The paper's programs differ in their use of caches, which is not modelled."]
    section.plot = lambda axes: draw_bars(axes, list(PROGRAMS), {version: [shown[name, version] for name in PROGRAMS] for version in ("LRR", "LVL")}, "levels", {"LVL's bound": BOUND})
    return section


def bounds(bench):
    rows, curves, size = [], {"range": [], "speed-up": []}, bench.last
    for bound in BOUNDS:
        for spread in (SPREAD, 300):
            runs = bench.run("sor", size, ["Global", "LVL"], bound=bound, spread=spread)
            gain = median(runs, lambda run: speedup(run, "LVL"))
            rows.append([bound, spread / 1000, most(runs, "LVL", "level_range"), decimal(gain), most(runs, "LVL", "pending_high_water")])
            if spread == 300:
                curves["range"].append(most(runs, "LVL", "level_range"))
                curves["speed-up"].append(gain)
    section = Section(f"The bound of LVL: SOR at {size} nodes", "bound", ["Bound", "Spread", "Largest range of levels", "Speed-up over Global, %", "Most pending updates"], rows)
    section.text = ["The range is never over the bound. The paper has the bound 3."]
    section.plot = lambda axes: draw_lines(axes, BOUNDS, {"largest range of levels, spread 0.3": curves["range"], "speed-up over Global, %, spread 0.3": curves["speed-up"]}, "bound", "")
    return section


#===-- Sizes of the buffers -----------------------------------------------------------------------------------------===#


def sweep(bench, parameter, values, **fixed):
    """Runs SOR with sizes of a buffer. Returns the table's rows, and the curves of the figure."""
    rows, curves = [], {f"{version}, {what}": [] for version in ("LRR", "LVL") for what in ("pending updates", "speed-up, %")}
    for value in values:
        settings = {**fixed, parameter: value}
        if parameter == "nodes":
            settings["edges"] = 4 * value
        runs = bench.run("sor", bench.middle, ["Global", "LRR", "LVL"], pending=UNLIMITED, **settings)
        small = bench.run("sor", bench.middle, ["LRR", "LVL"], **settings)
        row = [value]
        for version in ("LRR", "LVL"):
            pending, gain = most(runs, version, "pending_high_water"), median(runs, lambda run: speedup(run, version))
            curves[f"{version}, pending updates"].append(pending)
            curves[f"{version}, speed-up, %"].append(gain)
            row += [pending, most(small, version, "spilled_updates"), most(small, version, "spilled_nodes"), decimal(gain)]
        rows.append(row)
    return rows, curves


SWEEP_HEADER = [f"{version}: {what}" for version in ("LRR", "LVL") for what in ("most pending updates", "updates spilled", "nodes with spilled edges", "speed-up, %")]


def local_nodes(bench):
    """Figure 13, left."""
    rows, curves = sweep(bench, "nodes", LOCAL_NODES)
    section = Section(f"Size of the local node array: SOR at {bench.middle} nodes (Figure 13, left)", "local-nodes", ["Local nodes", *SWEEP_HEADER], rows)
    section.text = ["Pending updates are those of a buffer without a limit. Spills are those of the paper's buffer of 64 updates. The local edge array has 4 entries for each node.",
                    "The paper chooses 128 entries for LVL, with almost 32 pending updates, and 512 for LRR. Here a window of 128 entries has 20 to 44 of them in ten runs, for LVL and for LRR. "
                    "Pending updates come from a window that is smaller than the distance between a block and its children. The bound does not change that distance."]
    section.plot = lambda axes: draw_lines(axes, LOCAL_NODES, curves, "entries of the local node array", "", log=True, dashed=("LRR, speed-up, %", "LVL, speed-up, %"))
    return section


def local_edges(bench):
    """Figure 13, right."""
    rows, curves = sweep(bench, "edges", LOCAL_EDGES)
    section = Section(f"Size of the local edge array: SOR at {bench.middle} nodes (Figure 13, right)", "local-edges", ["Local edges", *SWEEP_HEADER], rows)
    section.text = ["The local node array has the paper's size: 512 entries for LRR, and 128 for LVL. A block of SOR has two edges.",
                    "The paper chooses 512 entries for LVL; its LRR needs over 1,000. Here 256 are enough for both. A block below 512 entries waits for space before it is loaded, and its window shrinks."]
    section.plot = lambda axes: draw_lines(axes, LOCAL_EDGES, curves, "entries of the local edge array", "", log=True, dashed=("LRR, speed-up, %", "LVL, speed-up, %"))
    return section


def pending_updates(bench):
    rows, shown = [], {"LRR": [], "LVL": []}
    for pending in PENDING:
        row = [pending]
        for version in ("LRR", "LVL"):
            runs = bench.run("sor", bench.middle, ["Global", version], nodes=64, edges=256, pending=pending)
            halted = bench.run("sor", bench.middle, [version], nodes=64, edges=256, pending=pending, spill=0)
            shown[version].append(statistics.mean(run[version]["spilled_updates"] for run in runs))
            row += [decimal(shown[version][-1], 1), decimal(median(runs, lambda run: speedup(run, version))), f"{sum(run[version]['is_deadlocked'] for run in halted)} of {len(halted)}"]
        rows.append(row)
    section = Section(f"Size of the pending update buffer: SOR at {bench.middle} nodes, 64 local nodes", "pending",
                      ["Entries", *(f"{version}: {what}" for version in ("LRR", "LVL") for what in ("updates spilled", "speed-up, %", "deadlocks without spills"))], rows)
    section.text = ["With 64 local nodes, children of a block can be outside the window. The paper has buffers of 64 and of 32 entries, in two places of its text."]
    section.plot = lambda axes: draw_lines(axes, PENDING, {f"{version}, updates spilled": shown[version] for version in shown}, "entries of the pending update buffer", "updates", log=True)
    return section


def deadlocks(bench):
    rows = []
    for nodes in LOCAL_NODES:
        row = [nodes]
        for name in ("sor", "cholesky", "sparse-solve"):
            runs = bench.run(name, bench.last, ["LVL"], nodes=nodes, edges=4 * nodes, spill=0)
            row += ["no" if runs[0]["LVL"]["is_safe"] else "may", f"{sum(run['LVL']['is_deadlocked'] for run in runs)} of {len(runs)}"]
        rows.append(row)
    section = Section(f"Deadlocks without spills, LVL, at {bench.last} nodes", None,
                      ["Local nodes", *(f"{name}: {what}" for name in ("sor", "cholesky", "sparse-solve") for what in ("predicted", "seen"))], rows)
    section.text = ["The scheduler of the paper can stand still: a block waits for space in the pending update buffer, and nothing is loaded before it ends.",
                    "A launch is predicted to be safe from two numbers: the largest distance from a parent's ID to a child's, and the most edges in a window. Where the prediction is \"no\", no run may stop."]
    return section


def spreads(bench):
    rows, curves, size = [], {version: [] for version in ("DepLinks", "LRR", "LVL")}, bench.middle
    for spread in SPREADS:
        runs = bench.run("sor", size, VERSIONS, spread=spread)
        gains = {version: median(runs, lambda run: speedup(run, version)) for version in FASTER}
        for version in curves:
            curves[version].append(gains[version])
        rows.append([spread / 1000, *(decimal(gains[version]) for version in FASTER), most(runs, "LRR", "level_range")])
    section = Section(f"The calibrated spread of durations: SOR at {size} nodes", "spread", ["Spread", *FASTER, "Largest range of levels, LRR"], rows)
    section.text = [f"The spread is the coefficient of variation of the blocks' durations. {SPREAD / 1000} is calibrated. Without a spread, running ahead gains little: all blocks of a level end together."]
    section.plot = lambda axes: draw_lines(axes, [spread / 1000 for spread in SPREADS], curves, "spread of durations", "speed-up over Global, %")
    return section


def parameters(_):
    timing = (ROOT / "runtime/blocks/dats/DatsTiming.h").read_text()
    value = lambda name: f"{int(re.search(name + r' = ([0-9]+)', timing)[1]):,}"
    rows = [["compute units; slots of each", "15; 8", "the paper, section 5.1"],
            ["time of a launch by the host, cycles", value("hostLaunch"), "the paper: 30 microseconds at 700 MHz"],
            ["compute time by launch time at 1K, 4K, 9K nodes", "8, 5, 3", "the paper, averages; each program's mean duration of a block follows from it"],
            ["local nodes, local edges; LRR", "512, 2,048", "the paper, section 5.1"],
            ["local nodes, local edges; LVL", "128, 512", "the paper, section 5.1"],
            ["pending updates; bound of LVL", "64; 3", "the paper, section 5.1"],
            ["duration of a block, relative to other blocks of its program", "its instructions", "counted: those that its wavefronts of 32 threads issue"],
            ["spread of durations", decimal(SPREAD / 1000), "calibrated: LRR and LVL are near the paper's averages"],
            ["time of a launch by the device, cycles", value("deviceLaunch"), "calibrated: CDP is 6.87 percent faster than Global at 4K nodes"],
            ["memory requests of a block", value("blockRequests"), "calibrated: the overhead of the scheduler is 0.12 percent at 4K nodes"],
            ["latency of a request of the scheduler, cycles", value("memoryLatency"), "chosen"],
            ["time of an empty join node, cycles", value("joinNode"), "chosen"]]
    section = Section("Parameters", None, ["Parameter", "Value", "From"], rows)
    section.text = ["All programs have the same parameters. No number is chosen for one program.",
                    "Not modelled: caches (so there is no Figure 11), memory, and the schedulers of warps."]
    return section


#===-- Figures ------------------------------------------------------------------------------------------------------===#


def draw_bars(axes, names, series, label, lines, log=False):
    width = 0.8 / len(series)
    for index, (name, values) in enumerate(series.items()):
        axes.bar([place + (index - (len(series) - 1) / 2) * width for place in range(len(names))], values, width, label=name)
    for index, (name, value) in enumerate(lines.items()):
        axes.axhline(value, color=f"C{index}" if len(lines) > 1 else "black", linestyle="--", linewidth=1, label=name)
    axes.set_xticks(range(len(names)), names, rotation=20)
    axes.set_ylabel(label)
    if log:
        axes.set_yscale("log")
    axes.legend(fontsize=8, ncol=2)


def draw_lines(axes, places, curves, label, unit, log=False, dashed=()):
    for index, (name, values) in enumerate(curves.items()):
        axes.plot(places, values, "--" if name in dashed else "-", marker="o", markersize=4, color=f"C{index}", label=name)
    if log:
        axes.set_xscale("log", base=2)
        axes.set_xticks(places, [f"{place}" for place in places])
    axes.set_xlabel(label)
    axes.set_ylabel(unit)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def write_csv(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--driver", required=True)
    parser.add_argument("--examples", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--quick", action="store_true")
    bench = Bench(parser.parse_args())
    out = Path(bench.options.out)
    (out / "wireframe").mkdir(parents=True, exist_ok=True)
    speedups = SpeedUps(bench)
    sections = [parameters(bench), *of_programs(bench, speedups), averages(bench, speedups)]
    for part in (barriers, one_ratio, ratios, requests, level_ranges, bounds, local_nodes, local_edges, pending_updates, deadlocks, spreads):
        sections.append(part(bench))
        print(sections[-1].title, flush=True)
    write_csv(out / "wireframe.csv", bench.rows)
    has_figures = draw_figures(out / "wireframe", sections)
    write_markdown(out / "wireframe.md", sections, has_figures)
    write_html(out / "wireframe", sections, has_figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
