"""Checks that a program has N copies of copies.c, for the host and in its PTX: copies.py PROGRAM N"""
import os
import re
import subprocess
import sys

program, copies = sys.argv[1], int(sys.argv[2])
environment = dict(os.environ, CILK2GPU_DEVICE="native")
output = subprocess.run(["./" + program], capture_output=True, text=True, check=True, env=environment).stdout
slots = dict(line.split() for line in output.splitlines() if line.startswith("__cilk2gpu_"))
sums = [int(line.split()[1]) for line in output.splitlines() if line.startswith("sum ")]
# The result is 8 base cases, each 1, and a counter that each copy has for itself: 16 after its first run, 24 after its
# second ...
assert sums == [16 + 8 * more for i in range(copies) for more in range(i + 1)], sums

text = subprocess.run(["llvm-strings", program], capture_output=True, text=True, check=True).stdout
entries = re.findall(r"\.entry (__cilk2gpu_\w+_task_k0)\(", text)
assert len(set(entries)) == copies, entries
for entry in entries:
    assert entry in text.splitlines(), entry + " is no kernel of the host's records"
wanted = set(re.findall(r"\.global \.align 8 \.u64 (__cilk2gpu_address_\w+)", text))
assert wanted <= set(slots), wanted - set(slots)
# Symbols of each copy: two variables, three functions, and one function of another file.
used = [slots[slot] for slot in wanted]
assert len(set(used)) == len(used) == 5 * copies + 1, slots
