"""The wavefronts of `scripts/bench wireframe`, and the systems that run them. The sources are in bench/wireframe."""
import re
from dataclasses import dataclass, replace
from pathlib import Path

from .programs import BENCH
from .variants import ELISION, PAIR, Variant, compile_file

SOURCES = BENCH / "wireframe"
BEGIN, END = "<!-- made by scripts/bench wireframe: begin -->", "<!-- made by scripts/bench wireframe: end -->"
MICROSECOND = 800  # steps of a node that take about 1 us


@dataclass(frozen=True)
class Wavefront:
    """A square of nodes. `repeats` is how often a process runs it; `is_optional`: only if its name is given.

    `must` and `aim` are goals: the ratio of one worker's time to the serial elision's.
    `alignment`: each node aligns 64 x 64 letters, in sources of its own.
    `irregular`: as many nodes with random parents, in sources of their own.
    """
    name: str
    side: int
    work: int
    repeats: int
    is_optional: bool = False
    must: float | None = None
    aim: float | None = None
    alignment: bool = False
    irregular: bool = False

    @property
    def summary(self):
        if self.irregular:
            return f"empty nodes, {self.side} x {self.side} with random parents"
        kind = "alignment in blocks of 64 x 64" if self.alignment else "nodes of about 1 us" if self.work else "empty nodes"
        return f"{kind}, {self.side} x {self.side}"

    @property
    def elision(self):
        return "alignment-loops.cpp" if self.alignment else "irregular-elision.cpp" if self.irregular else "elision.cpp"

    @property
    def systems(self):
        return ALIGNMENTS if self.alignment else IRREGULAR if self.irregular else SYSTEMS

    def at_size(self, is_quick):
        return replace(self, side=16, repeats=2) if is_quick else self

    @property
    def nodes(self):
        return self.side * self.side * self.repeats

    @property
    def arguments(self):
        return [self.side, self.work, self.repeats]


WAVEFRONTS = (
    Wavefront("empty-64", 64, 0, 50, must=6, aim=3),
    Wavefront("empty-512", 512, 0, 3, must=6, aim=3),
    Wavefront("empty-1024", 1024, 0, 2, is_optional=True, must=8, aim=4),
    Wavefront("irregular-512", 512, 0, 3, must=6, aim=3, irregular=True),
    Wavefront("1us-64", 64, MICROSECOND, 5, must=0.2, aim=0.08),
    Wavefront("1us-512", 512, MICROSECOND, 1, must=0.1, aim=0.06),
    Wavefront("align-128", 128, 0, 2, must=0.25, aim=0.2, alignment=True),
)


@dataclass(frozen=True)
class System:
    label: str
    kind: str      # one of variants.Variant's
    source: str
    variable: str  # of the environment, for the number of threads
    flags: tuple = ()
    libraries: tuple = ()

    @property
    def is_own(self):
        return self.kind == "cilk2gpu"


SYSTEMS = (
    System("cilk2gpu", "cilk2gpu", "blocks.cpp", "CILK2GPU_WORKERS"),
    System("cilk2gpu, arrays", "cilk2gpu", "blocks.cpp", "CILK2GPU_WORKERS", ("-DBENCH_ARRAYS",)),
    System("cilk2gpu, LVL", "cilk2gpu", "blocks.cpp", "CILK2GPU_WORKERS", ("-DBENCH_LVL",)),
    System("cilk_for for each wave", "cilk2gpu", "waves.cpp", "CILK2GPU_WORKERS"),
    System("cilk_for for each wave, arrays", "cilk2gpu", "waves.cpp", "CILK2GPU_WORKERS", ("-DBENCH_ARRAYS",)),
    System("OpenMP depend", "openmp", "openmp.cpp", "OMP_NUM_THREADS", ("-fopenmp",)),
    System("oneTBB flow graph", "onetbb", "onetbb.cpp", "BENCH_THREADS", libraries=("-ltbb",)),
    System("oneTBB, built once", "onetbb", "onetbb.cpp", "BENCH_THREADS", ("-DBENCH_ONCE",), ("-ltbb",)),
    System("Taskflow", "taskflow", "taskflow.cpp", "BENCH_THREADS"),
    System("Taskflow, built once", "taskflow", "taskflow.cpp", "BENCH_THREADS", ("-DBENCH_ONCE",)),
)

# Systems whose graphs come from lists of parents. Taskflow and oneTBB build theirs for each run, and so does cilk2gpu.
IRREGULAR = (
    System("cilk2gpu, arrays", "cilk2gpu", "irregular-blocks.cpp", "CILK2GPU_WORKERS"),
    System("cilk2gpu, LVL", "cilk2gpu", "irregular-blocks.cpp", "CILK2GPU_WORKERS", ("-DBENCH_LVL",)),
    System("oneTBB flow graph", "onetbb", "irregular-onetbb.cpp", "BENCH_THREADS", libraries=("-ltbb",)),
    System("Taskflow", "taskflow", "irregular-taskflow.cpp", "BENCH_THREADS"),
)

# The serial elision is made of the loops that blocks replace. Threads of a block are lanes, unless they are fibers.
ALIGNMENTS = (
    System("cilk2gpu", "cilk2gpu", "alignment-blocks.cpp", "CILK2GPU_WORKERS"),
)


def find(names):
    """Returns the wavefronts of these names, or those that are not optional. Raises KeyError with an unknown name."""
    known = {wavefront.name: wavefront for wavefront in WAVEFRONTS}
    return [known[name] for name in names] if names else [each for each in WAVEFRONTS if not each.is_optional]


def _build(tools, source, compiler, flags, libraries, target):
    """Compiles a source unless that is done already: several wavefronts have the same binaries."""
    if not target.exists():
        compile_file([compiler, *tools.flags, "-std=c++20", "-w", *flags], SOURCES / source, target, libraries)
    return target


def build_all(tools, wavefront, folder, workers, peers=True):
    """Returns the variants of a wavefront that this machine can run, the serial elision first."""
    elision = _build(tools, wavefront.elision, tools.clangxx, (), (), folder / Path(wavefront.elision).stem)
    variants = [Variant(ELISION, "elision", elision)]
    if max(workers) > 1 and wavefront.work:  # processes with empty nodes end before they overlap
        variants.append(Variant(PAIR, "pair", elision, 2))
    for number, system in enumerate(wavefront.systems):
        if not system.is_own and not (peers and tools.has(system.kind)):
            continue
        compiler = f"{tools.driver}++" if system.is_own else tools.clangxx
        flags = (*system.flags, f"-I{tools.taskflow}") if system.kind == "taskflow" else system.flags
        binary = _build(tools, system.source, compiler, flags, system.libraries, folder / f"{Path(system.source).stem}{number}")
        variants += [Variant(f"{system.label}, {count}", system.kind, binary, count, {system.variable: str(count)})
                     for count in workers]
    return variants


def clock(result):
    """Returns the (seconds, CPU seconds) of the runs in a process, which the process prints."""
    found = re.search(r"^seconds ([0-9.]+) cpu ([0-9.]+)$", result.errors, re.MULTILINE)
    return float(found.group(1)), float(found.group(2))


def _cell(result, label):
    row = next((row for row in result["variants"] if row["variant"] == label), {})
    if row.get("ratio") is None:
        return row.get("problem", "").split(":")[0].lower()
    elision = result["variants"][0]["median_ms"]
    return f"{row['ratio']:.2f} ({row['min_ms'] / elision:.2f} to {row['max_ms'] / elision:.2f})"


def markdown(results):
    """Returns a table with a row for each variant and a column for each wavefront."""
    found = results["programs"]
    labels = list(dict.fromkeys(row["variant"] for result in found for row in result["variants"]))
    lines = ["| | " + " | ".join(result["summary"] for result in found) + " |", "| --- |" + " --- |" * len(found),
             "| serial elision, ns for a node | " +
             " | ".join(f"{result['variants'][0]['ns_per_task']:.1f}" for result in found) + " |"]
    for label in labels:
        if label != ELISION:
            lines.append(f"| {label} | " + " | ".join(_cell(result, label) for result in found) + " |")
    machine, options = results["machine"], results["options"]
    beside = f"{options['load']} busy processes beside it; " if options["load"] else ""
    return "\n".join(lines + ["", f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['system']}; -O3 "
                              f"-march={options['march']}; medians of {options['rounds']} rounds (smallest to largest), "
                              f"{beside}{results['date']}."])
