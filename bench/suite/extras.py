"""Measurements besides wall times: tasks, instructions, start-up, compile time, memory."""
import itertools
import random
import re
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from . import measure
from .programs import find
from .variants import build_cilk, build_elision, compile_file

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
STARTUP_SIZE, STARTUP_ROUNDS = 5, 41
MEMORY_SIZE = 45
# valgrind's latest packaged version knows no AVX-512, so it runs code for this architecture.
COUNTED_MARCH = "x86-64-v3"


def count_tasks(tools, program, size, folder, limit):
    """Returns the tasks of a run, counted by the elision: its spawns and the root."""
    binary = build_elision(tools, program, folder, "BENCH_COUNT")
    result = measure.run([binary, size], limit=limit)
    found = re.search(r"^tasks (\d+)$", result.errors, re.MULTILINE)
    return int(found.group(1)) if found and result.status == 0 else None


def instruction_counter():
    """Returns (name, size attribute, function from command and settings to instructions), or None without a counter."""
    if shutil.which("perf") and _perf(["/bin/true"], {}) is not None:
        return "perf stat", "size", _perf
    if shutil.which("valgrind"):
        return "callgrind", "counted_size", _callgrind
    return None


def _perf(command, settings):
    result = measure.run([shutil.which("perf"), "stat", "-x,", "-e", "instructions:u", *command], settings)
    found = re.search(r"^(\d+),[^,]*,instructions", result.errors, re.MULTILINE)
    return int(found.group(1)) if found else None


def _callgrind(command, settings):
    options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
    result = measure.run([shutil.which("valgrind"), *options, *command], settings)
    found = re.search(r"Collected : (\d+)", result.errors)
    return int(found.group(1)) if found and result.status == 0 else None


def instructions_per_task(tools, program, variants, folder, limit, progress):
    """Returns ({label: instructions for each task}, the way of counting). Counts runs of one thread only."""
    counter = instruction_counter()
    if counter is None:
        return {}, "instructions are not counted: install linux-perf or valgrind"
    name, attribute, count = counter
    size = getattr(program, attribute)
    tasks = count_tasks(tools, program, size, folder, limit)
    found = {}
    for variant in variants:
        if variant.threads > 1 or (name == "callgrind" and variant.kind == "yardstick"):
            continue
        progress(f"counting instructions: {variant.label}")
        number = count([str(variant.binary), str(size)], variant.environment)
        if number is not None and tasks:
            found[variant.label] = number / tasks
    return found, f"{name}, size {size}"


def startup(tools, folder, progress):
    """Returns median milliseconds of fib(5) as a whole process: serial elision and cilk2gpu, in alternation."""
    program = find(["fib"])[0]
    progress("start-up: fib(5)")
    binaries = {"serial elision": build_elision(tools, program, folder), "cilk2gpu": build_cilk(tools, program, folder)}
    times = {label: [] for label in binaries}
    for _ in range(STARTUP_ROUNDS):
        for label in random.sample(list(binaries), len(binaries)):
            times[label].append(measure.run([binaries[label], STARTUP_SIZE]).seconds * 1e3)
    return {label: statistics.median(values) for label, values in times.items()}


def _header_folder(folder):
    """Writes a <cilk/cilk.h> that makes the keywords vanish, so that plain clang compiles the same file."""
    header = folder / "cilk" / "cilk.h"
    header.parent.mkdir(exist_ok=True)
    header.write_text("#define cilk_spawn\n#define cilk_sync\n#define cilk_for for\n#define cilk_scope\n")
    return folder


def _compile_seconds(command, source, target):
    start = time.perf_counter()
    compile_file(command, source, target)
    return time.perf_counter() - start


def compile_times(tools, folder, rounds, progress):
    """Returns {"example, flags": {"clang": s, "cilk2gpu": s}}, medians of alternated compilations. Without -march,
    code has forms for every instruction set, so compilation takes longer."""
    headers, results = _header_folder(folder), {}
    for source, flags in itertools.product(sorted(EXAMPLES.glob("*/*.c")), (tools.flags, ["-O2"])):
        commands = {"clang": [tools.clang, *flags, "-w", "-I", headers], "cilk2gpu": [tools.driver, *flags, "-w"]}
        times = {name: [] for name in commands}
        example = f"{source.name}, {' '.join(flags)}"
        progress(f"compile time: {example}")
        for _ in range(rounds):
            for name in random.sample(list(commands), len(commands)):
                times[name].append(_compile_seconds(commands[name], source, folder / "example"))
        results[example] = {name: statistics.median(values) for name, values in times.items()}
    return results


def memory(tools, folder, workers, limit, progress):
    """Returns the peak MiB of fib(45) for each number of workers; None for a run that failed."""
    progress("memory: fib(45)")
    binary = build_cilk(tools, find(["fib"])[0], folder)
    peaks = {}
    for count in workers:
        result = measure.run([binary, MEMORY_SIZE], {"CILK2GPU_WORKERS": str(count)}, limit=limit)
        peaks[str(count)] = result.peak_kib / 1024 if result.status == 0 else None
    return peaks


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="cilk2gpu-bench-")
