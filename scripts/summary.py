"""The last line of a suite, which scripts/check adds up."""
import os
from pathlib import Path


def report(passed, failed):
    """Prints the line, writes it to the file that the environment's SUMMARY names, and returns the exit status."""
    line = f"{passed} passed, {failed} failed"
    print(line)
    if os.environ.get("SUMMARY"):
        Path(os.environ["SUMMARY"]).write_text(line + "\n")
    return 0 if passed and not failed else 1
