#!/usr/bin/env python3
"""Runs Cilk programs and compares them with their serial elision.

Each program (the examples and test/e2e/programs) is compiled by the driver as it is and with -fserial-elision.
Standard output and exit status of the first must be those of the second for every wave size, channel width, number of
workers and device asked for. Programs whose counts are known (tasks, wavefronts) are compared with those, too.

A program is a source file or a folder of them; a line "// Link: FLAGS" in it names flags for linking. A failure is
printed with the command that repeats it. The last line is "N passed, N failed"; the exit status is 0 only if something
ran and nothing failed.
"""
import argparse
import concurrent.futures
import ctypes
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "scripts"))
import cases
import device_ir
import through
from summary import report

HERE = Path(__file__).resolve().parent
STACK_KB = 1 << 20  # for the serial elision of very deep recursion


class Processes:
    """Starts processes in sessions of their own and ends them all when the run is interrupted."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self, command, timeout, environment):
        """(exit status, stdout, stderr) of a command; status None means that it ran past `timeout` seconds."""
        with self.lock:
            if self.stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=environment, start_new_session=True)
            self.running.add(process)
        try:
            out, err = process.communicate(timeout=timeout)
            return process.returncode, out, err
        except subprocess.TimeoutExpired:
            self.kill(process)
            out, err = process.communicate()
            return None, out, err
        finally:
            with self.lock:
                self.running.discard(process)

    @staticmethod
    def kill(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                self.kill(process)


class Runner:
    def __init__(self, options):
        self.driver = Path(options.driver).resolve()
        self.work = Path(options.work).resolve()
        self.flags = shlex.split(options.flags)
        self.emulator = shlex.split(options.emulator)
        self.timeout = options.timeout
        self.registered = options.registered_memory
        self.processes = Processes()
        self.fake_gpu = fake_gpu_of(self.driver)
        self.is_compiled = options.compiled
        self.earlier = Path(options.reuse).resolve() if options.reuse else None
        # Machines may need variables that say where drivers are.
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("CILK2GPU_") or k.endswith("_LIBRARY")}
        self.elisions = {}
        self.firmwares = {}
        self.elision_locks = {}
        self.lock = threading.Lock()

    def compile(self, program, serial):
        """Compiles a program; returns an error text or None."""
        target = self.binary(program, serial)
        if self.is_compiled:
            return None if target.exists() else f"there is no {target}; --compile-only makes it"
        target.parent.mkdir(parents=True, exist_ok=True)
        if self.earlier and not program.device_ir and is_newer(self.earlier / target.name, [*program.sources(), *parts_of(self.driver)]):
            shutil.copy2(self.earlier / target.name, target)
            return None
        target.unlink(missing_ok=True)
        command = [*self.command(program), *(["-fserial-elision"] if serial else []), "-o", str(target), *program.link_flags()]
        status, out, err = self.processes.run(command, 300, self.environment)
        if status == 0 and program.device_ir and not serial:
            (status, out, err), command = self.compile_ir(program, target)
        if status == 0:
            return None
        text = (out + err).decode(errors="replace").strip().splitlines()
        why = "ran past 300 s" if status is None else f"exit status {status}"
        return f"{shlex.join(command)}\n    {why}\n" + "\n".join("    " + line for line in text[:25])

    def compile_ir(self, program, target):
        """Runs commands that make a library of the device's IR. Returns the output and the command of the last one."""
        ir = f"{target}.ll"
        link = [flag for flag in program.link_flags() if not flag.startswith("-l")]
        command = [*self.command(program), "--emit=llvm", "-o", ir, *link]
        done = self.processes.run(command, 300, self.environment)
        if done[0] == 0:
            command = device_ir.command(str(self.driver), ir, self.fake_gpu, self.library(program))
            done = self.processes.run(command, 300, self.environment)
        return done, command

    def library(self, program):
        return f"{self.binary(program, False)}.so"

    def command(self, program):
        """Returns the driver with the program's flags and sources."""
        sources = program.sources()
        driver = f"{self.driver}++" if any(s.suffix == ".cpp" for s in sources) else str(self.driver)
        return [driver, *self.flags, *program.flags, *map(str, sources)]

    def binary(self, program, serial):
        return self.work / ("".join((program.name, *program.flags)) + ("-fake-gpu" if program.fake_gpu else "") + ("-serial" if serial else ""))

    def elision(self, program, arguments):
        """Returns output and status of the serial elision, which runs once for each program and its arguments."""
        program = program.elision()
        key = (program, arguments)
        with self.lock:
            lock = self.elision_locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self.elisions:
                command = self.deep([*self.emulator, str(self.binary(program, True)), *arguments])
                self.elisions[key] = self.processes.run(command, self.timeout, self.environment)
            return self.elisions[key]

    @staticmethod
    def deep(command):
        """Returns the command with a stack for serial recursion 100,000 levels deep."""
        return ["/bin/sh", "-c", f'ulimit -s {STACK_KB} 2>/dev/null || ulimit -s $(ulimit -H -s); exec "$@"', "sh", *command]

    def run(self, case):
        """Runs one case; returns an error text or None."""
        expected = self.elision(case.program, case.arguments)
        command = [*self.emulator, str(self.binary(case.program, False)), *case.arguments]
        settings = dict(case.settings)
        stats = None
        if case.firmware:
            error, settings["CILK2GPU_FIRMWARE"] = self.firmware(case.program)
            if error:
                return error
        if case.program.device_ir:
            settings["FAKE_GPU_IMAGE"] = self.library(case.program)
        if case.counts or case.firmware:
            values = "-".join([*case.arguments, *(value for _, value in case.settings)])
            stats = self.work / f"{case.program.name}-{values}.json"
            stats.unlink(missing_ok=True)
            settings["CILK2GPU_STATS"] = str(stats)
        actual = self.processes.run(self.deep(command) if settings.get("CILK2GPU_DEVICE") == "serial" else command,
                                    case.timeout or self.timeout, {**self.environment, **settings})
        error = self.compare(expected, actual, case)
        if not error and case.counts:
            error = cases.compare_counts(stats, case.counts)
        if not error and case.firmware and case.program.name not in cases.ANY_ORDER:
            error = self.compare_with_host(case, command, stats)
        if not error:
            return None
        if self.registered and (lacking := cases.lacks_pageable(*actual)):
            return Skipped(lacking)
        repeat = " ".join([*(f"{k}={v}" for k, v in settings.items()), shlex.join(command)])
        return f"{error}\n  repeat: {repeat}"

    def firmware(self, program):
        """Returns (error text or None, path) of a program's firmware, which is made once."""
        target = str(self.binary(program, False)) + ".fw"
        with self.lock:
            lock = self.elision_locks.setdefault(target, threading.Lock())
        with lock:
            if target not in self.firmwares:
                command = [*self.command(program), "--emit=firmware", "-o", target]
                status, out, err = self.processes.run(command, 300, self.environment)
                text = (out + err).decode(errors="replace").strip()[-500:]
                self.firmwares[target] = None if status == 0 else f"{shlex.join(command)}\n    exit status {status}: {text}"
            return self.firmwares[target], target

    def compare_with_host(self, case, command, stats):
        """Runs a firmware's case with the host's aggregator. Returns an error text if a counter differs."""
        reference = stats.with_suffix(".host.json")
        reference.unlink(missing_ok=True)
        settings = {**dict(case.settings), "CILK2GPU_STATS": str(reference)}
        self.processes.run(command, case.timeout or self.timeout, {**self.environment, **settings})
        return cases.different_counts(stats, reference)

    def compare(self, expected, actual, case):
        status, out, err = actual
        tail = err.decode(errors="replace").strip().splitlines()[-3:]
        said = "".join(f"\n    stderr: {line}" for line in tail)
        if expected[0] is None:
            return f"the serial elision ran past {self.timeout} s"
        if expected[0] < 0:
            return f"the serial elision died of signal {-expected[0]}"
        if case.must_succeed and expected[0] != 0:
            return f"the serial elision itself fails (status {expected[0]}): " + expected[1].decode(errors="replace")[-200:]
        if status is None:
            return f"ran past {case.timeout or self.timeout} s{said}"
        if status != expected[0]:
            return f"exit status {status}, the serial elision's is {expected[0]}{said}"
        if out != expected[1]:
            return first_difference(expected[1], out) + said
        return None


class ThroughRunner(through.ThroughMlir, Runner):
    """Runs programs that are compiled through their text in MLIR, too."""


def first_difference(expected, actual):
    want, got = expected.decode(errors="replace").splitlines(), actual.decode(errors="replace").splitlines()
    for number in range(max(len(want), len(got))):
        a = want[number] if number < len(want) else "(nothing)"
        b = got[number] if number < len(got) else "(nothing)"
        if a != b:
            return f"line {number + 1} is '{b}', the serial elision's '{a}'"
    return "output differs in its line ends"


class Skipped(str):
    """The reason why a run could not be done here, as opposed to an error in it."""


class Tally:
    """Counts results and shows progress: a line that is rewritten on a terminal, else a line every 3 s."""

    def __init__(self, total):
        self.total, self.passed, self.failed, self.skipped = total, 0, 0, []
        self.shown = time.monotonic()
        self.terminal = sys.stdout.isatty()

    def add(self, name, error):
        if isinstance(error, Skipped):
            self.skipped.append(f"{name} ({error})")
            self.clear()
            print(f"SKIP {name}: {error}", flush=True)
        elif error:
            self.failed += 1
            self.clear()
            print(f"FAIL {name}\n  {error}", flush=True)
        else:
            self.passed += 1
        self.show(self.passed + self.failed + len(self.skipped), self.total, name)

    def show(self, done, total, name):
        now = time.monotonic()
        if now - self.shown > (0.2 if self.terminal else 3):
            self.shown = now
            line = f"{done}/{total} {name}"
            print(f"\r\033[K{line[:100]}" if self.terminal else line, end="" if self.terminal else "\n", flush=True)

    def clear(self):
        if self.terminal:
            print("\r\033[K", end="")


def in_parallel(jobs, tasks, function, finish):
    """Calls function(task) on `jobs` threads and finish(task, result) here, in the order of completion."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(function, task): task for task in tasks}
        for future in concurrent.futures.as_completed(futures):
            finish(futures[future], future.result())


def execute(runner, chosen, jobs, only_compile):
    """Compiles the programs and runs the cases; returns the tally. A program is a test, too."""
    programs = list(dict.fromkeys(case.program for case in chosen))
    broken = {}
    tally = Tally(len(programs) + (0 if only_compile else len(chosen)))

    compilations = itertools.count(1)

    def compiled(task, error):
        program, serial = task
        tally.show(next(compilations), len(tasks), f"compilations, {program.label()}")
        if error:
            for other in (p for p in programs if (p.elision() if serial else p) == program):
                broken.setdefault(other, error)
    tasks = [(program, False) for program in programs] + [(p, True) for p in dict.fromkeys(p.elision() for p in programs)]
    in_parallel(jobs, tasks, lambda task: runner.compile(*task), compiled)
    for program in programs:
        tally.add(f"compile {program.label()}", broken.get(program))
    if only_compile:
        tally.clear()
        return tally
    runnable = [case for case in chosen if case.program not in broken]
    skipped = len(chosen) - len(runnable)
    if skipped:
        print(f"{skipped} runs left out: their programs do not compile", flush=True)
    tally.total -= skipped
    in_parallel(jobs, runnable, runner.run, lambda case, error: tally.add(str(case), error))
    tally.clear()
    return tally


def has_unicorn():
    """Returns whether firmware can run here."""
    try:
        ctypes.CDLL("libunicorn.so.2")
        return True
    except OSError:
        return False


def fake_gpu_of(driver):
    """Returns the folder of the fake drivers in the build."""
    return driver.resolve().parent.parent / "test" / "unit" / "fake-drivers"


def parts_of(driver):
    """Returns the files of which programs and their elisions are made, beside their sources."""
    build = driver.resolve().parent.parent
    return [driver, build / "lib" / "Cilk2GPU.so", build / "lib" / "libcilk2gpu_rt.a"]


def is_newer(made, sources):
    """Returns whether the file `made` exists and was made after all sources."""
    return made.exists() and all(made.stat().st_mtime > source.stat().st_mtime for source in sources if source.exists())


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--driver", required=True, help="the compiler, build/bin/cilk2gpu")
    parser.add_argument("--work", default="e2e-out", help="folder for the compiled programs (default: e2e-out)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time (default: all CPUs)")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only cases whose name matches")
    parser.add_argument("--flags", default="-O2", help="flags for the compiler (default: -O2)")
    parser.add_argument("--emulator", default="", metavar="CMD", help="what runs the programs: they are for another processor (--flags=--target=...)")
    parser.add_argument("--reuse", metavar="FOLDER", help="take programs that an earlier run with the same flags compiled into this folder, if nothing has changed since")
    parser.add_argument("--timeout", type=int, default=0, help="seconds a run may take (default: 60, with --long 900)")
    parser.add_argument("--gpu", metavar="DEVICE:ARCH", help="only on this machine's GPU, such as cuda:sm_90; cuda:fake is the fake driver; cuda:ir-sm_90, hip:ir-gfx90a: "
                        "the GPU's IR on the CPU; cuda:ptx-sm_90: its PTX, interpreted; hip:isa-gfx90a: its machine code, emulated")
    parser.add_argument("--registered-memory", action="store_true",
                        help="the GPU reaches registered memory only: runs that end because they need more are skipped")
    parser.add_argument("--managed", action="store_true", help="with --gpu: link with -foffload-managed, so that tasks may allocate")
    parser.add_argument("--through", choices=["cilk", "channel"],
                        help="compile each program through what --emit prints, and compare results and counters with the direct compilation's")
    parser.add_argument("--list", action="store_true", help="print the cases and stop")
    steps = parser.add_mutually_exclusive_group()
    steps.add_argument("--compile-only", action="store_true", help="compile into --work and stop, for a machine that has a GPU and no compiler")
    steps.add_argument("--compiled", action="store_true", help="run what --compile-only has left in --work")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--quick", dest="mode", action="store_const", const="quick", default="normal")
    mode.add_argument("--long", dest="mode", action="store_const", const="long", help="all sizes, waves and widths")
    options = parser.parse_args()
    options.timeout = options.timeout or (900 if options.mode == "long" else 60)
    return options


def main():
    options = parse_options()
    fake_gpu = fake_gpu_of(Path(options.driver))
    choice = cases.through_cases(options.mode) if options.through else cases.gpu_cases(options.mode, options.gpu, fake_gpu, options.registered_memory, options.managed) if options.gpu else cases.choose(options.mode, fake_gpu)
    chosen = [case for case in choice if re.search(options.filter, str(case))]
    if options.emulator:
        chosen = [case for case in chosen if cases.runs_elsewhere(case)]
    without = [] if has_unicorn() else [case for case in chosen if case.firmware]
    chosen = [case for case in chosen if case not in without]
    if options.list:
        print("\n".join(map(str, chosen)))
        return 0
    if not options.compiled and not os.access(options.driver, os.X_OK):
        sys.exit(f"run.py: there is no compiler '{options.driver}'; build it first (scripts/quickstart)")
    runner = ThroughRunner(options) if options.through else Runner(options)
    runner.stage = options.through

    def interrupted(number, _frame):
        runner.processes.stop()
        os.write(2, b"\nstopped\n")
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    start = time.monotonic()
    tally = execute(runner, chosen, options.jobs, options.compile_only)
    print(f"{options.mode} mode, {time.monotonic() - start:.0f} s")
    for case in without:
        tally.add(str(case), Skipped("there is no libunicorn here: Debian's package libunicorn2"))
    return report(tally.passed, tally.failed, tally.skipped)


if __name__ == "__main__":
    sys.exit(main())
