"""manual-page.py CILK2GPU FOLDER: compares the manual page of the driver with --help, and reads all pages of the folder with groff,
if there is one."""
import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

driver, folder = sys.argv[1], Path(sys.argv[2])
shown = subprocess.run([driver, "--help"], check=True, capture_output=True, text=True).stdout
page = gzip.decompress((folder / "cilk2gpu.1.gz").read_bytes()).decode()
plain = page.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")
options = re.findall(r"^  (-\S+)", shown, re.M)
variables = re.findall(r"^  (CILK\S+=\S+)", shown, re.M)
problems = [f"cilk2gpu.1 lacks {form}" for form in [*options, *variables] if f".TP\n\\fB{form}\\fR\n" not in plain]
pages = sorted(folder.glob("*.1.gz"))
tools = ("cilk2gpu", "cilk-scale", "cilk-opt", "cilk-llvm-opt", "cilk-translate", "cilk-lsp-server", "cilk-reduce")
if {path.name for path in pages} != {f"{tool}.1.gz" for tool in tools}:
    problems.append(f"the pages are {[path.name for path in pages]}")
if shutil.which("groff"):
    for path in pages:
        said = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=gzip.decompress(path.read_bytes()), capture_output=True, check=True)
        if said.stderr:
            problems.append(f"{path.name}: {said.stderr.decode()}")
print(*problems, sep="\n", end="\n" if problems else "")
print(f"{len(options)} options and {len(variables)} variables, {len(problems)} problems")
sys.exit(bool(problems))
