"""Checks that every row of the tables in language.md names a test, and that all tests that it names exist."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
folders = [root / "test/e2e/programs", root / "test/Frontend"]
rows = 0
section = ""
for line in (root / "docs/language.md").read_text().splitlines():
    section = line if line.startswith("## ") else section
    if not line.startswith("| ") or line.startswith("| --- ") or line.split("|")[-2].strip() in ("Test", "Meaning"):
        continue
    if section == "## Keywords":
        continue
    rows += 1
    names = re.findall(r"`([\w-]+(?:\.\w+|/|\*))`|\[[\w.-]+\]\(\.\./([^)]+)\)", line.split("|")[-2])
    if not names:
        sys.exit(f"no test: {line}")
    for name, path in names:
        found = (root / path).exists() if path else any(list(folder.rglob(name.rstrip("/"))) for folder in folders)
        if not found:
            sys.exit(f"there is no test {name or path}: {line}")
print(f"{rows} rows")
