"""Ends a check while a run is under way, by several signals, and counts the runs that are left: ended.py PROGRAM"""
import os
import signal
import subprocess
import sys
import time


def runs(program):
    """Returns the processes that run the program."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.realpath(f"/proc/{name}/exe") == os.path.realpath(program):
                found.append(int(name))
        except OSError:
            pass
    return found


def wait(condition):
    """Waits until the condition holds, at most for ten seconds."""
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)


program = sys.argv[1]
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
    # A caller may ignore SIGINT, as shells do for commands in the background.
    check = subprocess.Popen([program], env={**os.environ, "CILK2GPU_CHECK": "races"}, stdin=subprocess.DEVNULL,
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    wait(lambda: len(runs(program)) == 2)
    assert len(runs(program)) == 2, runs(program)
    check.send_signal(number)
    status = check.wait()
    wait(lambda: not runs(program))
    print(f"{number.name}: ended by {signal.Signals(-status).name}, {len(runs(program))} runs are left", flush=True)
