#!/usr/bin/env python3
"""Mutates SharedChannel.h, one change at a time, and asks the scenarios whether they notice.

Every memory order that is not relaxed is weakened (acquire-release also to each half), every check for full, wrap,
lap and group is removed. A mutant that no scenario catches is a survivor; docs/channels.md says why each of those that
are expected is harmless. Exits with 1 if another survives, or if an expected one no longer does.

usage: mutate.py [--jobs N] [--only SUBSTRING] [--seconds LIMIT]
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(HERE, "..", "..", "runtime")

# (name, text, replacement): the text occurs exactly once in SharedChannel.h.
CHECKS = [
    ("full: no width check", "used < shape.width ? shape.width - used : 0;", "~uint64_t(0);"),
    ("full: one too many", "used < shape.width ? shape.width - used : 0;",
     "used < shape.width + 1 ? shape.width + 1 - used : 0;"),
    ("full: a stale head counts as room", "used < shape.width ? shape.width - used : 0;", "shape.width - used;"),
    ("full: no second look at the head", "if (latest != head) {", "if (false) {"),
    ("full: whole grants are cut", "grant == Grant::Partial ? room : 0;", "room;"),
    ("full: partial grants are refused", "grant == Grant::Partial ? room : 0;", "0;"),
    ("wrap: data slot", "uint64_t slotOf(uint64_t position) const { return position % shape.width; }",
     "uint64_t slotOf(uint64_t position) const { return position; }"),
    ("wrap: control entry", "return control[position % shape.controlEntries()];", "return control[position];"),
    ("wrap: control array as small as the data array",
     "constexpr uint64_t controlEntries() const { return 2 * width; }",
     "constexpr uint64_t controlEntries() const { return width; }"),
    ("wrap: marks without laps", "return position / shape.controlEntries() % 2 ? 0 : kLapBit;", "return kLapBit;"),
    ("wrap: last group as large as the others", "return rest < shape.granularity ? rest : shape.granularity;",
     "return shape.granularity;"),
    ("publish: the mark is not looked at", "if ((mark & kLapBit) != lapMark(tail))", "if (tail - dispatched > 0)"),
    ("publish: no look at the tail before moving it", "if (expected != start)", "if (false)"),
    ("publish: the tail is set, whatever it was", "if (expected != start)", "expected = start; if (false)"),
    ("publish: the aggregator does not move the tail",
     "Atomics::compareExchange(controlTail, expected, tail + lengthIn(mark), Order::Relaxed);",
     "return tail - dispatched;"),
    ("publish: spans of one", "tail + lengthIn(mark)", "tail + 1"),
    ("publish: the producer moves the tail without reserving in order",
     "if (!Atomics::compareExchange(controlTail, expected, start + total, Order::Release))",
     "Atomics::store(controlTail, start + total, Order::Release); if (false)"),
    ("reserve: data tail without compare-and-swap",
     "if (Atomics::compareExchange(dataTail, tail, tail + count, Order::Relaxed))",
     "Atomics::store(dataTail, tail + count, Order::Relaxed); if (true)"),
    ("reserve: control tail without compare-and-swap",
     "while (!Atomics::compareExchange(reserveTail, start, start + count, Order::AcquireRelease) && ++cas.failed);",
     "while (false); Atomics::store(reserveTail, start + count, Order::Release);"),
    ("free: a group need not be done", "uint64_t used = done == size ? size :", "uint64_t used = done ? size :"),
    ("free: the done count is not reset", "Atomics::store(doneCount[group], uint32_t(0), Order::Relaxed);", ""),
    ("free: the head moves before the reset",
     "Atomics::store(doneCount[group], uint32_t(0), Order::Relaxed);",
     "Atomics::store(dataHead, head + size, Order::Release); "
     "Atomics::store(doneCount[group], uint32_t(0), Order::Relaxed);"),
    ("close: not all reserved need be done", "if (tail - head != done)", "if (false)"),
    ("close: an empty group is closed", "if (!done)\n      return 0;", ""),
    ("close: the tail stays",
     "return Atomics::compareExchange(dataTail, tail, head + size, Order::Relaxed) ? done : 0;", "return done;"),
    ("close: never", "mode == Reclaim::Drained ? closeGroup(head, size, done) : 0;", "0;"),
]

# Mutants that change nothing that can be observed; see docs/channels.md, "Survivors".
EXPECTED_SURVIVORS = {
    "full: no second look at the head",
    "publish: spans of one",
}


def mutants(source):
    lines = source.split("\n")
    for number, line in enumerate(lines):
        code = line.split("//")[0]
        for match in re.finditer(r"Order::(AcquireRelease|Acquire|Release)\b", code):
            function = enclosing(lines, number)
            weaker = {"AcquireRelease": ["Acquire", "Release", "Relaxed"]}.get(match.group(1), ["Relaxed"])
            cell = re.search(r"Atomics::\w+\((?:entry\((\w+)\)|(\w+))", code)
            target = (cell.group(1) and "entry" or cell.group(2)) if cell else "?"
            for order in weaker:
                text = line[:match.start()] + "Order::" + order + line[match.end():]
                name = "order: %s, %s %s -> %s" % (function, target, match.group(1), order)
                yield name, number + 1, "\n".join(lines[:number] + [text] + lines[number + 1:])
    for name, text, replacement in CHECKS:
        if source.count(text) != 1:
            sys.exit("mutate.py: the text of '%s' occurs %d times; bring CHECKS up to date" %
                     (name, source.count(text)))
        yield name, source[:source.index(text)].count("\n") + 1, source.replace(text, replacement)


def enclosing(lines, number):
    """Name of the function around a line: the nearest line above that begins a member function."""
    for line in reversed(lines[:number + 1]):
        match = re.match(r"  (?:template <class Wave> )?(?:static )?[\w:<>]+ (\w+)\(.*{$", line) or \
            re.match(r"  void (\w+)\(", line)
        if match:
            return match.group(1)
    return "?"


def check(compiler, folder, index, mutant, seconds):
    name, line, text = mutant
    tree = os.path.join(folder, str(index))
    os.makedirs(os.path.join(tree, "channel"))
    for header in os.listdir(os.path.join(RUNTIME, "channel")):
        shutil.copy(os.path.join(RUNTIME, "channel", header), os.path.join(tree, "channel"))
    with open(os.path.join(tree, "channel", "SharedChannel.h"), "w") as file:
        file.write(text)
    binary = os.path.join(tree, "channel-model")
    build = subprocess.run([compiler, "-std=c++20", "-O0", "-w", "-I" + tree, "-I" + RUNTIME,
                            os.path.join(HERE, "ChannelModel.cpp"), "-o", binary], capture_output=True, text=True)
    if build.returncode:
        return name, line, "does not compile: " + build.stderr[:300]
    try:
        run = subprocess.run([binary, "--mutant"], capture_output=True, text=True, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return name, line, "UNDECIDED: no end within %d s" % seconds
    finally:
        os.remove(binary)
    failed = [row.split()[0] for row in run.stdout.split("\n") if row.endswith("FAILED")]
    if failed:
        return name, line, "caught by " + ", ".join(failed)
    if run.returncode:
        return name, line, "UNDECIDED: exit status %d" % run.returncode
    return name, line, "SURVIVED"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="mutants whose name contains this")
    parser.add_argument("--seconds", type=int, default=600, help="limit for a mutant's run")
    parser.add_argument("--compiler", default="clang++-22")
    options = parser.parse_args()
    with open(os.path.join(RUNTIME, "channel", "SharedChannel.h")) as file:
        source = file.read()
    chosen = [m for m in mutants(source) if options.only in m[0]]
    caught = unexpected = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(check, options.compiler, folder, i, m, options.seconds) for i, m in enumerate(chosen)]
        for run in runs:
            name, line, verdict = run.result()
            if verdict == "SURVIVED":
                verdict += " (expected)" if name in EXPECTED_SURVIVORS else ""
                unexpected += name not in EXPECTED_SURVIVORS
            elif not verdict.startswith("caught"):
                unexpected += 1
            else:
                caught += 1
                if name in EXPECTED_SURVIVORS:
                    verdict += ", though expected to survive"
                    unexpected += 1
            print("%-72s line %3d  %s" % (name, line, verdict), flush=True)
    print("%d mutants, %d caught, %d unexpected" % (len(chosen), caught, unexpected))
    return 1 if unexpected or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
