"""Compares the packages of docs/getting-started.md, and those that CMake's error message names, with those of
scripts/packages.txt: packages.py SOURCE-FOLDER CMAKE"""
import re
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
build, other = set(), set()
for line in (root / "scripts/packages.txt").read_text().splitlines():
    if not line.startswith("#"):
        purpose, names = line.split(":")
        (build if purpose == "build" else other).update(names.split())

page = (root / "docs/getting-started.md").read_text()
command = re.search(r"apt-get install --no-install-recommends ((?:.*\\\n)*.*)\n", page)[1]
listed = {name for name in command.split() if name != "\\"}
problems = [f"docs/getting-started.md does not install {name}" for name in sorted(build - listed)]
problems += [f"docs/getting-started.md installs {name}, which scripts/packages.txt does not have" for name in sorted(listed - build)]
named = set(re.findall(r"`([a-z0-9.+-]+-dev)`", page))
problems += [f"docs/getting-started.md names {name}, which scripts/packages.txt does not have"
             for name in sorted(named - build - other)]

# The message that CMake prints if LLVM is missing.
message = subprocess.run([sys.argv[2], f"-DPROJECT_SOURCE_DIR={root}", "-DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON", "-P",
                          root / "cmake/Cilk2GPUDependencies.cmake"], capture_output=True, text=True).stderr
single, command = re.search(r"Install\s+(\S+) \(all of\s+them: apt-get install\s+([^)]*)\)", message).groups()
problems += [f"CMake's message lacks {name}" for name in sorted(build - set(command.split()))]
problems += [f"CMake's message names {name}, which scripts/packages.txt does not have"
             for name in sorted(set(command.split()) | {single}) if name not in build]
# Other names of packages in CMake's files.
for path in sorted((root / "cmake").glob("*Dependencies.cmake")):
    problems += [f"{path.name} names {name}, which scripts/packages.txt does not have"
                 for name in sorted(set(re.findall(r":([a-z0-9.+-]+-dev)\b", path.read_text())) - build)]
print(*problems, sep="\n", end="\n" if problems else "")
print(f"{len(build)} packages, {len(problems)} problems")
sys.exit(bool(problems))
