"""Compares the debug information of a compiled program with that of its serial elision.

usage: variable-coverage.py LLVM-DWARFDUMP COMPILED-OBJECT ELISION-OBJECT

At least 90 % of the variables that have a place or a value in the elision must have one in the compiled program, too.
They are counted by llvm-dwarfdump's statistics. The compiled program has several functions for one function of the
user, so the variables are also compared one by one, by name and line.
"""
import json
import re
import subprocess
import sys

LEAST_SHARE = 0.9
VARIABLES = ("DW_TAG_variable", "DW_TAG_formal_parameter")


def dump(tool, *arguments):
    return subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout


def counted(tool, path):
    return json.loads(dump(tool, "--statistics", path))["#source variables with location"]


def covered(tool, path):
    """Returns the name and line of each variable that has a place or a value somewhere."""
    entries = {}
    for offset, tag, text in re.findall(r"^(0x[0-9a-f]+): +(DW_TAG_\w+)(.*?)(?=^0x|\Z)", dump(tool, path), re.M | re.S):
        origin = re.search(r"DW_AT_abstract_origin\s+\((0x[0-9a-f]+)", text)
        name, line = re.search(r'DW_AT_name\s+\("(.*)"\)', text), re.search(r"DW_AT_decl_line\s+\((\d+)\)", text)
        entries[int(offset, 16)] = (tag, text, int(origin[1], 16) if origin else int(offset, 16),
                                    (name[1], int(line[1])) if name and line else None)
    return {entries[origin][3] for tag, text, origin, _ in entries.values()
            if tag in VARIABLES and ("DW_AT_location" in text or "DW_AT_const_value" in text) and entries[origin][3]}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tool, compiled, elision = sys.argv[1:]
    expected, found = counted(tool, elision), counted(tool, compiled)
    wanted = covered(tool, elision)
    missing = wanted - covered(tool, compiled)
    print(f"statistics: {found} variables, {expected} in the elision")
    print(f"{len(wanted) - len(missing)} of {len(wanted)} variables of the elision; missing: {sorted(missing)}")
    if not wanted or found < LEAST_SHARE * expected or len(missing) > (1 - LEAST_SHARE) * len(wanted):
        sys.exit(f"less than {LEAST_SHARE:.0%} of the elision's variables are visible")


if __name__ == "__main__":
    main()
