"""Compares docs/environment.md and a text of --help with the table of variables: environment.py SOURCE-FOLDER HELP"""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
table = (root / "runtime/process/Variables.def").read_text()
known = {"CILK2GPU_" + name for name in re.findall(r"^CILK2GPU_VARIABLE\((\w+),", table, re.M)}
known |= set(re.findall(r"^CILK2GPU_OTHER_VARIABLE\((CILK\w+),", table, re.M))
rows = [line.split("|")[1] for line in (root / "docs/environment.md").read_text().splitlines() if line.startswith("| `CILK")]
described = set(re.findall(r"CILK\w+", " ".join(rows)))
helped = set(re.findall(r"^  (CILK\w+)=", Path(sys.argv[2]).read_text(), re.M))
ours = {"CILK2GPU_CLANG", "CILK2GPU_BUILD_DIR"}  # variables of the compiler and the scripts
problems = [f"docs/environment.md has no row for {name}" for name in sorted(known - described)]
problems += [f"docs/environment.md has a row for {name}, which no program reads" for name in sorted(described - known - ours)]
problems += [f"--help has no line for {name}" for name in sorted(known - helped)]
print(*problems, sep="\n", end="\n" if problems else "")
print(f"{len(known)} variables, {len(problems)} problems")
sys.exit(bool(problems))
