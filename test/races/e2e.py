#!/usr/bin/env python3
"""Runs the end-to-end programs and examples under the race detector: each one has no race, and its output is that of
its serial elision. Prints a table of times with --table.

usage: test/races/e2e.py --driver DRIVER --work FOLDER [--filter REGEX] [--table]

The last line is "N passed, N failed". The exit status is 0 only if something ran and nothing failed.
"""
import argparse
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test/e2e"), str(ROOT / "scripts")]
sys.dont_write_bytecode = True
import cases  # noqa: E402
from summary import report  # noqa: E402

FLAGS = ["-O1", "-w"]
# Programs with races: the lines of all accesses in reports, and the reason.
RACY = {
    "cilk-api": ({15}, "each worker has an element of an array, and the detector does not know the workers"),
    "holding-chains": ({52, 58, 59, 60, 61, 75, 81, 167}, "each thread has its own data, and a lock is made of an atomic"),
    "try-statements": ({41}, "two tasks add 0 to the same element"),
}
# Programs that ask whether they are being checked, and print the answer.
ASKING = {"cilk-headers"}
# Sizes of the input, smaller than those of the end-to-end tests.
SIZES = {"fib": "16", "fib-mit": "16", "queens": "6", "queens-bits": "6", "sort": "3000", "strassen": "64",
         "strassen-atomic": "64"}


def run(command, seconds):
    """(exit status, standard output, standard error, seconds) of a command; status None: it ran too long."""
    begin = time.monotonic()
    try:
        done = subprocess.run(["bash", "-c", 'ulimit -s 1048576; exec "$@"', "-", *command], capture_output=True,
                              timeout=seconds, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, b"", b"", seconds
    return done.returncode, done.stdout, done.stderr.decode(errors="replace"), time.monotonic() - begin


def compile_program(options, program, extra, to):
    driver = options.driver + ("++" if any(s.suffix == ".cpp" for s in program.sources()) else "")
    words = [driver, *FLAGS, *program.flags, *extra, *map(str, program.sources()), "-o", str(to), *program.link_flags(), "-lm"]
    status, _, errors, _ = run(words, 120)
    return None if status == 0 else errors.splitlines()[0] if errors else f"status {status}"


def check(options, program):
    """Returns a failure, or None with the times of the elision and of the detector."""
    elision, checked = (Path(options.work, program.name + suffix) for suffix in ("-serial", "-races"))
    for extra, to in ((["-fserial-elision"], elision), (["-fsanitize=cilk"], checked)):
        if error := compile_program(options, program, extra, to):
            return f"compiled with {extra[0]}: {error}", 0, 0
    arguments = [SIZES[program.name]] if program.name in SIZES else []
    wanted, out, _, serial = run([elision, *arguments], 60)
    status, found, errors, seconds = run([checked, *arguments], 300)
    places = set(re.findall(r"^  (?:an?|may run in parallel with an?) .*:(\d+):\d+$", errors, flags=re.M))
    if program.name in RACY:
        lines = {str(line) for line in RACY[program.name][0]}
        return (None if places and places <= lines else f"races at the lines {sorted(places)}, not {sorted(lines)}"), serial, seconds
    if places:
        first = errors[errors.index("cilk2gpu: "):].splitlines()
        return "a race: " + " / ".join(line.strip() for line in first[:6]), serial, seconds
    if status != wanted:
        return f"exit status {status}, and {wanted} of the elision; {errors[-200:]}", serial, seconds
    if found != out and program.name not in ASKING:
        return "the output is not that of the elision", serial, seconds
    return None, serial, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--filter", default="")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    Path(options.work).mkdir(parents=True, exist_ok=True)
    passed, failed, factors = 0, 0, []
    for program in [*cases.programs(), *cases.examples().values()]:
        if not re.search(options.filter, program.name):
            continue
        failure, serial, seconds = check(options, program)
        passed, failed = passed + (failure is None), failed + (failure is not None)
        if failure:
            print(f"FAIL {program.name}: {failure}", flush=True)
        elif options.table:
            print(f"{program.name:28} {serial:8.3f} s {seconds:8.3f} s {seconds / serial:6.1f}", flush=True)
            factors.append(seconds / serial)
    if factors:
        print(f"{len(factors)} programs, geometric mean of the factors {statistics.geometric_mean(factors):.1f}")
    return report(passed, failed)


sys.exit(main())
