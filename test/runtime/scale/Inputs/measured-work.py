"""Compares the work that cilk-scale counts with the instructions that callgrind sees in the same program.

usage: measured-work.py OBJECT PROGRAM [ARGUMENT...]

OBJECT is the object file of the program's source. Callgrind counts each instruction of PROGRAM. Counted are those of
functions of OBJECT, without the instructions of the instrumentation: additions to the counter, calls of hooks, and the
loads of the hooks' arguments.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def instructions_of(program):
    """Returns for each address the function and the text of the instruction."""
    result, function = {}, None
    for line in output("objdump", "-d", "--no-show-raw-insn", program).splitlines():
        if begin := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            function = begin[1]
        elif inst := re.match(r"^\s+([0-9a-f]+):\s+(.*)$", line):
            result[int(inst[1], 16)] = (function, inst[2])
    return result


def counts_of(text, program):
    """Returns for each address of the program how often callgrind has seen the instruction there."""
    counts, names, current, address, is_call = {}, {}, None, 0, False
    for line in text.splitlines():
        if found := re.match(r"^(c?ob)=\((\d+)\)(?: (.*))?$", line):
            names.setdefault(found[2], found[3])
            current = names[found[2]] if found[1] == "ob" else current
        elif line.startswith("calls="):
            is_call = True
        elif found := re.match(r"^(0x[0-9a-f]+|[+-]\d+|\*)(?: \S+)? (\d+)$", line):
            if found[1] != "*":
                address = int(found[1], 16) if found[1].startswith("0x") else address + int(found[1])
            if not is_call and current == program:
                counts[address] = counts.get(address, 0) + int(found[2])
            is_call = False
    return counts


def is_load_of_site(text):
    return re.match(r"lea .*\(%rip\),%rdi", text) is not None


def measure(program, own, counts, code):
    """Sums up the counts of the functions `own`, without the instrumentation."""
    total, addresses = 0, sorted(code)
    base = next(base for base in (0, *(a - b for a in sorted(counts)[:1] for b in addresses))
                if sum(a - base in code for a in counts) == len(counts) and base % 4096 == 0)
    for at, address in enumerate(addresses):
        function, text = code[address]
        count = counts.get(address + base, 0)
        if function not in own or "__cilk2gpu_scale_work" in text:
            continue
        if "<__cilk2gpu_scale_" in text:
            before = [a for a in addresses[max(0, at - 4):at] if is_load_of_site(code[a][1])]
            total -= counts.get(before[-1] + base, 0) if before and "library" not in text and "leave" not in text else 0
            continue
        total += count
    return total


def main():
    object_file, program, *arguments = sys.argv[1:]
    program = os.path.realpath(program)
    own = {line.split()[-1] for line in output("nm", object_file).splitlines() if re.search(r" [tTW] ", line)}
    with tempfile.TemporaryDirectory() as folder:
        report, profile = Path(folder) / "report.json", Path(folder) / "profile"
        subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--dump-line=no",
                        f"--callgrind-out-file={profile}", program, *arguments], capture_output=True,
                       env={**os.environ, "CILKSCALE_OUT": str(report)})
        counted = json.loads(report.read_text())["program"]
        counts = counts_of(profile.read_text(), program)
    measured = measure(program, own, counts, instructions_of(program))
    work = counted["work"] - counted["library_work"]
    difference = 100 * (work / measured - 1)
    print(f"counted {work}, measured {measured}: {difference:+.2f} %")
    sys.exit(abs(difference) > 2)


if __name__ == "__main__":
    main()
