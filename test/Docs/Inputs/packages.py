"""Compares the packages of docs/getting-started.md with those of scripts/packages.txt: packages.py SOURCE-FOLDER"""
import re
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
print(*problems, sep="\n", end="\n" if problems else "")
print(f"{len(build)} packages, {len(problems)} problems")
sys.exit(bool(problems))
