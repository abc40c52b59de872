"""Writes the example of a page's section "Many schedules" into files: documented.py PAGE FOLDER

order.c is the program, commands.sh its commands, and page.txt what the page says that they print."""
import re
import sys
from pathlib import Path

page, folder = map(Path, sys.argv[1:])
section = page.read_text().split("## Many schedules", 1)[1]
program = re.search(r"```c\n// order\.c\n.*?```", section, re.S)[0]
(folder / "order.c").write_text(program.removeprefix("```c\n").removesuffix("```"))
command, printed = re.search(r"```text\n\$ (.*?)\n(.*?)```", section, re.S).groups()
(folder / "commands.sh").write_text(command + "\n")
(folder / "page.txt").write_text(printed)
