"""Checks the parallelism of a function in a report of cilk-scale.

usage: parallelism.py REPORT.json FUNCTION LEAST MOST
"""
import json
import sys

report, function, least, most = json.load(open(sys.argv[1])), sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
found = max(part["parallelism"] for part in report["parts"] if part["function"] == function)
if not least <= found <= most:
    sys.exit(f"the parallelism of {function} is {least:g} to {most:g}; found {found}")
