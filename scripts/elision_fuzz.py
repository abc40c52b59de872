"""Compares random programs with their serial elisions, under several settings of the runtime."""
import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import summary

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 120  # seconds, for one compilation or run
LEVELS = ("-O0", "-O1", "-O2", "-O3")


@dataclass(frozen=True)
class Suite:
    """Random programs, and how they are compiled and run."""
    name: str
    description: str
    program: Callable  # the text of a seed's program
    settings: Callable  # the settings of a seed's program, for a number of runs
    runs: int = 0  # the default number of runs; with 0, the settings are fixed
    levels: tuple = LEVELS
    language: str = "c"
    common: tuple = ()  # flags of the program and the elision
    flags: Callable = lambda seed: ()  # more flags of a seed's program


def random_settings(choice, devices):
    """Returns settings of one run on one of the devices."""
    device = choice.choice(devices)
    policies = ["levelized", "hybrid", "counted" if device == "model" else "dataflow"]
    chosen = {"DEVICE": device, "WAVE": choice.choice([1, 3, 64]), "WIDTH": choice.choice([1, 2, 64, 8192])}
    if device == "gpu-host":
        chosen["AGGREGATOR"] = choice.choice(["host", "persistent"])
    else:
        chosen |= {"POLICY": choice.choice(policies), "SEED": choice.randrange(1000),
                   "SCHEDULE": choice.choice(["rr", "random", "adversarial"])}
    if device == "native":
        chosen |= {"WORKERS": choice.choice([1, 2, 3]), "ELIDE": choice.choice(["auto", "never", "always"])}
    return {f"CILK2GPU_{name}": str(value) for name, value in chosen.items()}


def many_settings(seed, runs, devices):
    """Returns random settings for a seed's program, and those of its elision."""
    choice = random.Random(seed)
    return [{"CILK2GPU_DEVICE": "serial"}, *(random_settings(choice, devices) for _ in range(runs))]


def run(command, settings=None):
    """Returns what the command prints, or a text that says how it failed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CILK2GPU_")}
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=TIMEOUT, check=False,
                              env={**environment, **(settings or {})})
    except subprocess.TimeoutExpired:
        return "timeout"
    return done.stdout if done.returncode == 0 else f"status {done.returncode}: {done.stderr[-2000:]}"


def check(suite, seed, folder, build, runs):
    """Runs the program of one seed. Returns the number of runs and the failures. The files of a failure stay in the folder."""
    is_cpp = suite.language == "c++"
    driver = build / "bin" / ("cilk2gpu++" if is_cpp else "cilk2gpu")
    source, program, elision = folder / f"{seed}{'.cpp' if is_cpp else '.c'}", folder / f"{seed}", folder / f"{seed}.serial"
    source.write_text(suite.program(seed))
    level = suite.levels[seed % len(suite.levels)]
    # The analysis of warnings may guess where values are read after syncs only.
    for flags, output in (((level, *suite.flags(seed)), program), (("-O1", "-fserial-elision"), elision)):
        message = run([driver, "-w", *suite.common, *flags, source, "-o", output])
        if message:
            return 1, [f"seed {seed}: cannot compile {source} with {' '.join(flags)}: {message}"]
    expected, failures, settings = run([elision]), [], suite.settings(seed, runs)
    for row in settings:
        found = run([program], row)
        if found != expected or not expected.strip():
            spelled = " ".join(f"{name}={value}" for name, value in row.items())
            failures.append(f"seed {seed} ({source}, {level}) with {spelled}: {found.strip()}, and not {expected.strip()}")
    if not failures:
        for file in (source, program, elision):
            file.unlink()
    return len(settings), failures


def main(suite):
    """The whole script of a suite."""
    parser = argparse.ArgumentParser(description=suite.description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build folder (default: build)")
    parser.add_argument("--count", type=int, default=20, help="number of programs (default: 20)")
    if suite.runs:
        parser.add_argument("--runs", type=int, default=suite.runs, help=f"settings for each program (default: {suite.runs})")
    parser.add_argument("--seed", type=int, default=1, help="first seed (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time (default: the CPUs)")
    parser.add_argument("--print", action="store_true", help="print the program of the first seed and stop")
    options = parser.parse_args()
    if options.print:
        print(suite.program(options.seed), end="")
        return
    folder = options.build / suite.name
    folder.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    build, wanted = options.build.resolve(), options.runs if suite.runs else 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for runs, failures in pool.map(lambda seed: check(suite, seed, folder, build, wanted), seeds):
            passed, failed = passed + runs - len(failures), failed + len(failures)
            for failure in failures:
                print(failure, flush=True)
    sys.exit(summary.report(passed, failed))
