"""The programs of the end-to-end tests, with arguments, settings, and the counts that must come out."""
import itertools
import json
import shlex
from dataclasses import dataclass
from pathlib import Path

import device_ir

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@dataclass(frozen=True)
class Program:
    """A source file, or a folder of source files that are linked together."""
    name: str
    path: Path
    flags: tuple = ()  # come after the runner's flags
    fake_gpu: Path = None  # folder of the fake drivers and of the libraries for them
    device_ir: str = ""  # GPU whose IR a fake driver runs, compiled for this machine

    def label(self):
        return " ".join((self.name, *self.flags, *(["fake GPU"] if self.fake_gpu else []), *(["as IR"] if self.device_ir else [])))

    def elision(self):
        """The program whose serial elision is the reference: only these flags may change the output of an elision."""
        return Program(self.name, self.path, tuple(f for f in self.flags if f.startswith(("-O3", "-march", "-std", "-ffast-math"))))

    def sources(self):
        if self.path.is_dir():
            return sorted(p for p in self.path.iterdir() if p.suffix in (".c", ".cpp", ".cilk"))
        return [self.path]

    def link_flags(self):
        flags = [str(self.fake_gpu / "liblane-image.a"), "-Wl,--wrap=__cilk2gpu_register"] if self.fake_gpu else []
        for source in filter(Path.exists, self.sources()):
            for line in source.read_text().splitlines()[:12]:
                if line.startswith("// Link: "):
                    flags += shlex.split(line.removeprefix("// Link: "))
        return flags


@dataclass(frozen=True)
class Case:
    program: Program
    arguments: tuple
    settings: tuple  # of (name, value)
    counts: tuple = ()  # of (counter, value), (counter, another that it does not exceed), or (counter, (N, another)): N times that
    timeout: int = 0  # seconds; 0 for the runner's limit
    must_succeed: bool = False  # the elision's exit status has to be 0: examples check themselves
    firmware: bool = False  # the aggregator is firmware, and all counters must be the same without it

    def __str__(self):
        # Settings that only name files are left out.
        settings = " ".join(f"{k.removeprefix('CILK2GPU_').lower()}={v}" for k, v in self.settings if "/" not in v)
        counts = "counts of " if self.counts else "firmware of " if self.firmware else ""
        return f"{counts}{' '.join((self.program.label(), *self.arguments))} [{settings or 'defaults'}]"


EXAMPLES = {
    "fib": "fib/fib.c",
    "fib-mit": "fib/fib.cilk",
    "queens": "queens/queens.c",
    "queens-bits": "queens/queens-bits.c",
    "sort": "sort/sort.c",
    "strassen": "strassen/strassen.c",
    "strassen-atomic": "strassen/strassen-atomic.c",
}

# Sizes of the examples in each mode.
QUICK_SIZES = {"fib": [0, 12], "fib-mit": [0, 12], "queens": [1, 6], "queens-bits": [1, 6], "sort": [0, 65, 3000],
               "strassen": [16, 128], "strassen-atomic": [16, 64]}
NORMAL_SIZES = {"fib": [0, 1, 2, 3, 12, 20], "fib-mit": [0, 1, 2, 4, 20], "queens": [1, 2, 4, 5, 8, 9],
                "queens-bits": [1, 2, 4, 5, 8, 9], "sort": [0, 1, 63, 64, 65, 257, 2049, 300000],
                "strassen": [16, 32, 128, 512], "strassen-atomic": [16, 32, 128, 256]}
LONG_SIZES = {"fib": range(33), "fib-mit": range(33), "queens": range(1, 13), "queens-bits": range(1, 13),
              "sort": [0, 1, 2, 63, 64, 65, 1000000, 5000000], "strassen": [16, 32, 64, 128, 256, 512, 1024],
              "strassen-atomic": [16, 32, 64, 128, 256, 512, 1024]}

# Larger sizes of the large-*.c programs, for the long mode.
LARGE_SIZES = {"align": 2500, "bfs": 30000, "cholesky": 120, "for-graph": 6000, "for-heat": 300, "for-linear": 250,
               "fourier": 17, "gravity": 5000, "heat": 300, "kdtree": 60000, "knapsack": 27, "lu": 32, "negamax": 5,
               "plane": 100000, "queens": 10, "quicksort": 300000, "rectmul": 200, "strings": 40000, "uts": 400}

# Other flags of compilations, after the runner's own: all of them in long mode. In normal mode, every fourth program has one of
# them by turns. Compiling a program takes longer than running it with all settings.
VARIANTS = [("-O0",), ("-O1", "-g"), ("-O2", "-fcilk-lanes=simd", "-fcilk-vector-length=4"), ("-O3", "-march=native")]

# The oldest, a common and the newest language standard: all for each program in long mode. In normal mode, the oldest or the
# newest by turns, together with one of the flags above, with which a program is compiled anyway.
STANDARDS = {".c": ("gnu11", "gnu17", "gnu23"), ".cpp": ("c++17", "c++20", "c++23")}
STANDARDS_QUICK = ("results", "control-flow", "large-for-linear", "for-iterators")


def settings(**values):
    return tuple((f"CILK2GPU_{name.upper()}", str(value)) for name, value in values.items())


def programs():
    folder = HERE / "programs"
    paths = [p for p in sorted(folder.iterdir()) if p.is_dir() or p.suffix in (".c", ".cpp", ".cilk")]
    stems = [path.stem for path in paths]
    return [Program(path.stem if stems.count(path.stem) == 1 else path.name, path) for path in paths]


def examples():
    return {name: Program(name, ROOT / "examples" / path) for name, path in EXAMPLES.items()}


def grids(mode):
    """The settings that every program runs with."""
    quick = [(), settings(wave=1, width=1, workers=1), settings(wave=4, width=2, workers=1, elide="never"),
             settings(wave=64, width=64, workers=2, kernels="avx2"), settings(elide="always"), settings(device="serial"),
             settings(schedule="random", seed=5, wave=16, width=32, workers=1), settings(schedule="adversarial", width=8, workers=2, kernels="avx2")]
    if mode == "quick":
        return quick
    waves = [1, 3, 4, 32, 64]
    wide = (itertools.product(waves, [4096, 65536]) if mode == "long" else
            [(1, 4096), (64, 4096), (3, 65536), (64, 65536)])
    full = [settings(wave=wave, width=width, workers=1, elide="never")
            for wave, width in [*itertools.product(waves, [1, 2, 64]), *wide]]
    elided = [settings(wave=1, width=1, workers=1), settings(elide="always", workers=2), settings(elide="always", wave=3, width=2)]
    several = [settings(wave=wave, width=width, workers=2) for wave, width in [(1, 1), (4, 2), (32, 64), (64, 4096)]]
    shuffled = [settings(schedule=schedule, seed=seed, wave=wave, width=width, workers=workers)
                for schedule, seed, wave, width, workers in
                [("random", 1, 64, 4096, 1), ("random", 2, 3, 2, 1), ("random", 3, 64, 64, 2), ("adversarial", 1, 64, 4096, 1),
                 ("adversarial", 1, 4, 1, 2)]]
    return [(), *full, *elided, *several, *shuffled, settings(device="native", workers=2), settings(device="serial")]


# Every program runs with these settings in every mode.
ALWAYS = [(), settings(wave=1, width=1, workers=1), settings(device="native", workers=2), settings(device="serial")]


def by_turns(mode, grid, number):
    """Returns the settings for program `number`. In normal mode, it has ALWAYS, and every third one of the others."""
    others = [chosen for chosen in grid if chosen not in ALWAYS]
    return grid if mode != "normal" else ALWAYS + others[number % 3::3]


# Settings of the modelled machine; the smallest width is 1.
MODEL = {"wave": [64, 1, 4, 32], "cus": [8, 1, 2], "width": [8192, 1, 64], "policy": ["levelized", "hybrid", "counted"],
         "schedule": ["rr", "random", "adversarial"], "progress": ["fair", "occupancy"], "done_count": [64, 1]}


def model_matrix():
    """Returns every combination of the modelled machine's settings."""
    return [settings(device="model", **dict(zip(MODEL, values))) for values in itertools.product(*MODEL.values())]


def model_pairs():
    """Returns few settings of the modelled machine in which every pair of two variables' values occurs."""
    names = list(MODEL)
    missing = {((a, x), (b, y)) for a, b in itertools.combinations(names, 2) for x in MODEL[a] for y in MODEL[b]}
    rows = [dict(zip(names, values)) for values in itertools.product(*MODEL.values())]
    chosen = []
    while missing:
        pairs = lambda row: {((a, row[a]), (b, row[b])) for a, b in itertools.combinations(names, 2)}
        best = max(rows, key=lambda row: len(pairs(row) & missing))  # the first of the best rows
        missing -= pairs(best)
        chosen.append(settings(device="model", **best))
    return chosen


# GPU-shaped runs on the CPU: a GPU's wave sizes, and odd wave sizes. The seed decides how lanes part.
GPU_HOST = [settings(device="gpu-host", wave=32), settings(device="gpu-host", wave=64, width=64),
            settings(device="gpu-host", wave=32, width=1, seed=7), settings(device="gpu-host", wave=3, width=2),
            settings(device="gpu-host", wave=1, width=8192), settings(device="gpu-host", wave=32, elide="always")]
# The same with a persistent kernel: its wavefronts run beside one another, and its aggregator feeds them.
PERSISTENT = [settings(device="gpu-host", aggregator="persistent", workers=3, wave=32, width=64),
              settings(device="gpu-host", aggregator="persistent", workers=2, wave=8, width=3, seed=5)]
# One worker: its lanes spawn in the same order in every run, so the scheduler's counters may be compared.
FIRMWARE_GPU_HOST = GPU_HOST + [settings(device="gpu-host", aggregator="persistent", workers=1, wave=32, width=64)]
PERSISTENT_QUICK = {"cilk-api", "dynamic-locals", "exceptions", "host-threads", "memory", "output"}


def scalar(mode):
    """Returns flags of programs whose tasks run on a device. Outside of long mode, they have no vectors for the CPU, which would
    take as long to compile."""
    return () if mode == "long" else ("-fcilk-lanes=scalar",)


def for_gpu_host(mode, program, fake_gpu=None):
    """A program with lanes for devices that the host plays."""
    return Program(program.name, program.path, (*program.flags, "--offload-arch=gpu-host", *scalar(mode)), fake_gpu)


# Programs that use pedigrees, which tasks on GPUs do not have.
PEDIGREES = {"pedigrees", "pedigrees-classes", "pedigrees-of-files"}

# Programs that do not compile for any device, not even for a host that plays one: functions that spawn throw themselves, or
# handlers wait. Or several files have an inline variable that is initialised at run time: the linker drops its initialisation,
# whose address is in a list for devices. Or tasks of a file without reducers lead to reducers of other files.
GPU_HOST_REFUSED = {"exceptions-in-order", "exceptions-of-loops", "exceptions-of-nests", "reducers-in-order", "reducers-of-files",
                    "reducers-of-headers"} | PEDIGREES


# Programs with reducers that tasks do not only update in place. So they need views, which a GPU does not have.
NEED_VIEWS = {"reducer-forms.c", "reducer-forms.cpp", "reducer-references", "reducers", "reducers-beside-orders", "reducers-classes", "reducers-in-order",
              "reducers-kept", "reducers-of-files", "reducers-of-functions", "reducers-of-headers", "reducers-pieces", "reducers-several"}

# All programs with reducers. A fake driver with code for gpu-host is a GPU for the runtime, so tasks have no places for
# their views, but that code uses views.
REDUCERS = NEED_VIEWS | {"reducers-in-place", "reducers-returned"}


def device_halves(mode):
    """Returns the programs that run with lanes as fibers, and the programs that run on fake drivers. In long mode, all run both
    ways. In other modes, a sixth runs one way, and another sixth the other way."""
    halves = (programs(), programs()) if mode == "long" else (programs()[::6], programs()[3::6])
    refused = (GPU_HOST_REFUSED, GPU_HOST_REFUSED | REDUCERS)
    return tuple([program for program in half if program.name not in names] for half, names in zip(halves, refused))


def gpu_host_cases(mode, chosen):
    """Returns programs compiled for a device, on a host that plays the device. In normal mode, each has every second row."""
    def rows(number, program):
        if mode == "long":
            return GPU_HOST + PERSISTENT
        if mode == "normal":
            return (GPU_HOST + PERSISTENT)[number % 2::2]
        return [*GPU_HOST[1:3], GPU_HOST[-1]] + (PERSISTENT[:1] if program.name in PERSISTENT_QUICK else [])
    return [Case(for_gpu_host(mode, program), arguments, row)
            for number, (program, arguments) in enumerate(chosen) for row in rows(number, program)]


# The host's side of GPUs, with a fake driver (test/unit/fake-drivers): memory is registered for each run, or reached as it is.
FAKE_GPU = [settings(device="cuda") + (("FAKE_GPU_PAGEABLE", "0"),),
            settings(device="cuda", width=64) + (("FAKE_GPU_PAGEABLE", "1"),),
            settings(device="cuda", width=1) + (("FAKE_GPU_PAGEABLE", "1"),)]
# The same with a persistent kernel, whose wavefronts run beside one another. Some of its blocks run only after others.
FAKE_PERSISTENT = [settings(device="cuda", aggregator="persistent", width=64) + (("FAKE_GPU_PAGEABLE", "1"),),
                   settings(device="cuda", aggregator="persistent", width=3) + (("FAKE_GPU_PAGEABLE", "0"), ("FAKE_GPU_RESIDENT", "1"))]


def fake_gpu_cases(mode, chosen, folder):
    """Returns programs whose kernels a fake driver runs, if it has been built. It needs the lanes' functions, but no image. In normal
    mode, each program has every third row."""
    library = folder / "libfakecuda.so"
    if not library.exists():
        return []
    fake = settings(cuda_library=library) + (("FAKE_GPU_MEMORY", str(1 << 32)),)
    def rows(number, program):
        if mode == "long":
            return FAKE_GPU + FAKE_PERSISTENT
        if mode == "normal":
            return (FAKE_GPU + FAKE_PERSISTENT)[number % 3::3]
        return FAKE_GPU[1:2] + (FAKE_PERSISTENT[:1] if program.name in PERSISTENT_QUICK else [])
    return [Case(for_gpu_host(mode, program, folder), arguments, row + fake)
            for number, (program, arguments) in enumerate(chosen) for row in rows(number, program)]


# Graphs written by hand (cilk2gpu/Graph.h), and their arguments. Their kernels run on every device. The argument of `narrow` is the
# width of channels in which kernels wait for room.
GRAPHS = {"graph-fibonacci": (ROOT / "examples/graph/fibonacci.cpp", ["12"]),
          "graph-fibonacci-stack": (ROOT / "examples/graph/fibonacci-stack.cpp", ["12"]),
          "graph-narrow": (HERE / "graphs/narrow.cpp", ["1", "3", "64"])}


def graphs():
    """Returns the graphs written by hand, with each argument."""
    return [(Program(name, path), (argument,)) for name, (path, arguments) in GRAPHS.items() for argument in arguments]


def graph_cases(mode, chosen):
    """Returns graphs on the devices that this CPU plays. In quick mode, a wavefront has three lanes."""
    rows = [settings(device=device, wave=wave) for device in ("native", "model", "gpu-host") for wave in ((3,) if mode == "quick" else (1, 3, 64))]
    return [Case(program, arguments, row) for program, arguments in chosen for row in rows]


def interpreted_graphs(chosen, arch, kind, folder, mode="normal", registered=False):
    """Returns graphs on the GPU `arch`, which a fake driver plays. `kind`: its code is run as "ir", "ptx" or "isa". The seed says which lane
    goes on first. The GPU has more lanes than kernels that wait for room. In some runs it reaches registered memory only."""
    more = device_ir.environment(arch, folder, registered, kind)
    rows = [settings(seed=seed) for seed in ((1, 2, 3) if mode == "long" else (1,))]
    return [Case(Program(program.name, program.path, (f"--offload-arch={arch}",), device_ir=arch if kind == "ir" else ""), arguments,
                 row + tuple({**more, "FAKE_GPU_BLOCKS": "16", **({"FAKE_GPU_PAGEABLE": "0"} if turn % 2 else {})}.items()), timeout=300)
            for turn, (program, arguments) in enumerate(chosen) for row in rows if more]


# Programs that run as a GPU's IR. Their tasks ask the host for something, call through pointers, or show locals to the host or to
# children.
DEVICE_IR_QUICK = {"atomics", "dynamic-calls", "exit-in-task", "host-threads", "libc-callees", "local-arrays", "memory", "mutual-recursion",
                   "output", "results", "struct-results", "updates"}


def device_ir_cases(programs, arch, folder, registered=False, mode="long"):
    """Returns programs whose kernels are the IR of the GPU `arch` (device_ir.py), lanes one after the other, in wide and narrow channels.
    Outside of long mode, each program has one of them by turns."""
    def rows(number):
        both = (settings(width=64), settings(width=1))
        return both if mode == "long" else both[number % 2:][:1]
    more = device_ir.environment(arch, folder, registered)
    flags = (f"--offload-arch={arch}", *scalar(mode))
    return [Case(Program(program.name, program.path, (*program.flags, *flags), device_ir=arch), arguments,
                 row + tuple(more.items()), timeout=300) for number, (program, arguments) in enumerate(programs) for row in rows(number) if more]


def interpreted_cases(programs, arch, folder, registered=False, kind="ptx", mode="long", more_flags=()):
    """Returns programs whose code for `arch` a fake driver runs: PTX (test/unit/fake-drivers/ptx), or with the kind "isa" machine code
    (test/unit/fake-drivers/amd). Dispatches are launches, in wide channels and in channels in which lanes yield, or persistent kernels run
    them. Outside of long mode, each program has one of these ways by turns, and the persistent kernel only if it runs."""
    more = device_ir.environment(arch, folder, registered, kind)

    def flags(row):
        persistent = ("-foffload-persistent",) if mode == "long" or row == INTERPRETED[-1] else ()
        return (f"--offload-arch={arch}", *persistent, *more_flags, *scalar(mode))
    return [Case(Program(program.name, program.path, (*program.flags, *flags(row))), arguments, row + tuple(more.items()), timeout=600)
            for number, (program, arguments) in enumerate(programs)
            for row in (INTERPRETED if mode == "long" else INTERPRETED[number % 3:][:1]) if more]


# Programs that no GPU can run. Their tasks throw exceptions, jump, look at errno, ask for their worker's number, or use long
# double, the host's inline assembly, variadic functions of their own, or ordered spawns on arrays of variable size. GPUs can
# run all others.
GPU_REFUSED = {"block-captures", "cilk-api", "class-assignments", "depend-arrays", "exceptions", "exceptions-in-order", "exceptions-of-loops",
               "exceptions-of-nests", "holding-chains", "holding-forwarders", "inlet-structures", "inlets", "inline-asm", "int128", "math-errno",
               "mit-library", "mit-locks", "regress-long-double", "spawned-objects", "static-locals", "try-statements", "variadic-callees",
               "variadic-forwarders"} | PEDIGREES | NEED_VIEWS

# On a real GPU: wide channels, and channels in which lanes yield; launches by the host, and persistent kernels.
GPU = [(), settings(width=64), settings(width=1), settings(aggregator="persistent", width=64), settings(aggregator="persistent")]
INTERPRETED = GPU[1:4]


def fit_for_gpus():
    """Returns the programs and examples that GPUs do not refuse, with arguments."""
    fit = [(program, ()) for program in programs() if program.name not in GPU_REFUSED]
    return fit + [(program, (str(size),)) for name, program in examples().items() for size in QUICK_SIZES[name]]


def gpu_cases(mode, gpu, fake_gpu, registered, managed=False):
    """Returns all programs and examples on this machine's GPU. `gpu` is the value of CILK2GPU_DEVICE, ':', and one of these: the
    architecture; 'fake' for the drivers in the folder `fake_gpu`; 'ir-', 'ptx-' or 'isa-' with an architecture. With a prefix, a fake
    driver runs its IR, PTX or machine code. The device reaches registered memory only, or all memory. `managed`: programs are linked with
    -foffload-managed."""
    device, arch = gpu.split(":")
    more_flags = ("-foffload-managed",) if managed else ()
    folder, more = None, ()
    kind, _, name = arch.partition("-")
    if kind in ("ir", "ptx", "isa"):
        fit = fit_for_gpus()
        of_kind = device_ir_cases(fit, name, fake_gpu, registered) if kind == "ir" else interpreted_cases(fit, name, fake_gpu, registered, kind, more_flags=more_flags)
        return of_kind + interpreted_graphs(graphs(), name, kind, fake_gpu, registered=registered)
    if arch == "fake":
        folder, arch = fake_gpu, "gpu-host"
        more = settings(cuda_library=fake_gpu / "libfakecuda.so") + (("FAKE_GPU_MEMORY", str(1 << 32)), ("FAKE_GPU_PAGEABLE", "1"))
    sizes = {"quick": QUICK_SIZES, "normal": NORMAL_SIZES, "long": LONG_SIZES}[mode]
    refused = GPU_REFUSED if arch != "gpu-host" else GPU_HOST_REFUSED | REDUCERS if folder else GPU_HOST_REFUSED
    chosen = [(program, ()) for program in programs() if program.name not in refused]
    chosen += [(program, (str(size),)) for name, program in examples().items() for size in sizes[name]]
    # A fake device fills the memory of wide channels with a pattern, which takes long.
    rows = [GPU[1], GPU[3]] if mode == "quick" else GPU[:4] if folder else GPU
    def case(program, arguments, row):
        flags = (*program.flags, f"--offload-arch={arch}", "-foffload-persistent", *more_flags)
        return Case(Program(program.name, program.path, flags, folder), arguments, settings(device=device) + row + more, must_succeed=bool(arguments))
    by_hand = [] if folder else [case(*graph, ()) for graph in graphs()]  # the fake driver has no code of a GPU
    return [case(program, arguments, row) for program, arguments in chosen for row in rows] + by_hand


def lacks_pageable(status, _out, err):
    """Returns the message of a run on a GPU whose tasks need memory that the device does not reach; None for other runs."""
    said = [line for line in err.decode(errors="replace").splitlines() if "the device does not reach pageable memory" in line]
    return said[0].removeprefix("cilk2gpu: error: ") if status == 1 and said else None


# The memory in use never exceeds the bound, and the bound never exceeds the limit.
WITHIN_BOUND = (("memory_high_water", "memory_bound"), ("memory_bound", "memory_limit"))

# Programs that end inside a run. Their statistics have no bound.
ENDS_INSIDE = {"exit-in-task", "mit-library"}


def within_bound(program):
    return () if program.name in ENDS_INSIDE else WITHIN_BOUND


def model_cases(mode, chosen_programs):
    """Runs on the modelled machine. In normal mode, each program has every third of the pairs' rows; in quick mode, some of them,
    all rows in turn."""
    pairs = model_pairs()
    if mode == "long":
        return [Case(program, (), row, within_bound(program)) for program in chosen_programs for row in model_matrix()]
    if mode == "normal":
        return [Case(program, (), row, within_bound(program)) for number, program in enumerate(chosen_programs) for row in pairs[number % 3::3]]
    return [Case(program, (), pairs[(2 * number + i) % len(pairs)], within_bound(program)) for number, program in enumerate(chosen_programs)
            for i in range(2)]


# Programs whose aggregator runs as firmware in quick mode. Other modes add all programs, except large ones and cilk-api. The
# emulator takes some 16 ns an instruction, a task costs thousands of instructions at width 1, and cilk-api has 400,000 tasks. In
# normal mode, the added programs run one way, with lanes as fibers or on the modelled machine. In quick mode, some programs run
# both ways.
FIRMWARE_PROGRAMS = {"results", "control-flow", "two-files", "large-queens", "generic", "function-pointers", "for-iterators",
                     "dynamic-locals", "main-spawns", "structs", "host-threads"}
FIRMWARE_ON_LANES = {"results", "function-pointers", "dynamic-locals", "main-spawns", "host-threads"}


# Programs whose threads enqueue roots in any order: no two runs have the same counters.
ANY_ORDER = {"host-threads"}


def firmware_cases(mode, chosen):
    """Runs whose aggregator is firmware, on the modelled machine and with lanes as fibers: some of the rows, all rows in turn."""
    pairs = model_pairs()
    first, second = ({program.name for program in half} for half in device_halves(mode))
    on_lanes, on_model = (FIRMWARE_ON_LANES, FIRMWARE_PROGRAMS) if mode == "quick" else (first, second | FIRMWARE_PROGRAMS)
    each = len(pairs) if mode == "long" else 1
    modelled = [(program, arguments) for program, arguments in chosen if arguments or program.name in on_model]
    result = [Case(program, arguments, pairs[(each * number + i) % len(pairs)], timeout=300, firmware=True)
              for number, (program, arguments) in enumerate(modelled) for i in range(each)]
    each = len(FIRMWARE_GPU_HOST) if mode == "long" else 1
    lanes = [(for_gpu_host(mode, program), arguments) for program, arguments in chosen if arguments or program.name in on_lanes]
    return result + [Case(program, arguments, FIRMWARE_GPU_HOST[(each * number + i) % len(FIRMWARE_GPU_HOST)], timeout=300, firmware=True)
                     for number, (program, arguments) in enumerate(lanes) for i in range(each)]


# The bound is close to the memory in use.
CLOSE_TO_BOUND = (*WITHIN_BOUND, ("memory_bound", (2, "memory_high_water")))
BOUND_SIZES = {"fib": 20, "fib-mit": 20, "queens": 8, "queens-bits": 8, "sort": 20000, "strassen": 128, "strassen-atomic": 256}


BENCH_SIZES = {"fib": 20, "mandelbrot": 64, "queens-bits": 8, "queens-boards": 7, "sort": 20000, "strassen": 128, "tiny": 12, "tree": 6}


def close_bounds(mode):
    """The memory of examples and benchmarks beside the bound: at small widths, and at the default width."""
    widths, policies, units = ([1, 64], ["levelized"], [1]) if mode == "quick" else ([1, 16, 8192], MODEL["policy"], [1, 8])
    rows = [settings(device="model", cus=cus, width=width, policy=policy) for width in widths for policy in policies for cus in units]
    rows += [(), settings(elide="never"), settings(width=64, wave=3, workers=1)]
    cases = [Case(program, (str(BOUND_SIZES[name]),), row, CLOSE_TO_BOUND) for name, program in examples().items() for row in rows]
    # The benchmarks run at the default width, with and without elisions.
    benches = {name: Program(f"bench-{name}", ROOT / "bench" / "programs" / f"{name}.c") for name in BENCH_SIZES}
    return cases + [Case(program, (str(BENCH_SIZES[name]),), row, CLOSE_TO_BOUND) for name, program in benches.items()
                    for row in ((), settings(elide="never"))]


def exact_counts():
    """Counts from Orr et al. (ISCA 2014), Table 3, and from the shape of the recursion."""
    # As in the paper, tasks that only sum up are tasks here, and so are tasks that return at once.
    as_written = ("-fno-cilk-combine", "-fno-cilk-inline")
    known = {name: Program(p.name, p.path, (*p.flags, *as_written)) for name, p in examples().items()}
    chain, many = (Program(name, HERE / "programs" / f"{name}.c") for name in ("deep-chain", "many-children"))

    def case(program, argument, width, **counts):
        values = settings(wave=64, width=width, workers=1, policy="levelized")
        return Case(program, (str(argument),), values, (*counts.items(), *WITHIN_BOUND), must_succeed=True)

    def model(program, argument, width, cus, schedule, **counts):
        values = settings(device="model", wave=64, width=width, cus=cus, schedule=schedule)
        return Case(program, (str(argument),), values, tuple(counts.items()), must_succeed=True)

    return [
        case(known["fib-mit"], 24, 32768, tasks=92735, wavefronts=2192),
        case(known["fib"], 24, 32768, tasks=150049),
        case(known["fib"], 24, 1, tasks=150049),
        case(known["strassen-atomic"], 512, 8192, tasks=37449, wavefronts=587),
        case(known["strassen-atomic"], 128, 1, tasks=585),
        case(chain, 1000, 64, tasks=1001, levels=1001),
        case(many, 60, 64, tasks=61, wavefronts=3),
        *(model(known["fib-mit"], 24, 32768, cus, schedule, tasks=92735, wavefronts=2192)
          for cus in (1, 8) for schedule in ("rr", "random", "adversarial")),
        *(model(known["strassen-atomic"], 512, 8192, cus, schedule, tasks=37449, wavefronts=587)
          for cus in (1, 8) for schedule in ("rr", "random", "adversarial")),
    ]


def extremes(mode):
    """Very deep recursion and very many children, in channels far too small for them."""
    chain, many = (Program(name, HERE / "programs" / f"{name}.c") for name in ("deep-chain", "many-children"))
    result = [Case(chain, ("100000",), s) for s in [settings(width=1), ()]]
    result += [Case(many, ("120000",), s) for s in [settings(width=1), settings(width=64), ()]]
    result += [Case(chain, ("100000",), settings(device="model")), Case(many, ("120000",), settings(device="model", width=64))]
    if mode == "long":
        result += [Case(chain, ("100000",), settings(wave=wave, width=width, workers=2))
                   for wave in (1, 4, 64) for width in (1, 2, 64)]
        result += [Case(many, ("120000",), settings(wave=wave, width=width, workers=2))
                   for wave in (1, 4, 64) for width in (1, 2, 4096)]
    return result


def standards(mode):
    """Returns programs in every language standard, with one setting that makes lanes yield. Normal mode has the variants instead."""
    chosen = {"quick": [p for p in programs() if p.name in STANDARDS_QUICK], "normal": [], "long": programs()}[mode]
    return [Case(Program(program.name, program.path, (f"-std={standard}",)), (), settings(wave=4, width=2))
            for program in chosen for standard in STANDARDS.get(program.sources()[0].suffix, ())[::1 if mode == "long" else 2]]


def variants(mode):
    """Returns programs compiled with other flags: all of them in long mode. In normal mode, every fourth program has one of them by
    turns, with the oldest or the newest standard."""
    def flags(turn, program):
        if mode == "long":
            return VARIANTS
        standard = [f"-std={s}" for s in STANDARDS.get(program.sources()[0].suffix, ())[::2]][turn // 4 % 2:][:1]
        return [(*VARIANTS[turn % 4], *standard)]
    if mode == "quick":
        return []
    return [Case(Program(program.name, program.path, chosen), (), row) for turn, program in enumerate(programs()[::1 if mode == "long" else 4])
            for chosen in flags(turn, program) for row in grids("quick")
            if chosen == VARIANTS[-1] or row != settings(device="serial")]


# A dozen programs that differ in what their text has to hold: several files, C++, exceptions, threads, vectors, spawns in main.
THROUGH_QUICK = {"results", "control-flow", "two-files", "exceptions", "generic", "function-pointers", "for-iterators", "dynamic-locals",
                 "main-spawns", "structs", "lanes", "inline-asm", "fib", "strassen-atomic"}


def through_cases(mode):
    """Programs compiled through their text in MLIR: a run of each on one worker, and one on the modelled machine. The default policy of
    native runs reads the clock, so their counters would differ."""
    rows = [settings(wave=8, width=16, workers=1, elide="never", policy="levelized"), settings(device="model", wave=4, width=64, cus=2)]
    chosen = [(program, ()) for program in programs()]
    chosen += [(program, (str(QUICK_SIZES[name][-1]),)) for name, program in examples().items()]
    return [Case(program, arguments, row) for program, arguments in chosen if mode != "quick" or program.name in THROUGH_QUICK
            for row in rows]


# C++ programs that had crashes or much code for exceptions: quick mode compiles these with -fno-cilk-exceptions.
UNTHROWING_QUICK = {"returned-spawns", "exceptions"}


def unthrowing(mode):
    """Returns C++ programs compiled with -fno-cilk-exceptions: all of them in long mode, every fourth one in normal mode.
    Programs that throw in functions that spawn are refused."""
    chosen = [p for p in programs() if p.sources()[0].suffix == ".cpp" and p.name not in GPU_HOST_REFUSED]
    chosen = chosen if mode == "long" else [p for n, p in enumerate(chosen) if p.name in UNTHROWING_QUICK or (mode == "normal" and n % 4 == 0)]
    rows = [settings(wave=1, width=1), settings(wave=3, workers=2), settings(wave=64, elide="never"), settings(elide="always")]
    return [Case(Program(p.name, p.path, (*p.flags, "-fno-cilk-exceptions")), (), row) for p in chosen for row in rows]


# Programs for kernels in vectors: they are compiled for every vector length, and run in vectors of each instruction set.
VECTOR_PROGRAMS = {"lanes", "lane-clones", "private-arrays", "divergence", "local-arrays", "structs", "math", "math-errno"}


def vectors(mode):
    """Returns kernels in vectors of every length. Lanes are refused space in some runs."""
    chosen = [p for p in programs() if p.name in (VECTOR_PROGRAMS if mode != "quick" else {"private-arrays"})]
    rows = [(), settings(kernels="avx2", wave=7, width=3), settings(kernels="sse", wave=5, width=7)]
    if mode != "quick":
        rows += [settings(kernels="avx2"), settings(kernels="sse"), settings(wave=7, width=3)]
    # Instruction sets of another processor make no form.
    flags = ("-O2", "-fcilk-lanes=simd", "-fcilk-vector-isa=avx512,avx2,sse,neon")
    fast = [Case(Program(p.name, p.path, (*flags, "-ffast-math")), (), row) for p in programs() if p.name in ("folds", "math") for row in rows]
    # In long mode, four of the five lengths for each program, another four for the next; in other modes, one of them.
    lengths = (4, 8, 16, 32, 64)

    def chosen_lengths(number):
        return [lengths[(number + i) % 5] for i in ((3, 4, 5, 6) if mode == "long" else (0,))]
    return fast + [Case(Program(p.name, p.path, (*flags, f"-fcilk-vector-length={length}")), (), row)
                   for number, p in enumerate(chosen) for length in chosen_lengths(number) for row in rows]


# Programs about this processor's instructions, or about types that Clang has for this processor alone (wide _BitInt).
X86 = {"inline-asm", "extended-types"}


def runs_elsewhere(case):
    """Returns whether a case can run on another processor: it names no instruction, set or library of this processor."""
    return (not case.firmware and not case.program.fake_gpu and not case.program.device_ir and "-march=native" not in case.program.flags
            and case.program.name not in X86)


def choose(mode, fake_gpu):
    """All cases of a mode: quick, normal or long. `fake_gpu`: the folder where the fake drivers are built."""
    sizes = {"quick": QUICK_SIZES, "normal": NORMAL_SIZES, "long": LONG_SIZES}[mode]
    grid = grids(mode)
    result = exact_counts()
    result += close_bounds(mode)
    result += extremes(mode)
    result += standards(mode)
    result += vectors(mode)
    result += [Case(program, (), chosen, () if chosen == settings(device="serial") else within_bound(program))
               for number, program in enumerate(programs()) for chosen in by_turns(mode, grid, number)]
    result += model_cases(mode, programs())
    result += firmware_cases(mode, [(program, (str(sizes[name][-1] if mode == "quick" else sizes[name][-3]),))
                                    for name, program in examples().items()])
    result += firmware_cases(mode, [(program, ()) for program in programs()
                                    if program.name in FIRMWARE_PROGRAMS or
                                    (mode != "quick" and not program.name.startswith(("large-", "cilk-api")))])
    host, fake = device_halves(mode)
    result += gpu_host_cases(mode, [(program, ()) for program in host])
    result += gpu_host_cases(mode, [(program, (str(sizes[name][-1] if mode == "quick" else sizes[name][-2]),))
                                    for name, program in examples().items()])
    result += fake_gpu_cases(mode, [(program, ()) for program in fake], fake_gpu)
    result += variants(mode)
    result += unthrowing(mode)
    as_ir = [(program, ()) for program in programs() if program.name in DEVICE_IR_QUICK]
    for turn, arch in enumerate(device_ir.GPUS):
        result += device_ir_cases(as_ir if mode == "long" else as_ir[turn::len(device_ir.GPUS)], arch, fake_gpu, mode=mode)
    result += interpreted_cases(as_ir if mode == "long" else as_ir[1::len(device_ir.GPUS)], "sm_90", fake_gpu, mode=mode)
    for turn, arch in enumerate(device_ir.ISA_GPUS):
        result += interpreted_cases(fit_for_gpus() if mode == "long" else as_ir[turn::6], arch, fake_gpu, kind="isa", mode=mode)
    result += graph_cases(mode, graphs())
    for arch, kind in (("sm_90", "ir"), ("gfx90a", "ir"), ("sm_90", "ptx")):
        result += interpreted_graphs(graphs(), arch, kind, fake_gpu, mode)
    for turn, arch in enumerate(device_ir.ISA_GPUS):
        result += interpreted_graphs(graphs() if mode == "long" else graphs()[turn % 2::2], arch, "isa", fake_gpu, mode)
    if mode == "long":
        known = {program.name: program for program in programs()}
        result += [Case(known[f"large-{name}"], (str(size),), chosen, must_succeed=True)
                   for name, size in LARGE_SIZES.items() for chosen in grid]
    result += [Case(program, (str(size),), chosen, must_succeed=True) for name, program in examples().items()
               for number, size in enumerate(sizes[name]) for chosen in by_turns(mode, grid, number)]
    return result


def find(statistics, name):
    """Returns the value of a counter of the whole process."""
    return statistics["counters"].get(name, {}).get("value")


def different_counts(path, reference):
    """Returns an error text if two statistics files differ in a counter that is no time and not the firmware's; else None."""
    try:
        ours, others = (json.loads(Path(file).read_text())["counters"] for file in (path, reference))
        ours = {name: counter["value"] for name, counter in ours.items() if counter["unit"] != "ns"}
        executed = ours.pop("firmware_instructions")
        parts = [ours.pop(name) for name in [*ours] if name.startswith("firmware_")]
        wrong = [f"{name} is {value}, without firmware {others[name]['value']}" for name, value in ours.items()
                 if value != others[name]["value"]]
        if executed != sum(parts) or not parts[0]:
            wrong.append(f"the firmware's instructions are {executed}, their kinds {parts}")
    except (OSError, ValueError, KeyError, AttributeError) as error:
        return f"no statistics: {error!r}"
    return "; ".join(wrong) or None


def compare_counts(path, expected):
    """Returns an error text if the statistics file does not have the expected counts; else None."""
    try:
        statistics = json.loads(Path(path).read_text())
        wrong = []
        for name, value in expected:
            actual = find(statistics, name)
            if isinstance(value, str):
                bound = find(statistics, value)
                if not actual or not bound or actual > bound:
                    wrong.append(f"{name} is {actual}, more than {value}, {bound}")
            elif isinstance(value, tuple):
                bound = find(statistics, value[1])
                if not actual or not bound or actual > value[0] * bound:
                    wrong.append(f"{name} is {actual}, more than {value[0]} times {value[1]}, {bound}")
            elif actual != value:
                wrong.append(f"{name} is {actual}, not {value}")
    except (OSError, ValueError, KeyError, AttributeError) as error:
        return f"no statistics: {error!r}"
    return "; ".join(wrong) or None
