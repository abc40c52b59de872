"""Compares random programs in C with their serial elisions, under several settings of the runtime."""
import argparse
import os
import subprocess
import sys
from pathlib import Path

import summary

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 120  # seconds, for one compilation or run
LEVELS = ("-O0", "-O1", "-O2", "-O3")


def run(command, settings=None):
    """Returns what the command prints, or a text that says how it failed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CILK2GPU_")}
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=TIMEOUT, check=False,
                              env={**environment, **(settings or {})})
    except subprocess.TimeoutExpired:
        return "timeout"
    return done.stdout if done.returncode == 0 else f"status {done.returncode}: {done.stderr[-2000:]}"


def check(seed, text, folder, driver, levels, settings):
    """Runs the program of one seed. Returns the number of runs and the failures. The files of a failure stay in the folder."""
    source, program, elision = folder / f"{seed}.c", folder / f"{seed}", folder / f"{seed}.serial"
    source.write_text(text)
    level = levels[seed % len(levels)]
    # The analysis of warnings may guess where values are read after syncs only.
    for flags, output in (((level, "-w"), program), (("-O1", "-w", "-fserial-elision"), elision)):
        message = run([driver, *flags, source, "-o", output])
        if message:
            return 1, [f"seed {seed}: cannot compile {source} with {' '.join(flags)}: {message}"]
    expected, failures = run([elision]), []
    for row in settings:
        found = run([program], row)
        if found != expected or not expected.strip():
            spelled = " ".join(f"{name}={value}" for name, value in row.items())
            failures.append(f"seed {seed} ({source}, {level}) with {spelled}: {found.strip()}, and not {expected.strip()}")
    if not failures:
        for file in (source, program, elision):
            file.unlink()
    return len(settings), failures


def main(name, description, program, settings, levels=LEVELS):
    """The whole script `name`: `program` returns the text of a seed's program."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build folder (default: build)")
    parser.add_argument("--count", type=int, default=20, help="number of programs (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="first seed (default: 1)")
    parser.add_argument("--print", action="store_true", help="print the program of the first seed and stop")
    options = parser.parse_args()
    if options.print:
        print(program(options.seed), end="")
        return
    folder = options.build / name
    folder.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    for seed in range(options.seed, options.seed + options.count):
        runs, failures = check(seed, program(seed), folder, options.build.resolve() / "bin" / "cilk2gpu", levels, settings)
        passed, failed = passed + runs - len(failures), failed + len(failures)
        for failure in failures:
            print(failure, flush=True)
    sys.exit(summary.report(passed, failed))
