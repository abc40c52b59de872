"""Runs clangd's check on all sources of a folder and prints the errors: clangd-check.py CLANGD FOLDER [OPTION]..."""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

clangd, folder, *options = sys.argv[1:]
files = [path for path in sorted(Path(folder).rglob("*")) if path.suffix in (".c", ".cpp", ".cilk") and "build" not in path.relative_to(folder).parts]


def check(path):
    """Returns the lines with errors. A run that does not come to its end is one."""
    run = subprocess.run([clangd, f"--check={path}", "--check-locations=false", *options], capture_output=True, text=True)
    errors = [line for line in run.stderr.splitlines() if line.startswith("E[")]
    if not re.search(r"All checks completed, 0 errors", run.stderr):
        errors.append(f"clangd did not complete without errors (status {run.returncode})")
    return errors


with ThreadPoolExecutor(os.cpu_count()) as pool:
    found = {path: errors for path, errors in zip(files, pool.map(check, files)) if errors}
for path, errors in found.items():
    print(path, *errors, sep="\n  ")
print(f"{len(files)} files, {len(found)} with errors")
sys.exit(bool(found))
