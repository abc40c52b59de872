"""Runs the commands of docs/getting-started.md: getting-started.py SOURCE-FOLDER BUILD-FOLDER CMAKE FOLDER

The commands run in FOLDER, which looks like a clone with a build. Three commands have a replacement: apt-get only checks
the names of packages, cmake does not build again, and scripts/package (which test/Driver/package.test runs) prints its
help. What needs a runtime for AArch64 is checked by scripts/check-aarch64, and is left out here if there is none."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

root, build, cmake, folder = (Path(argument) for argument in sys.argv[1:])
page = (root / "docs/getting-started.md").read_text()

SHIMS = {
    "apt-get": """#!/bin/sh
shift # install
count=0
for name; do
  case $name in -*) continue ;; esac
  tr ' ' '\\n' < ROOT/scripts/packages.txt | grep -qxF -- "$name" || { echo "unknown package $name"; exit 1; }
  count=$((count + 1))
done
echo "apt-get: $count packages"
""",
    "cmake": """#!/bin/sh
case $1 in
--preset) exec grep -q "\\"name\\": \\"$2\\"" ROOT/CMakePresets.json ;;
--build) exec grep -qE "binaryDir\\": \\"[^\\"]*/$2\\"" ROOT/CMakePresets.json ;;
--install) echo install; exec CMAKE "$@" ;;
*) exec CMAKE "$@" ;;
esac
""",
}


def prepare():
    """Makes the folder look like a clone with a build."""
    for name in ("examples", "docs", "cmake"):
        (folder / name).symlink_to(root / name)
    (folder / "build").symlink_to(build)
    for place, scripts in (("shims", SHIMS), ("scripts", {"package": f"#!/bin/sh\nexec {root}/scripts/package --help\n"})):
        (folder / place).mkdir()
        for name, text in scripts.items():
            path = folder / place / name
            path.write_text(text.replace("ROOT", str(root)).replace("CMAKE ", f"{cmake} "))
            path.chmod(0o755)


def commands():
    """Yields the commands of the page's sh blocks, with lines joined that belong together."""
    for block in re.findall(r"```sh\n(.*?)```", page, re.S):
        yield from (line for line in block.replace("\\\n", " ").splitlines() if line.strip())


def run_commands():
    # From the build for AArch64 on, a block needs the runtime.
    foreign = build / "lib/aarch64-linux-gnu/libcilk2gpu_rt.a"
    environment = dict(os.environ, PATH=f"{folder}/shims:{os.environ['PATH']}")
    count = failed = left_out = 0
    for command in commands():
        if "aarch64" in command and "apt-get" not in command and "--preset" not in command and "--build" not in command:
            if not foreign.exists() or "--install" in command:
                left_out += 1
                continue
        run = subprocess.run(["bash", "-c", command.replace("/opt/cilk2gpu", f"{folder}/opt")], cwd=folder, env=environment,
                             capture_output=True, text=True)
        print(run.stdout[:4000], end="")
        print(("ran: " if run.returncode == 0 else f"FAILED ({run.returncode}): ") + command + (run.stderr if run.returncode else ""))
        count, failed = count + 1, failed + (run.returncode != 0)
    print(f"{count} commands, {failed} failed, {left_out} left out")
    return failed


def run_options():
    """Each --emit= of the page prints something about fib."""
    options = sorted(set(re.findall(r"--emit=[a-z-]+", page)))
    for option in options:
        output = subprocess.run([build / "bin/cilk2gpu", "-O2", option, root / "examples/fib/fib.c", "-o", "-"], check=True,
                                capture_output=True).stdout
        assert len(output) > 1000, (option, output)
    print(f"{len(options)} options printed their stage")


def run_examples():
    """Each example of the table that is one file compiles, and ends with "ok" for a small size."""
    sizes = {"fib.c": 20, "fib.cilk": 20, "queens.c": 8, "queens-bits.c": 8, "sort.c": 10000, "strassen.c": 128, "strassen-atomic.c": 128}
    names = re.findall(r"^\| `(examples/[\w/.-]+)` \|", page, re.M)
    for name in names:
        subprocess.run([build / "bin/cilk2gpu", "-O2", root / name, "-o", folder / "example"], check=True)
        output = subprocess.run([folder / "example", str(sizes[Path(name).name])], check=True, capture_output=True, text=True).stdout
        assert output.rstrip().endswith("ok"), (name, output)
    print(f"{len(names)} examples said ok")


json.loads((root / "CMakePresets.json").read_text())
prepare()
failed = run_commands()
run_options()
run_examples()
sys.exit(bool(failed))
