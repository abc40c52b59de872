#!/usr/bin/env python3
"""Compiles the programs of the end-to-end tests and the examples for GPUs: all must compile but those of cases.GPU_REFUSED, which must
be refused with a message, and compile with -foffload-fallback. Takes minutes for each architecture. With --turns, every twelfth program that
GPUs can run, and each that they cannot run, is compiled for one of them, without vectors for the CPU.

  gpu-programs.py --driver build/bin/cilk2gpu --arch gfx90a,gfx942,gfx1100,gfx1201,sm_90 [--turns] [--persistent] [--only-refused]
                  [--jobs N] [--work FOLDER] [--record FILE]

With --record, each program that passed is noted in the file at once, with the seconds it took, and left out by a later run.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
import cases  # noqa: E402


def compile_for(options, arch, program, *flags):
    sources = program.sources()
    driver = options.driver + ("++" if any(source.suffix == ".cpp" for source in sources) else "")
    target = Path(options.work) / program.name
    flags = [f"--offload-arch={arch}", *(["-foffload-persistent"] if options.persistent else []),
             *cases.scalar("normal" if options.turns else "long"), *flags]
    command = [driver, "-O1", *flags, *map(str, sources), "-o", str(target), *program.link_flags(), "-lm"]
    return subprocess.run(command, capture_output=True, text=True, timeout=1200)


def check(options, arch, program):
    """Returns a text that says what is wrong, or None."""
    done = compile_for(options, arch, program)
    if program.name not in cases.GPU_REFUSED:
        return done.stderr[-2000:] if done.returncode else None
    if program.name in cases.GPU_HOST_REFUSED and done.returncode and ": error: " in done.stderr:
        return None  # not even the CPU's part compiles
    if done.returncode == 0 or ": error: a " not in done.stderr:
        return f"it was not refused with a message:\n{done.stderr[-2000:]}"
    kept = compile_for(options, arch, program, "-foffload-fallback")
    stays = kept.stderr.count("warning: tasks stay on the CPU if the GPU is a ")
    wanted = len(arch.split(","))
    return None if kept.returncode == 0 and stays == wanted else f"-foffload-fallback: {stays} of {wanted} warnings\n{kept.stderr[-2000:]}"


def recorded(options):
    """Returns the names of programs that have passed in this way before."""
    if not options.record or not Path(options.record).exists():
        return set()
    lines = [line.split() for line in Path(options.record).read_text().splitlines()]
    return {(name, way) for name, way, _ in lines}


def way_of(options, arch):
    return arch + ("+persistent" if options.persistent else "")


def record(options, arch, program, seconds):
    if options.record:
        with open(options.record, "a") as file:
            file.write(f"{program.name} {way_of(options, arch)} {seconds:.1f}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--arch", required=True)
    parser.add_argument("--work", default="gpu-programs-out")
    parser.add_argument("--turns", action="store_true", help="every twelfth program for one of the architectures, in turn")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time (default: 1)")
    parser.add_argument("--only-refused", action="store_true")
    parser.add_argument("--persistent", action="store_true", help="with -foffload-persistent")
    parser.add_argument("--record", metavar="FILE", help="what passed, and is left out by a later run")
    options = parser.parse_args()
    Path(options.work).mkdir(parents=True, exist_ok=True)
    chosen = [p for p in [*cases.programs(), *cases.examples().values(), *dict(cases.graphs())] if not options.only_refused or p.name in cases.GPU_REFUSED]
    archs = options.arch.split(",") if options.turns else [options.arch]
    if options.turns:
        refused = [p for p in chosen if p.name in cases.GPU_REFUSED]
        chosen = [p for p in chosen if p.name not in cases.GPU_REFUSED][::12] + refused
    before = recorded(options)

    def passes(turn, program):
        arch = archs[turn % len(archs)]
        if (program.name, way_of(options, arch)) in before:
            return True
        start = time.monotonic()
        if wrong := check(options, arch, program):
            print(f"FAIL {program.name} for {arch}: {wrong}", flush=True)
            return False
        record(options, arch, program, time.monotonic() - start)
        return True

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        failed = list(pool.map(passes, range(len(chosen)), chosen)).count(False)
    summary = f"{len(chosen) - failed} passed, {failed} failed"
    print(summary)
    if os.environ.get("SUMMARY"):
        Path(os.environ["SUMMARY"]).write_text(summary + "\n")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
