#!/usr/bin/env python3
"""Compares serial elisions with programs of other compilers.

run.py compares a program with its serial elision, which is compiled by the same compiler. This script compiles the
sources with clang and gcc, which know no Cilk: macros remove the keywords. Standard output and exit status must be
those of the elision. A pair of compiler and program for which a table below has the reason is not compared. A failure is
printed with the command that repeats it. The last line is "N passed, N failed".

  stock-compilers.py --driver build/bin/cilk2gpu [--work FOLDER] [--filter REGEX] [--jobs N]
"""
import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.append(str(HERE.parent.parent / "scripts"))
import cases
from run import is_newer, parts_of
from summary import report

KEYWORDS = ["-Dcilk_spawn=", "-Dcilk_sync=((void)0)", "-Dcilk_for=for", "-Dcilk_scope=", "-D_Cilk_spawn=", "-D_Cilk_sync=((void)0)",
            "-D_Cilk_for=for"]

# No contraction to fused operations, which would round differently. Warnings concern the sources, not this comparison.
FLAGS = ["-O1", "-w", "-ffp-contract=off", f"-I{cases.ROOT / 'include'}"]

COMPILERS = {"clang": ("clang-22", "clang++-22"), "gcc": ("gcc", "g++")}

# Programs that a compiler does not accept.
REFUSED = {
    ("gcc", "extended-types"): "vector types and _BitInt are Clang's",
    ("gcc", "for-integers"): "_BitInt is not in this version of GCC",
    ("gcc", "holding-chains"): "builtins of Clang",
    ("gcc", "tail-calls"): "the attribute musttail is Clang's",
    **{(compiler, "cilk-headers"): "other compilers have no headers of OpenCilk's tools" for compiler in COMPILERS},
    **{(compiler, program): "other compilers have no pedigrees" for compiler in COMPILERS for program in cases.PEDIGREES},
    **{(compiler, program): "other compilers have no reducers" for compiler in COMPILERS
       for program in ("reducer-forms.c", "reducer-forms.cpp", "reducer-references", "reducers", "reducers-beside-orders", "reducers-classes", "reducers-in-order", "reducers-in-place",
                       "reducers-kept", "reducers-of-files", "reducers-of-functions", "reducers-of-headers", "reducers-pieces", "reducers-returned",
                       "reducers-several")},
}

# Programs whose results C and C++ leave open, and for which a compiler chooses otherwise than Clang; and a program that
# shows a fault of Clang.
ORDER = "evaluates arguments in another order"
DIFFERENT = {
    ("clang", "discarded-results"): "makes a wrong loop of a call with by-value arguments",
    ("gcc", "destructors"): ORDER,
    ("gcc", "evaluation-order"): ORDER,
    ("gcc", "inline-asm"): ORDER,
    ("gcc", "object-sizes"): "has no pass_object_size",
    ("gcc", "regress-copied-first"): ORDER,
    ("gcc", "regress-copied-first-in-c"): ORDER,
}

# Sizes of the examples; other programs choose their own.
SIZES = {"fib": "20", "queens": "8", "queens-bits": "8", "sort": "30000", "strassen": "128", "strassen-atomic": "128"}


def run(command, timeout):
    """Returns (exit status, output, error output). The status is None past the time limit."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("CILK2GPU_")}
    try:
        done = subprocess.run(command, env=clean, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr


def run_deep(command):
    """Runs a program with a stack for deep recursion."""
    script = f'ulimit -s {1 << 20} 2>/dev/null || ulimit -s $(ulimit -H -s); exec "$@"'
    return run(["/bin/sh", "-c", script, "sh", *command], 120)


def is_cxx(program):
    return any(source.suffix == ".cpp" for source in program.sources())


def commands(program, options):
    """Returns {compiler: (command, binary)}; the compiler "" makes the elision."""
    standard = [flag for flag in program.flags if flag.startswith("-std")]
    sources = [*map(str, program.sources()), *program.link_flags(), "-lm", "-pthread"]
    driver = f"{options.driver}++" if is_cxx(program) else str(options.driver)
    made = {"": [driver, "-O2", "-fserial-elision", *standard, *sources]}
    for name, both in COMPILERS.items():
        # g++ knows an older standard than Clang unless told.
        newest = ["-std=gnu++20"] if is_cxx(program) and not standard else []
        made[name] = [both[is_cxx(program)], *FLAGS, *KEYWORDS, *standard, *newest, *sources]
    folder = options.work / program.name
    folder.mkdir(parents=True, exist_ok=True)
    binaries = {name: str(folder / (name or "elision")) for name in made}
    return {name: ([*command, "-o", binaries[name]], binaries[name]) for name, command in made.items()}


def failed(what, command, result):
    text = b"".join(result[1:]).decode(errors="replace").strip().splitlines()[:10]
    status = "ran too long" if result[0] is None else f"exit status {result[0]}"
    return "\n".join([f"{what}: {status}", *("    " + line for line in text), f"  repeat: {shlex.join(command)}"])


def difference(pair, expected, command):
    """Runs a program of another compiler. Returns None, an error text, or in a tuple the reason why they are not compared."""
    actual = run_deep(command)
    same = actual[:2] == expected[:2] and actual[0] is not None
    if pair in DIFFERENT:
        return (DIFFERENT[pair],) if not same else "the results are equal now; remove the row from DIFFERENT"
    return None if same else failed("output or status differs from the elision's", command, actual)


def compare(program, options):
    """Returns a list of (name, error text, or None, or in a tuple the reason why they are not compared)."""
    every = commands(program, options)
    arguments = [SIZES[program.name]] if program.name in SIZES else []
    command, binary = every.pop("")
    earlier = options.reuse and options.reuse / f"{program.name}-serial"
    if earlier and is_newer(earlier, [*program.sources(), *parts_of(options.driver)]):
        binary = str(earlier)
    elif (compiled := run(command, 300))[0] != 0:
        return [(program.name, failed("the elision does not compile", command, compiled))]
    expected = run_deep([binary, *arguments])
    results = []
    for name, (command, binary) in every.items():
        label = f"{program.name} [{name}]"
        compiled = run(command, 300)
        pair = (name, program.name)
        if pair in REFUSED:
            outcome = (REFUSED[pair],) if compiled[0] != 0 else f"{name} accepts it now; remove its row from REFUSED"
        elif compiled[0] != 0:
            outcome = failed(f"{name} does not compile it", command, compiled)
        else:
            outcome = difference(pair, expected, [binary, *arguments])
        results.append((label, outcome))
    return results


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--driver", required=True, help="the compiler, build/bin/cilk2gpu")
    parser.add_argument("--work", type=Path, default=Path("stock-out"), help="folder for the binaries (default: stock-out)")
    parser.add_argument("--reuse", type=Path, metavar="FOLDER", help="take the elisions that run.py compiled into this folder, if nothing has changed since")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only programs whose name matches")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time (default: all CPUs)")
    return parser.parse_args()


def chosen_programs(pattern):
    """Programs in C and C++. A .cilk file is in a language of its own, and .mlir files have no other compiler."""
    every = [*cases.programs(), *cases.examples().values()]
    return [p for p in every if re.search(pattern, p.name) and all(s.suffix in (".c", ".cpp") for s in p.sources())]


def main():
    options = parse_options()
    options.driver, options.work = Path(options.driver).resolve(), options.work.resolve()
    passed = wrong = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for results in pool.map(lambda program: compare(program, options), chosen_programs(options.filter)):
            for name, outcome in results:
                if isinstance(outcome, tuple):
                    print(f"not compared: {name}: {outcome[0]}", flush=True)
                elif outcome:
                    wrong += 1
                    print(f"FAIL {name}\n  {outcome}", flush=True)
                else:
                    passed += 1
    return report(passed, wrong)


if __name__ == "__main__":
    sys.exit(main())
