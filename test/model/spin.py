#!/usr/bin/env python3
"""Checks ChannelStack.pml and ReadyBlocks.pml with spin: configurations that must be free of errors, and broken ones that
must not be.

usage: spin.py [--long] [--compiler CC] [--model NAME]

Prints the states of each configuration. Exits with 0 if all ended as they should, with 1 if not, with 77 if spin is
not installed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))

DEADLOCK, ASSERTION = "invalid end state", "assertion violated"
# (defines, the error that spin must find, if any)
CHANNELS = [
    ("DEPTH=2 W=1 CONTEXTS=2", None),
    ("DEPTH=2 W=2 CONTEXTS=2 G=2", None),
    ("DEPTH=2 W=3 CONTEXTS=1 G=2", None),
    ("DEPTH=1 W=3 CONTEXTS=3 G=64", None),
    ("DEPTH=2 W=1 CONTEXTS=2 LTL", None),
    ("DEPTH=2 W=2 CONTEXTS=2 CUS=2", None),
    ("DEPTH=2 W=2 CONTEXTS=2 RESTARTS=1", None),
    ("DEPTH=2 W=1 CONTEXTS=2 NO_YIELD", DEADLOCK),
    ("DEPTH=2 W=1 CONTEXTS=2 NO_RESTART", DEADLOCK),
    ("DEPTH=2 W=2 CONTEXTS=2 G=2 NO_CLOSE", DEADLOCK),
    ("DEPTH=2 W=2 CONTEXTS=2 NO_LEVELS", ASSERTION),
]
CHANNELS_LONG = CHANNELS + [
    ("DEPTH=3 W=1 CONTEXTS=3", None),
    ("DEPTH=3 W=2 CONTEXTS=2 CUS=2", None),
    ("DEPTH=3 W=1 CONTEXTS=3 RESTARTS=1", None),
    ("DEPTH=2 W=2 CONTEXTS=3 CUS=2 G=2", None),
    ("DEPTH=2 W=1 CONTEXTS=2 CUS=2 LTL", None),
    ("DEPTH=4 W=1 CONTEXTS=2", None),
    ("DEPTH=2 W=3 CONTEXTS=3 G=2", None),
    ("DEPTH=3 W=2 CONTEXTS=2", None),
    ("DEPTH=3 W=2 CONTEXTS=2 G=2", None),
    ("DEPTH=3 W=3 CONTEXTS=2 G=2", None),
    ("DEPTH=2 W=2 CONTEXTS=2 G=2 LTL", None),
]

BLOCKS = [
    ("GRAPH=0 WORKERS=1", None),
    ("GRAPH=0 WORKERS=2", None),
    ("GRAPH=1 WORKERS=2", None),
    ("GRAPH=2 WORKERS=2", None),
    ("GRAPH=3 WORKERS=2", None),
    ("GRAPH=4 WORKERS=2", None),
    ("GRAPH=0 WORKERS=3", None),
    ("GRAPH=0 WORKERS=2 LTL", None),
    ("GRAPH=1 WORKERS=2 SPLIT_COUNT", DEADLOCK),
    ("GRAPH=1 WORKERS=2 EARLY_PUSH", ASSERTION),
    ("GRAPH=3 WORKERS=2 SPLIT_TAIL", DEADLOCK),
    ("GRAPH=1 WORKERS=2 SPLIT_HEAD", ASSERTION),
    ("GRAPH=0 WORKERS=2 EARLY_LOOK", ASSERTION),
    ("GRAPH=4 WORKERS=2 EARLY_LOOK", ASSERTION),
    ("GRAPH=0 WORKERS=2 LATE_SLEEP", ASSERTION),
    ("GRAPH=0 WORKERS=2 NO_LOCK", DEADLOCK),
    ("GRAPH=0 WORKERS=2 NO_END", DEADLOCK),
]
BLOCKS_LONG = BLOCKS + [
    ("GRAPH=1 WORKERS=3", None),
    ("GRAPH=2 WORKERS=3", None),
    ("GRAPH=4 WORKERS=3", None),
    ("GRAPH=1 WORKERS=2 LTL", None),
    ("GRAPH=2 WORKERS=2 LTL", None),
    ("GRAPH=4 WORKERS=2 LTL", None),
]
# (model, short form, long form)
MODELS = [("ChannelStack.pml", CHANNELS, CHANNELS_LONG), ("ReadyBlocks.pml", BLOCKS, BLOCKS_LONG)]


def check(compiler, model, defines, optimisation):
    """Returns (spin's finding or None, states, seconds). The finding may also be that spin could not finish."""
    ltl = "LTL" in defines.split()
    with tempfile.TemporaryDirectory() as folder:
        command = ["spin", "-a"] + ["-D" + define for define in defines.split()] + [os.path.join(FOLDER, model)]
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if made.returncode or not os.path.exists(os.path.join(folder, "pan.c")):
            return "spin: " + made.stdout + made.stderr, 0, 0.0
        options = ["-DVECTORSZ=4096", "-DCOLLAPSE", "-DNOREDUCE" if ltl else "-DSAFETY"]
        subprocess.run([compiler, optimisation, "-w", *options, "pan.c", "-o", "pan"], cwd=folder, check=True)
        run = subprocess.run(["./pan", "-m1000000", "-w24"] + (["-a", "-f"] if ltl else []), cwd=folder,
                             capture_output=True, text=True)
        output = run.stdout + run.stderr
    states = re.search(r"(\d+) states, stored", output)
    seconds = re.search(r"elapsed time ([\d.e+]+)", output)
    found = re.search(r"pan:1: (.*?)(?: \(at depth.*)?\n", output)
    if not found and ("errors: 0" not in output or "max search depth too small" in output or "out of memory" in output):
        return "no result: " + output[-500:], 0, 0.0
    return found and found.group(1), int(states.group(1)), float(seconds.group(1)) if seconds else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--compiler", default="cc")
    parser.add_argument("--model", default="", help="only models whose name contains this")
    options = parser.parse_args()
    if not shutil.which("spin"):
        print("skipped: spin is not installed (apt-get install spin)")
        return 77
    failures = 0
    # Most of the short form's time goes into compilation, most of the long form's into the search.
    optimisation = "-O2" if options.long else "-O0"
    for model, short, long in (each for each in MODELS if options.model in each[0]):
        print(model)
        for defines, expected in long if options.long else short:
            found, states, seconds = check(options.compiler, model, defines, optimisation)
            right = found is None if expected is None else found is not None and expected in found
            failures += not right
            print("%-38s %10d states %8.1f s  %s%s" % (defines, states, seconds, found or "no error",
                                                      "" if right else "  UNEXPECTED"), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
