#!/usr/bin/env python3
"""Runs the unit tests (ctest) or the compiler tests (lit) of a build folder and sums them up.

usage: suite.py unit|lit BUILD-FOLDER JOBS [--long]

--long chooses the long form of the compiler tests.

The counts are read from the JUnit report that the tool writes, and go as "N passed, N failed" to the standard output
and to the file that the environment's SUMMARY names. A test that was skipped or is unsupported counts as neither. Each
of these tests has a line of its own in that file: "NAME (REASON)".
Exit status: 0 only if the tool succeeded, something ran and nothing failed.
"""
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def command_for(kind, build, jobs, report, is_long):
    """Returns the command line and the extra environment that run `kind` and write `report`."""
    if kind == "unit":
        # One more test at a time than CPUs, because some tests wait for seconds.
        return ["ctest", "--test-dir", str(build), "-j", str(int(jobs) + 1), "--output-on-failure", "--no-tests=error",
                "--timeout", "300", "--output-junit", str(report)], {}
    options = f"{os.environ.get('LIT_OPTS', '')} {'--param long=1' if is_long else ''} -v -j{jobs} --xunit-xml-output={report}"
    return ["cmake", "--build", str(build), "--target", "check-cilk2gpu"], {"LIT_OPTS": options.strip()}


def outcome(case):
    """Returns passed, failed or None (skipped, disabled, unsupported) for a JUnit test case."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    if case.find("skipped") is not None:
        # ctest also calls a test "skipped" if its program is missing. That test has failed.
        missing = case.get("status") == "notrun" and "Unable to find" in (case.find("skipped").get("message") or "")
        return "failed" if missing else None
    return "failed" if case.get("status") == "fail" else None if case.get("status") == "disabled" else "passed"


def name_of(case):
    """Returns the name of a test case. For lit, `classname` is the folder, after the name of the suite and a dot."""
    name, folder = case.get("name", ""), case.get("classname", "")
    return name if folder == name else "/".join(folder.split(".")[1:] + [name])


def reason_of(case):
    """Returns the reason that a skipped test case gives in its report or its output, in one line."""
    skipped = case.find("skipped")
    message = (skipped.get("message") if skipped is not None else None) or ""
    output = case.findtext("system-out") or ""
    for line in output.splitlines():
        line = line.strip()
        if line.startswith("skipped: "):
            return line.removeprefix("skipped: ")
    lines = [line.strip() for line in output.splitlines()]
    for before, line in zip(lines, lines[1:]):  # GoogleTest: "FILE:LINE: Skipped", and then the reason
        if before.endswith(": Skipped") and line:
            return line
    return " ".join(message.split()) or "no reason is given"


def main():
    is_long = sys.argv[4:] == ["--long"]
    if len(sys.argv) != 4 + is_long or sys.argv[1] not in ("unit", "lit"):
        sys.exit(__doc__.split("\n\n")[1])
    kind, build, jobs = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3]
    report = build / "logs" / f"{kind}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    command, extra = command_for(kind, build, jobs, report, is_long)
    status = subprocess.run(command, env={**os.environ, **extra}).returncode
    cases = list(ElementTree.parse(report).getroot().iter("testcase")) if report.exists() else []
    outcomes = [outcome(case) for case in cases]
    passed, failed = outcomes.count("passed"), outcomes.count("failed")
    for case, result in zip(cases, outcomes):
        if result == "failed":
            print(f"FAIL {case.get('classname', '')} {case.get('name', '')}")
    summary = f"{passed} passed, {failed} failed"
    skipped = [f"{name_of(case)} ({reason_of(case)})" for case, result in zip(cases, outcomes) if result is None]
    for line in skipped:
        print(f"SKIP {line}")
    print(summary)
    if os.environ.get("SUMMARY"):
        Path(os.environ["SUMMARY"]).write_text("\n".join([summary] + skipped) + "\n")
    sys.exit(0 if status == 0 and passed > 0 and failed == 0 else 1)


if __name__ == "__main__":
    main()
