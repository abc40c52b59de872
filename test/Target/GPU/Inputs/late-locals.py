"""Prints locals of a constant size that are not in their function's entry block, and the number of all locals, of IR."""
import re
import sys

count, in_entry = 0, False
for line in sys.stdin:
    if line.startswith("define "):
        in_entry = True
    elif re.match(r"[\w.$-]+:", line):
        in_entry = False
    elif re.match(r"  %\S+ = alloca ", line):
        count += 1
        if not in_entry and not re.search(r", i(32|64) %", line):
            print("late:", line.strip())
print(f"{count} locals")
