"""Runs a program with each of its mutants. Prints a line for each: whether the program reaches it, and what it prints.

usage: each.py PROGRAM FOLDER-OF-POINTS FILE-OF-REACHED-MUTANTS
"""
import os
import subprocess
import sys
from pathlib import Path

program, points, reached = sys.argv[1:]
flags = Path(reached).read_bytes()
for file in Path(points).iterdir():
    for line in file.read_text().splitlines():
        number, place = line.split("\t")
        output = subprocess.run([program], env={**os.environ, "MUTATION_MUTANT": number}, capture_output=True, text=True).stdout
        note = "reached" if flags[int(number)] else "not reached"
        print(f"{':'.join(place.split(':')[1:4])}: {note}, {' '.join(output.split())}")
