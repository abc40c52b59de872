"""Runs the commands of README.md whose comment is "# COUNTER VALUE", and compares the counters. Checks that the options
and the width stand near each mention of the paper's 2,192 wavefronts in the documentation. Checks that each part with
measured numbers names the command that makes them, or is marked as measured by hand.

usage: numbers.py SOURCE-DIR BUILD-DIR FOLDER
"""
import re
import subprocess
import sys
from pathlib import Path

NUMBER = "2,192"
NEEDED = ("-fno-cilk-combine", "-fno-cilk-inline", "CILK2GPU_WIDTH=32768")
NEAR = 12  # lines before or after the number

root, build, folder = map(Path, sys.argv[1:])
problems = []


def run_block(block):
    """Runs the lines of a block of commands, all of them once, and yields the commands that have a number."""
    before = []
    for line in block.splitlines():
        command, _, comment = line.partition("#")
        text = "\n".join(before + [command]).replace("$PWD/build", str(build)).replace("examples/", f"{root}/examples/")
        done = subprocess.run(["bash", "-ec", text], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            problems.append(f"{line}: exit status {done.returncode}: {done.stderr}")
        if expected := re.match(r" (\w+) ([\d,]+)$", comment):
            name, value = expected[1], expected[2].replace(",", "")
            found = re.search(rf"^{name} +(\d+)", done.stdout + done.stderr, re.M)
            yield command.strip(), name, found and found[1]
            if not found or found[1] != value:
                problems.append(f"{line}: the command gives another number")
        elif command.startswith("export"):
            before.append(command)


commands = 0
for block in re.findall(r"```sh\n(.*?)```", (root / "README.md").read_text(), re.S):
    if not re.search(r"# wavefronts \d", block):
        continue
    for command, name, value in run_block(block):
        commands += 1
        print(f"README.md: {command}: {name} {value}")

places = 0
for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
    lines = page.read_text().splitlines()
    for number, line in enumerate(lines):
        if not re.search(rf"(?<![\d,]){NUMBER}(?![\d,]|\.\d)", line):
            continue
        places += 1
        near = "\n".join(lines[max(0, number - NEAR):number + NEAR + 1])
        problems += [f"{page.name}:{number + 1}: {NUMBER} stands without {word}" for word in NEEDED if word not in near]



def parts_of(text):
    """Yields the heading and the text of each part of a page, without the parts in it. A mark in the text of a part with
    two number signs holds for the parts in it, too."""
    outer = ""
    for part in re.split(r"^(?=##)", text, flags=re.M):
        heading, _, body = part.partition("\n")
        if not heading.startswith("###"):
            outer = body if "*Measured by hand*, all parts" in body else ""
        yield heading, body + outer


# A cell of a table that is a time, a size or a share, and a command of the project that makes such cells.
CELL = re.compile(r"^\|.*\| *[<>-]?\d[\d.,]* (ns|us|ms|s|KB|MB|GB|GB/s|%) *\|", re.M)
COMMAND = re.compile(r"(^|`)(scripts|test|bench)/[\w./-]+", re.M)

measured = 0
for page in sorted((root / "docs").glob("*.md")):
    for heading, body in parts_of(page.read_text()):
        by_command = re.sub(r"<!-- made by [^>]*: begin -->.*?<!-- made by [^>]*: end -->", "", body, flags=re.S)
        is_measured = re.search(r"20\d\d-\d\d-\d\d", by_command) or (
            page.name == "performance.md" and re.search(r"^\|.*\| *[<>]?\d[\d.,; ]*\|", by_command, re.M))
        if CELL.search(by_command) and not COMMAND.search(by_command) and "*Measured by hand" not in by_command:
            problems.append(f"{page.name}: '{heading}' has a table of measured numbers, but no command and no *Measured by hand*")
        if not is_measured:
            continue
        measured += 1
        if not re.search(r"\*Measured by hand", by_command) and not re.search(r"^scripts/\w+", by_command, re.M):
            problems.append(f"{page.name}: '{heading}' has measured numbers, but no command and no *Measured by hand*")

print(f"{measured} parts with measured numbers")
print("\n".join(problems + [f"{commands} commands, {places} places, {len(problems)} problems"]))
