"""The tests that scripts/mutate runs, one at a time: unit tests, compiler tests, and end-to-end programs."""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

IDS = 1 << 22  # as in Mutate.cpp
LIT = "/usr/lib/llvm-22/bin/lit"


@dataclass(frozen=True)
class Test:
    """One test. `name` is unique: its kind, a colon, and the name that its own tool has for it."""
    name: str
    command: tuple = ()
    folder: str = "."
    environment: dict = field(default_factory=dict, compare=False)
    source: str = ""  # the file of a compiler test


def unit_tests(build):
    text = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, text=True,
                          check=True).stdout
    for entry in json.loads(text)["tests"]:
        properties = {item["name"]: item["value"] for item in entry.get("properties", [])}
        command = entry.get("command", [])
        # Programs of test/model check models of the code, and have mutants of their own.
        is_ours = command and Path(command[0]).is_relative_to(build) and not Path(command[0]).is_relative_to(build / "test/model")
        if not is_ours or properties.get("DISABLED"):
            continue
        variables = dict(line.split("=", 1) for line in properties.get("ENVIRONMENT", []))
        yield Test(f"unit:{entry['name']}", tuple(command), properties.get("WORKING_DIRECTORY", str(build)), variables)


def compiler_tests(root, build):
    text = subprocess.run([LIT, "--show-tests", str(build / "test")], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        match = re.fullmatch(r"\s+cilk2gpu :: (\S+)", line)
        if match:
            path = match[1]
            command = (LIT, "-q", "-j1", str(build / "test" / path))
            yield Test(f"lit:{path}", command, str(build), source=str(root / "test" / path))


def programs(root, build):
    command = (sys.executable, str(root / "test/e2e/run.py"), "--driver", str(build / "bin/cilk2gpu"), "--quick")
    text = subprocess.run([*command, "--list"], capture_output=True, text=True, check=True).stdout
    for name in dict.fromkeys(line.split()[0] for line in text.splitlines() if line.strip()):
        yield Test(f"e2e:{name}", (*command, "--jobs", "1", "--filter", f"^{re.escape(name)} "), str(build))


def all_tests(root, build):
    return {test.name: test for test in (*unit_tests(build), *compiler_tests(root, build), *programs(root, build))}


def limits():
    """A mutant may allocate without end. The kernel then ends this process first, and files and cores stay small."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 31, 1 << 31))
    Path("/proc/self/oom_score_adj").write_text("1000")


def run(test, scratch, seconds, mutant=None, reached=None):
    """Runs a test in the folder `scratch`, with a mutant switched on, or with a file that notes the code that it reaches.
    Returns whether it passed, and the seconds that it took. A test that takes more than `seconds` is ended, and failed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CILK2GPU_")} | test.environment
    command = list(test.command)
    kind = test.name.split(":")[0]
    if mutant is not None:
        environment["MUTATION_MUTANT"] = str(mutant)
    if reached is not None:
        environment["MUTATION_REACHED"] = str(reached)
    scratch.mkdir(parents=True, exist_ok=True)
    if kind == "lit":
        command[1:1] = ["--param", f"exec_root={scratch / 'lit'}", "--param", f"facts={scratch / 'facts.json'}"]
    elif kind == "e2e":
        command += ["--work", str(scratch / "e2e")]
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=test.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=limits)
    try:
        status = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        status = None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
    return status == 0, time.monotonic() - start


def run_and_watch(test, scratch, seconds):
    """Runs a test without a mutant. Returns whether it passed, the seconds, and the IDs of the mutants that it reached."""
    scratch.mkdir(parents=True, exist_ok=True)
    file = scratch / "reached"
    file.unlink(missing_ok=True)
    with open(file, "wb") as out:
        out.truncate(IDS)
    passed, taken = run(test, scratch, seconds, reached=file)
    ids = [match.start() for match in re.finditer(b"\x01", file.read_bytes())]
    return passed, taken, ids
