"""The last line of a suite, which scripts/check adds up."""
import os
from pathlib import Path


def report(passed, failed, skipped=()):
    """Prints the line, writes it to the file that the environment's SUMMARY names, and returns the exit status. `skipped` has a
    text "NAME (REASON)" for each test that could not be done here. These texts are lines of their own in that file."""
    line = f"{passed} passed, {failed} failed"
    print(line + (f", {len(skipped)} skipped" if skipped else ""))
    if os.environ.get("SUMMARY"):
        Path(os.environ["SUMMARY"]).write_text("\n".join([line, *skipped]) + "\n")
    return 0 if passed and not failed else 1
