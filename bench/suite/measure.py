"""Runs variants in alternation and collects whole-process wall times. Results must equal the serial elision's."""
import contextlib
import os
import random
import resource
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field

SKIPPED = 77                  # exit status of a yardstick on a CPU that cannot run it
# Variants so many times slower than the elision take part in every n-th round only. Otherwise a variant that takes 300
# times as long would decide the time of the whole benchmark.
SLOW_RATIO, SLOW_EVERY = 8, 3
VERY_SLOW_RATIO, VERY_SLOW_EVERY = 100, 7
PEERS = ("openmp", "onetbb", "taskflow")  # may be too slow; cilk2gpu may not
SETTINGS = ("CILK2GPU_", "OMP_", "KMP_", "BENCH_", "TBB_")


@dataclass
class Run:
    seconds: float
    cpu: float  # seconds of all threads, user and system
    status: int
    output: str
    errors: str
    peak_kib: int  # 0 if it is less than this process had itself, which the kernel includes


@dataclass
class Outcome:
    """Outcome of one variant."""
    variant: object
    seconds: list = field(default_factory=list)
    cpu: list = field(default_factory=list)
    peak_kib: int = 0
    problem: str = ""
    every: int = 1  # takes part in rounds divisible by this number

    @property
    def median(self):
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def median_cpu(self):
        return statistics.median(self.cpu) if self.cpu else None


def environment_with(settings):
    """Returns the caller's environment without settings of the compared systems, and with `settings`."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    return {**clean, **settings}


def _spawn(command, environment, output, errors):
    redirect = [(os.POSIX_SPAWN_DUP2, output.fileno(), 1), (os.POSIX_SPAWN_DUP2, errors.fileno(), 2)]
    return os.posix_spawn(command[0], command, environment, file_actions=redirect)


def _kill(children):
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _text(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def run(command, settings=None, copies=1, limit=300):
    """Runs `copies` of a command at once and waits for all. Returns the first one's output. Kills them after `limit` s."""
    command = [str(part) for part in command]
    environment = environment_with(settings or {})
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, open(os.devnull, "wb") as nowhere:
        start = time.perf_counter()
        children = [_spawn(command, environment, output if i == 0 else nowhere, errors) for i in range(copies)]
        timer = threading.Timer(limit, _kill, [children])
        timer.start()
        try:
            ends = [os.wait4(child, 0) for child in children]
            seconds = time.perf_counter() - start
        except BaseException:  # also ^C
            _kill(children)
            raise
        finally:
            timer.cancel()
        statuses = [os.waitstatus_to_exitcode(status) for _, status, _ in ends]
        worst = next((status for status in statuses if status != 0), 0)
        peak = max(usage.ru_maxrss for _, _, usage in ends)
        if peak <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:
            peak = 0
        cpu = sum(usage.ru_utime + usage.ru_stime for _, _, usage in ends)
        return Run(seconds, cpu, worst, _text(output), _text(errors), peak)


@contextlib.contextmanager
def load(count):
    """Keeps `count` processes busy beside the measured ones, at the same priority."""
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"], start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def whole_process(result):
    """Returns (seconds, CPU seconds) of a run from its start to its end."""
    return result.seconds, result.cpu


def _take(outcome, arguments, limit, expected):
    """Runs a variant once. Returns its run, or None after a problem, which the outcome then names."""
    variant = outcome.variant
    result = run([variant.binary, *arguments], variant.environment, 2 if variant.kind == "pair" else 1, limit)
    outcome.peak_kib = max(outcome.peak_kib, result.peak_kib)
    if result.status == SKIPPED and variant.kind == "yardstick":
        outcome.problem = "skipped: " + result.output.strip()
    elif result.status == -signal.SIGKILL and result.seconds >= limit:
        outcome.problem = f"{'too slow' if variant.kind in PEERS else 'FAILED'}: stopped after {limit} s"
    elif result.status != 0:
        outcome.problem = f"FAILED: status {result.status}: {(result.errors or result.output).strip()[-200:]}"
    elif expected is not None and result.output != expected:
        outcome.problem = f"FAILED: printed {result.output.strip()!r}, the serial elision {expected.strip()!r}"
    return None if outcome.problem else result


def _every(ratio):
    return VERY_SLOW_EVERY if ratio > VERY_SLOW_RATIO else SLOW_EVERY if ratio > SLOW_RATIO else 1


def measure(variants, arguments, rounds, seed, limit, progress, clock=whole_process):
    """Returns the outcomes of all variants, in their order. The first round warms up and is not counted. `arguments` are
    those of the command. `clock` gives the seconds and CPU seconds of a run."""
    outcomes = [Outcome(variant) for variant in variants]
    order = random.Random(seed)
    first = _take(outcomes[0], arguments, limit, None)
    if first is None:
        return outcomes
    for outcome in outcomes[1:]:
        progress(f"warming up: {outcome.variant.label}")
        result = _take(outcome, arguments, limit, first.output)
        outcome.every = _every(result.seconds / max(first.seconds, 0.05)) if result else 1
    for turn in range(rounds):
        for outcome in order.sample(outcomes, len(outcomes)):
            if outcome.problem or turn % outcome.every:
                continue
            progress(f"round {turn + 1} of {rounds}: {outcome.variant.label}")
            result = _take(outcome, arguments, limit, first.output)
            if result is not None:
                seconds, cpu = clock(result)
                outcome.seconds.append(seconds)
                outcome.cpu.append(cpu)
    return outcomes
