#!/usr/bin/env python3
"""Tests that a program runs as fast with CILK2GPU_DEVICE=serial as its serial elision, counted in instructions.

The loops of loops/loops.cpp run under callgrind, which counts instructions exactly. The counts of two numbers of calls
are subtracted, so that the start of the program does not count. Debian's valgrind does not know AVX-512, so the target
is x86-64-v3.

  loop-costs.py --driver build/bin/cilk2gpu++ [--filter NAME] [--most 1.02]
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from summary import report  # noqa: E402

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loops", "loops.cpp")
ITERATIONS, FEW, MANY = 3000, 20, 60


def build(driver, folder, name, *flags):
    program = os.path.join(folder, name)
    subprocess.run([driver, "-O2", "-march=x86-64-v3", *flags, SOURCE, "-o", program], check=True, timeout=600)
    return program


def instructions(program, loop, calls, environment):
    """Returns the checksum and the number of executed instructions."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, loop, str(ITERATIONS),
               str(calls)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True,
                            env={**os.environ, **environment})
    return result.stdout, int(re.search(r"Collected : (\d+)", result.stderr).group(1))


def cost(program, loop, environment):
    few, many = (instructions(program, loop, calls, environment) for calls in (FEW, MANY))
    return many[0], (many[1] - few[1]) / (MANY - FEW)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--driver", required=True)
    parser.add_argument("--filter", default="")
    parser.add_argument("--most", type=float, default=1.02)
    options = parser.parse_args()
    passed, failed = 0, []
    with tempfile.TemporaryDirectory() as folder:
        program = build(options.driver, folder, "loops")
        elision = build(options.driver, folder, "elision", "-fserial-elision")
        names = subprocess.run([elision], capture_output=True, text=True, check=True).stdout.split()
        for name in names:
            if not re.search(options.filter, name):
                continue
            expected, least = cost(elision, name, {})
            found, ours = cost(program, name, {"CILK2GPU_DEVICE": "serial"})
            ratio = ours / least
            print(f"{name:12} {least:10.1f} {ours:10.1f} {ratio:6.3f}", flush=True)
            if found == expected and ratio <= options.most:
                passed += 1
            else:
                failed.append(name)
                print(f"FAIL {name}\n  a call may execute {options.most} times the elision's instructions, and must "
                      "have its result")
    return report(passed, len(failed))


if __name__ == "__main__":
    sys.exit(main())
