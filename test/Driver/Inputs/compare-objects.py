"""Compares two objects made of one program: compiled directly, and through its text.

usage: compare-objects.py LLVM-OBJDUMP DIRECT THROUGH

Equal must be the instructions of every function, what their relocations refer to, and which sections there are. Allowed
to differ are the texts that say where a task stands in its source, and what depends on their lengths: offsets into
sections of constants, and numbers of local labels.
"""
import re
import subprocess
import sys


def dump(tool, options, file):
    text = subprocess.run([tool, *options, file], capture_output=True, text=True, check=True).stdout
    return [line for line in text.splitlines() if "file format" not in line]


def code(tool, file):
    """The disassembly without places of constants."""
    lines = dump(tool, ["-dr", "--no-show-raw-insn"], file)
    return [re.sub(r"\.(Lstr|L[a-zA-Z_]*)\.?\d+", r".\1", re.sub(r"(\.rodata[.\w]*)[+-]0x[0-9a-f]+", r"\1", line)) for line in lines]


def sections(tool, file):
    return [line.split()[1] for line in dump(tool, ["-h"], file) if re.match(r" *\d+ ", line)]


def main():
    tool, direct, through = sys.argv[1:]
    for name, read in (("code", code), ("sections", sections)):
        ours, others = read(tool, direct), read(tool, through)
        for number, pair in enumerate(zip(ours, others)):
            if pair[0] != pair[1]:
                sys.exit(f"{name} differs in line {number + 1}:\n  {pair[0]}\n  {pair[1]}")
        if len(ours) != len(others):
            sys.exit(f"{name}: {len(ours)} lines, and {len(others)}")
    print("equal")


main()
